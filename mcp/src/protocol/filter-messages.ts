import {
  type JSONRPCRequest,
  type McpServer,
  PROTOCOL_VERSION_META_KEY,
  type Transport,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/server';

/** The only protocol revision so far in which every request names its revision. */
const CURRENT_REVISION = '2026-07-28';
/** Longer error messages are cut, because the SDK lists every problem of wrong parameters. */
const MAX_ERROR_CHARACTERS = 1_000;

function shortenErrors(transport: Transport): void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if ('error' in message && message.error.message.length > MAX_ERROR_CHARACTERS)
      message.error.message = `${message.error.message.slice(0, MAX_ERROR_CHARACTERS)}…`;
    return send(message, options);
  };
}

/**
 * Returns an error response if the request names a revision other than CURRENT_REVISION, otherwise undefined. On stdio,
 * the SDK checks only the first request.
 */
function rejection({ id, params }: JSONRPCRequest) {
  const requested = params?._meta?.[PROTOCOL_VERSION_META_KEY];
  if (typeof requested !== 'string' || requested === CURRENT_REVISION) return undefined;
  const supported = [CURRENT_REVISION];
  const { code, message, data } = new UnsupportedProtocolVersionError({ supported, requested });
  return { jsonrpc: '2.0', id, error: { code, message, data } } as const;
}

/**
 * Replaces null arguments by an empty object: n8n sends null for the arguments of a tool if nobody opened its fields.
 */
const withArguments = (request: JSONRPCRequest): JSONRPCRequest =>
  request.params?.arguments === null ? { ...request, params: { ...request.params, arguments: {} } } : request;

function filterRequests(transport: Transport): void {
  const { onmessage } = transport;
  transport.onmessage = (message, extra) => {
    // The SDK's type guards would parse the message again.
    if (!('method' in message && 'id' in message)) {
      onmessage?.(message, extra);
      return;
    }
    const refused = rejection(message);
    if (refused === undefined) onmessage?.(withArguments(message), extra);
    else void transport.send(refused);
  };
}

/**
 * Changes a server so that it cuts long error messages, rejects requests that name a revision other than
 * CURRENT_REVISION, and accepts null as arguments.
 */
export function filterMessages(mcp: McpServer): McpServer {
  const connect = mcp.connect.bind(mcp);
  mcp.connect = async (transport) => {
    shortenErrors(transport);
    await connect(transport);
    filterRequests(transport);
  };
  return mcp;
}
