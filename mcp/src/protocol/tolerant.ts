import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  type McpServer,
  type Transport,
} from '@modelcontextprotocol/server';

/** The SDK tells of wrong parameters all that is wrong, one by one. */
const MAX_ERROR_CHARACTERS = 1_000;

function shortenErrors(transport: Transport): void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if (isJSONRPCErrorResponse(message) && message.error.message.length > MAX_ERROR_CHARACTERS)
      message.error.message = `${message.error.message.slice(0, MAX_ERROR_CHARACTERS)}…`;
    return send(message, options);
  };
}

/** n8n sends null for the arguments of a tool whose fields nobody opened. */
function takeNullArguments(transport: Transport): void {
  const { onmessage } = transport;
  transport.onmessage = (message, extra) => {
    const isNull = isJSONRPCRequest(message) && message.params?.arguments === null;
    onmessage?.(isNull ? { ...message, params: { ...message.params, arguments: {} } } : message, extra);
  };
}

/** Lets a server say less of errors and take more of clients than the SDK does, over whatever it is connected to. */
export function tolerant(mcp: McpServer): McpServer {
  const connect = mcp.connect.bind(mcp);
  mcp.connect = async (transport) => {
    shortenErrors(transport);
    await connect(transport);
    takeNullArguments(transport);
  };
  return mcp;
}
