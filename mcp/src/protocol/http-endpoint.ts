import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  isInitializeRequest,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { createMcpServer } from './create-mcp-server.js';
import type { McpDeps } from './mcp-deps.js';

/** Clients that send batches at all send a few; each message costs what a request of its own does. */
const MAX_MESSAGES = 20;
/** What an answer repeats. */
const MAX_REPEATED_CHARACTERS = 200;

const VERSION_HEADER = 'mcp-protocol-version';

/** Methods whose requests run an operation, which counts; all others are answered out of this process. */
const RUN_OPERATIONS: ReadonlySet<unknown> = new Set(['tools/call', 'resources/read', 'completion/complete']);

const messagesOf = (body: unknown): readonly unknown[] => (Array.isArray(body) ? body : [body]);

const fieldOf = (message: unknown, name: string): unknown =>
  typeof message === 'object' && message !== null ? Reflect.get(message, name) : undefined;

const isTooLong = (value: unknown) => typeof value === 'string' && value.length > MAX_REPEATED_CHARACTERS;

/** Why the messages of a request cannot be taken; undefined where they can. To be asked before the SDK is. */
export function messagesProblem(headers: IncomingHttpHeaders, body: unknown): string | undefined {
  if (isTooLong(headers[VERSION_HEADER]))
    return 'The header "Mcp-Protocol-Version" must be a date such as 2025-11-25.';
  if (Array.isArray(body) && body.length > MAX_MESSAGES)
    return `Send at most ${MAX_MESSAGES} messages at once; these are ${body.length}.`;
  if (messagesOf(body).some((message) => isTooLong(fieldOf(message, 'id'))))
    return `The "id" of a message must have at most ${MAX_REPEATED_CHARACTERS} characters.`;
  return undefined;
}

/** How many messages of a body run an operation, and how many do not. */
export function countMessages(body: unknown): { readonly running: number; readonly others: number } {
  const messages = messagesOf(body);
  const running = messages.filter((message) => RUN_OPERATIONS.has(fieldOf(message, 'method'))).length;
  return { running, others: messages.length - running };
}

const SESSION_HEADER = 'mcp-session-id';
const STREAMED_TOOL = /^(?:capture_|read_page$)/u;

/** One HTTP request of a client that is known and may call. */
interface HttpCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The body, parsed from JSON, with which `messagesProblem` found none. */
  readonly body: unknown;
  /** Names the caller among others, so that nobody cancels another's work. */
  readonly callerId: string;
  readonly deps: McpDeps;
}

/** The Streamable HTTP transport without state: each POST gets a server of its own, and a restart loses nothing. */
export interface HttpEndpoint {
  handle(call: HttpCall): Promise<void>;
}

/** Whether the answer is a stream: for work that takes time and reports progress; the others are plain JSON. */
const isStreamed = ({ method, params }: JSONRPCRequest) =>
  params?._meta?.progressToken !== undefined ||
  (method === 'tools/call' && typeof params?.name === 'string' && STREAMED_TOOL.test(params.name));

/** Whether a body is one call of a tool that is answered at once, as JSON, after the backend was asked at most. */
export const isPlainToolCall = (body: unknown): boolean =>
  isJSONRPCRequest(body) && body.method === 'tools/call' && !isStreamed(body);

/** The open requests of each caller: a cancellation comes as a request of its own and has to find its work. */
class OpenCalls {
  readonly #cancel = new Map<string, () => void>();

  add(name: string, cancel: () => void): void {
    this.#cancel.set(name, cancel);
  }

  remove(name: string, cancel: () => void): void {
    if (this.#cancel.get(name) === cancel) this.#cancel.delete(name);
  }

  cancel(name: string): void {
    this.#cancel.get(name)?.();
  }
}

/** The SDK tells of wrong parameters all that is wrong, one by one. */
const MAX_ERROR_CHARACTERS = 1_000;

function shortenErrors(transport: StreamableHTTPServerTransport): void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if (isJSONRPCErrorResponse(message) && message.error.message.length > MAX_ERROR_CHARACTERS)
      message.error.message = `${message.error.message.slice(0, MAX_ERROR_CHARACTERS)}…`;
    return send(message, options);
  };
}

export function createHttpEndpoint(): HttpEndpoint {
  const open = new OpenCalls();

  return {
    async handle({ request, response, body, callerId, deps }) {
      // Who left while the key was looked up is not noticed later.
      if (response.destroyed) return;
      const session = request.headers[SESSION_HEADER];
      // Without the header two clients with one key would be told apart by nothing, and cancel each other's calls.
      const nameOf = (id: unknown) =>
        typeof session === 'string' ? JSON.stringify([callerId, session, id]) : undefined;
      const messages = messagesOf(body);
      const requests = messages.filter((message) => isJSONRPCRequest(message));
      for (const message of messages) {
        if (!isJSONRPCNotification(message) || message.method !== 'notifications/cancelled') continue;
        const name = nameOf(message.params?.requestId);
        if (name !== undefined) open.cancel(name);
      }
      // It only names the client for its cancellations: nothing is kept under it, and any other is taken as well.
      if (messages.some(isInitializeRequest)) response.setHeader(SESSION_HEADER, randomUUID());

      const methods = new Set(requests.map(({ method }) => method));
      const mcp = createMcpServer(deps, [...methods]);
      mcp.server.onerror = () => undefined;
      const transport = new StreamableHTTPServerTransport({ enableJsonResponse: !requests.some(isStreamed) });
      shortenErrors(transport);
      const cancel = () => {
        void mcp.close();
        if (!response.headersSent) response.writeHead(202);
        response.end();
      };
      const names = requests.map(({ id }) => nameOf(id)).filter((name) => name !== undefined);
      for (const name of names) open.add(name, cancel);
      response.once('close', () => {
        for (const name of names) open.remove(name, cancel);
        void mcp.close();
      });
      await mcp.connect(transport);
      await transport.handleRequest(request, response, body);
    },
  };
}
