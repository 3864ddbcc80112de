import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { errorJson } from '@signpost/contract';
import type { FastifyInstance, FastifyRequest, preParsingHookHandler } from 'fastify';
import { endConnection } from '../platform/end-connection.js';
import { ServiceError } from '../platform/errors.js';
import { mayTakeLong } from './connections.js';
import type { RequestIds } from './request-ids.js';

/** A page that is the same for everybody. */
export interface StaticPage {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns a map from the path of each route to its methods except HEAD. It is filled while routes are added. */
export function collectMethods(server: FastifyInstance): ReadonlyMap<string, readonly string[]> {
  const methodsOf = new Map<string, string[]>();
  server.addHook('onRoute', ({ url, method }) => {
    const known = methodsOf.get(url) ?? [];
    const added = [method].flat().filter((one) => one !== 'HEAD' && !known.includes(one));
    methodsOf.set(url, [...known, ...added]);
  });
  return methodsOf;
}

/**
 * The methods of the route that is exactly this path, otherwise of the first one that matches it; empty if none does.
 */
function methodsAt(methodsOf: ReadonlyMap<string, readonly string[]>, path: string): readonly string[] {
  const parts = path.split('/');
  const matches = (route: string) => {
    const names = route.split('/');
    return (
      names.length === parts.length && names.every((name, at) => name.startsWith(':') || name === parts[at])
    );
  };
  return methodsOf.get(path) ?? [...methodsOf].find(([route]) => matches(route))?.[1] ?? [];
}

/** Whether the Accept header begins with text/html, as that of a browser that loads a page. */
const isForPerson = ({ headers }: FastifyRequest) => /^text\/html\b/u.test(headers.accept ?? '');

/**
 * Rejects an address with a NUL character: no path of ours has one, and PostgreSQL accepts none. An unknown path gets
 * the usual 404. On pages the error is a page, which needs cookies, so this hook runs after cookies are read.
 */
export const rejectNul: preParsingHookHandler = ({ url, is404 }, _reply, _payload, done) => {
  if (url.includes('%00') && !is404)
    done(new ServiceError('invalidRequest', 'The address has a NUL character (%00). Remove it.'));
  else done();
};

/** Rejects wrong paths and methods before the body is read, so that the error does not depend on the body. */
export function rejectUnknownPaths(
  server: FastifyInstance,
  methodsOf: ReadonlyMap<string, readonly string[]>,
  notFoundPage: StaticPage,
): void {
  server.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) {
      done();
      return;
    }
    const path = (request.url.split('?', 1)[0] ?? '').replace(/\/$/u, '');
    const accepted = methodsAt(methodsOf, path);
    // If the route has the method, the method is not what is wrong.
    const methods = accepted.includes(request.method) ? [] : accepted;
    if (methods.length === 0 && request.method === 'GET' && isForPerson(request)) {
      // Somebody who may be signed in gets the console's own page.
      if (request.headers.cookie !== undefined) {
        done();
        return;
      }
      reply.code(404).headers(notFoundPage.headers).send(notFoundPage.html);
      return;
    }
    if (methods.length === 0) {
      done(new ServiceError('notFound', 'There is nothing at this path. /openapi.json lists all paths.'));
      return;
    }
    reply.header('Allow', methods.join(', '));
    const words = `${path} takes ${methods.join(' or ')}, not ${request.method}.`;
    done(new ServiceError('methodNotAllowed', words));
  });
}

/**
 * The headers of every response: a request id, no guessing of the type, and no caching. Responses that may be cached
 * override `no-store`.
 */
export const headersOfAnswer = (requestId: string) => ({
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
  'X-Request-Id': requestId,
});

/** The headers of a response that is written without Fastify's hooks and then closes its connection. */
const lastHeaders = (requestId: string, body: string) => ({
  ...headersOfAnswer(requestId),
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': Buffer.byteLength(body),
  Connection: 'close',
});

/** Rejects an unknown Expect header with a message. Node itself would respond with an empty body. */
export function rejectExpectations(server: FastifyInstance, ids: RequestIds): void {
  const error = 'The Expect header of the request asks for what this server does not do.';
  const body = errorJson(error);
  server.server.on('checkExpectation', (request, response) => {
    response.writeHead(417, lastHeaders(ids.of(request), body)).end(body);
  });
}

const clientErrors: Readonly<Record<string, { status: number; message: string }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers of the request are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time.' },
};

/**
 * Returns a handler that responds to input that is not valid HTTP or did not arrive in time, for which there is no
 * request object to reply to. Lets an upload that may take long continue.
 */
export const clientErrorHandler =
  (ids: RequestIds) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && mayTakeLong(socket)) return;
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const { status, message } = clientErrors[error.code ?? ''] ?? {
      status: 400,
      message: 'The request is not valid HTTP.',
    };
    const body = errorJson(message);
    const headers = Object.entries(lastHeaders(ids.next(), body));
    const lines = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      ...headers.map((header) => header.join(': ')),
    ];
    endConnection(socket, `${lines.join('\r\n')}\r\n\r\n${body}`);
  };
