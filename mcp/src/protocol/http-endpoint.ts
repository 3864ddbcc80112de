import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import {
  createMcpHandler,
  isInitializeRequest,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { createMcpServer, type CreateServer } from './create-mcp-server.js';
import type { McpDeps } from './mcp-deps.js';
import { isStreamed, messagesOf } from './request-messages.js';

const SESSION_HEADER = 'mcp-session-id';

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

const READ_HEADER = /^(?:accept|content-type|mcp-.*)$/u;

/** What the SDK is to know of a request: neither its key nor, as it is parsed already, its body. */
function toWebRequest({ headers }: IncomingMessage, signal: AbortSignal): Request {
  const read = Object.entries(headers).filter(([name]) => READ_HEADER.test(name));
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: read.map(([name, value]): [string, string] => [name, String(value)]),
    signal,
  });
}

async function send(response: ServerResponse, { status, headers, body }: Response): Promise<void> {
  // The caller has left, or was refused by what a tool was told.
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, Object.fromEntries(headers));
  response.flushHeaders();
  if (body === null) response.end();
  else await pipeline(body, response).catch(() => undefined);
}

export function createHttpEndpoint(createServer: CreateServer = createMcpServer): HttpEndpoint {
  const open = new OpenCalls();

  /** Revision 2026-07-28: a request says all about itself, and ends with its connection. */
  function answerCurrent({ body, deps }: HttpCall, request: Request): Promise<Response> {
    const message = isJSONRPCRequest(body) ? body : undefined;
    const handler = createMcpHandler(() => createServer(deps, message && [message.method]), {
      legacy: 'reject',
      responseMode: message !== undefined && isStreamed(message) ? 'sse' : 'auto',
    });
    return handler.fetch(request, { parsedBody: body });
  }

  /** Revisions up to 2025-11-25, as JSON where the SDK by itself would answer nothing but streams. */
  async function answerOlder(
    { request: { headers }, response, body, callerId, deps }: HttpCall,
    request: Request,
  ): Promise<Response> {
    const session = headers[SESSION_HEADER];
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

    const mcp = createServer(
      deps,
      requests.map(({ method }) => method),
    );
    const transport = new WebStandardStreamableHTTPServerTransport({
      enableJsonResponse: !requests.some(isStreamed),
    });
    const names = requests.map(({ id }) => nameOf(id)).filter((name) => name !== undefined);
    const cancelled = new Promise<Response>((resolve) => {
      const cancel = () => {
        void mcp.close();
        resolve(new Response(null, { status: 202 }));
      };
      for (const name of names) open.add(name, cancel);
      response.once('close', () => {
        for (const name of names) open.remove(name, cancel);
        cancel();
      });
    });
    await mcp.connect(transport);
    return Promise.race([transport.handleRequest(request, { parsedBody: body }), cancelled]);
  }

  return {
    async handle(call) {
      const { request, response, body } = call;
      // Who left while the key was looked up is not noticed later.
      if (response.destroyed) return;
      const left = new AbortController();
      response.once('close', () => left.abort());
      const webRequest = toWebRequest(request, left.signal);
      const isOlder = await isLegacyRequest(webRequest, body);
      await send(response, await (isOlder ? answerOlder(call, webRequest) : answerCurrent(call, webRequest)));
    },
  };
}
