import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { errorJson, LINKED_FILE_GONE, LINKED_FILES_PATH } from '@signpost/contract';
import { SignpostApiError } from '../client/signpost-api-error.js';
import { createHttpEndpoint, type HttpEndpoint } from '../protocol/http-endpoint.js';
import type { McpDeps } from '../protocol/mcp-deps.js';
import { isPlainToolCall, messagesProblem } from '../protocol/request-messages.js';
import type { MemoryLinks } from './memory-links.js';
import { BodyError, presentedKey, readJsonBody } from './read-request.js';
import { meaningOf } from '../system-errors.js';
import {
  type AllowedCallers,
  crossOriginHeaders,
  foreignCaller,
  PREFLIGHT_HEADERS,
} from './request-origin.js';

/** Starts the server and returns its address. If it cannot listen, throws an error that says what to change. */
export async function listen(server: Server, host: string, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: Error) => {
      const why = meaningOf(error) ?? error.message;
      const advice = 'Choose others with --host (SIGNPOST_MCP_HOST) and --port (SIGNPOST_MCP_PORT).';
      reject(new Error(`Cannot listen on ${host}, port ${port}: ${why}. ${advice}`));
    });
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
}

export const MCP_PATH = '/mcp';

interface StandaloneOptions {
  readonly allowed: AllowedCallers;
  /** The API key for callers that send none; undefined if they must send one. */
  readonly apiKey: string | undefined;
  /** Returns the dependencies of a call with this key. */
  readonly depsFor: (apiKey: string) => McpDeps;
  /** Serves captured files, unless they are saved to a folder. */
  readonly links: Pick<MemoryLinks, 'answer'>;
  readonly log: (message: string) => void;
  readonly endpoint?: HttpEndpoint;
}

/** Creates an HTTP server with only the MCP endpoint and the links of captured files. It does not listen yet. */
export function createStandaloneServer(options: StandaloneOptions): Server {
  const { endpoint = createHttpEndpoint() } = options;
  return createServer((request, response) => {
    answer(options, endpoint, request, response).catch((error: unknown) => {
      if (error instanceof BodyError) {
        reject(response, error.status, error.message, { Connection: 'close' });
        return;
      }
      options.log(
        `A request failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
      if (response.headersSent) response.destroy();
      else reject(response, 500, 'The server failed to answer this request.');
    });
  });
}

function reject(
  response: ServerResponse,
  status: number,
  error: string,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', ...headers });
  response.end(errorJson(error));
}

async function answer(
  { allowed, apiKey, depsFor, links }: StandaloneOptions,
  endpoint: HttpEndpoint,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const foreign = foreignCaller(request.headers, allowed);
  if (foreign !== undefined) {
    reject(response, 403, foreign);
    return;
  }
  response.setHeaders(new Map(Object.entries(crossOriginHeaders(request.headers))));
  // Removes the slash at the end of "/mcp/", a common slip in the settings of clients.
  const path = (request.url?.split('?', 1)[0] ?? '').replace(/^\/mcp\/$/u, MCP_PATH);
  if (path !== MCP_PATH) {
    if (request.method === 'GET' && links.answer(path, response)) return;
    const isFile = path.startsWith(`${LINKED_FILES_PATH}/`);
    reject(
      response,
      404,
      isFile ? LINKED_FILE_GONE : `There is nothing at this path; the endpoint is ${MCP_PATH}.`,
    );
    return;
  }
  if (request.method === 'OPTIONS') {
    response.writeHead(204, PREFLIGHT_HEADERS).end();
    return;
  }
  if (request.method !== 'POST') {
    reject(
      response,
      405,
      `${MCP_PATH} accepts only POST: there is no stream to open and no session to end.`,
      {
        Allow: 'POST',
      },
    );
    return;
  }
  const key = presentedKey(request.headers) ?? apiKey;
  if (key === undefined) {
    const words =
      'An API key is needed: send it in the header "X-Api-Key" or as "Authorization: Bearer <key>".';
    reject(response, 401, words, { 'WWW-Authenticate': 'Bearer' });
    return;
  }
  const body = await readJsonBody(request);
  const problem = messagesProblem(request.headers, body);
  if (problem !== undefined) {
    reject(response, 400, problem);
    return;
  }
  const deps = isPlainToolCall(body) ? rejectingWrongKey(depsFor(key), response) : depsFor(key);
  await endpoint.handle({ request, response, body, callerId: key, deps });
}

/**
 * Returns dependencies with a `backend` that sends a 401 as the HTTP response if the Signpost server rejects the key;
 * the call of the backend then never settles. Use them only for tool calls whose response is plain JSON.
 */
const rejectingWrongKey = (deps: McpDeps, response: ServerResponse): McpDeps => ({
  ...deps,
  backend: {
    async call(operationId, request, options) {
      try {
        return await deps.backend.call(operationId, request, options);
      } catch (error) {
        const isWrongKey = error instanceof SignpostApiError && error.status === 401;
        if (!isWrongKey || response.headersSent) throw error;
        reject(response, 401, error.message, { 'WWW-Authenticate': 'Bearer error="invalid_token"' });
        return new Promise<never>(() => undefined);
      }
    },
  },
});
