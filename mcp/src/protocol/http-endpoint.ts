import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import {
  createMcpHandler,
  isInitializeRequest,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isLegacyRequest,
  type JSONRPCRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { createMcpServer, type CreateServer } from './create-mcp-server.js';
import type { McpDeps } from './mcp-deps.js';
import { isStreamed, messagesOf } from './request-messages.js';

const SESSION_HEADER = 'mcp-session-id';

/** One HTTP request with its parsed body and its caller. */
interface HttpCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The parsed JSON body. `messagesProblem` has accepted it. */
  readonly body: unknown;
  /** Identifies the caller, so that nobody can cancel another caller's work. */
  readonly callerId: string;
  readonly deps: McpDeps;
}

/** Responds to POST requests of the Streamable HTTP transport. Each gets its own MCP server. */
export interface HttpEndpoint {
  handle(call: HttpCall): Promise<void>;
}

/** The open requests that callers can cancel. Needed because a cancellation arrives as another request. */
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

const SDK_HEADER = /^(?:content-type|mcp-.*)$/u;
/** The SDK rejects requests that do not accept both types, although it responds with only one of them. */
const BOTH_TYPES = 'application/json, text/event-stream';

/** Which of JSON and streams a client accepts. A client that names neither of them counts as accepting both. */
function acceptedBy({ accept = '' }: IncomingMessage['headers']): 'json' | 'sse' | 'both' {
  const json = /application\/(?:json|\*)/iu.test(accept);
  const stream = /text\/(?:event-stream|\*)/iu.test(accept);
  if (json === stream || accept.includes('*/*')) return 'both';
  return json ? 'json' : 'sse';
}

/**
 * Identifies an open request of a caller. Undefined without a session header: then two clients with the same key
 * look alike, and could cancel each other's calls.
 */
const callName = (callerId: string, session: unknown, id: unknown): string | undefined =>
  typeof session === 'string' ? JSON.stringify([callerId, session, id]) : undefined;

/** The ids of the requests that these messages cancel. */
const cancelledIds = (messages: readonly unknown[]): unknown[] =>
  messages.flatMap((message) =>
    isJSONRPCNotification(message) && message.method === 'notifications/cancelled'
      ? [message.params?.requestId]
      : [],
  );

/**
 * Whether the response is a stream: if the client accepts nothing else, or if it accepts both and a request is slow or
 * asks for progress.
 */
function isStreamedTo(headers: IncomingMessage['headers'], requests: readonly JSONRPCRequest[]): boolean {
  const accepted = acceptedBy(headers);
  return accepted === 'both' ? requests.some(isStreamed) : accepted === 'sse';
}

/** The request in the form that the SDK needs: without the key, and without the body, which is already parsed. */
function toWebRequest({ headers }: IncomingMessage, signal: AbortSignal): Request {
  const sdkHeaders = Object.entries(headers).filter(([name]) => SDK_HEADER.test(name));
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: [
      ['accept', BOTH_TYPES],
      ...sdkHeaders.map(([name, value]): [string, string] => [name, String(value)]),
    ],
    signal,
  });
}

/** Returns a signal that is aborted if the client disconnects before it has the whole response. */
function disconnectSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

async function send(response: ServerResponse, answer: Response): Promise<void> {
  // The caller has disconnected, or already got a 401 because the backend rejected its key.
  if (response.destroyed || response.headersSent) return;
  const { status, headers, body } = answer;
  response.writeHead(status, Object.fromEntries(headers));
  if (body === null || headers.get('content-type') !== 'text/event-stream') {
    response.end(Buffer.from(await answer.arrayBuffer()));
    return;
  }
  response.flushHeaders();
  await pipeline(body, response).catch(() => undefined);
}

export function createHttpEndpoint(createServer: CreateServer = createMcpServer): HttpEndpoint {
  const open = new OpenCalls();

  /** Handles revision 2026-07-28: each request is self-contained, and closing the connection cancels it. */
  function answerCurrent(
    { request: { headers }, body, deps }: HttpCall,
    request: Request,
  ): Promise<Response> {
    const message = isJSONRPCRequest(body) ? body : undefined;
    const handler = createMcpHandler(() => createServer(deps, message && [message.method]), {
      legacy: 'reject',
      responseMode: isStreamedTo(headers, message === undefined ? [] : [message]) ? 'sse' : 'json',
    });
    return handler.fetch(request, { parsedBody: body });
  }

  /**
   * Handles revisions up to 2025-11-25. Responds with JSON unless a stream is needed. By default, the SDK would always
   * respond with streams.
   */
  async function answerOlder(
    { request: { headers }, response, body, callerId, deps }: HttpCall,
    request: Request,
  ): Promise<Response> {
    const session = headers[SESSION_HEADER];
    const nameOf = (id: unknown) => callName(callerId, session, id);
    const messages = messagesOf(body);
    const requests = messages.filter((message) => isJSONRPCRequest(message));
    for (const id of cancelledIds(messages)) {
      const name = nameOf(id);
      if (name !== undefined) open.cancel(name);
    }
    // The session id only tells clients apart for cancellations. Any other value is accepted too.
    if (messages.some(isInitializeRequest)) response.setHeader(SESSION_HEADER, randomUUID());

    const mcp = createServer(
      deps,
      requests.map(({ method }) => method),
    );
    const transport = new WebStandardStreamableHTTPServerTransport({
      enableJsonResponse: !isStreamedTo(headers, requests),
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
      // If the caller disconnected while the key was checked, nothing later would notice.
      if (response.destroyed) return;
      const webRequest = toWebRequest(request, disconnectSignal(response));
      const isOlder = await isLegacyRequest(webRequest, body);
      await send(response, await (isOlder ? answerOlder(call, webRequest) : answerCurrent(call, webRequest)));
    },
  };
}
