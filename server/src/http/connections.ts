import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import type { Log } from '../platform/log.js';

/** Notices a reverse proxy if the configuration names none, and logs one warning about it. */
export class ProxyWatch {
  #isProxyIgnored = false;

  readonly #trustProxy: readonly string[];
  readonly #log: Log;

  constructor(trustProxy: readonly string[], log: Log) {
    this.#trustProxy = trustProxy;
    this.#log = log;
  }

  /** Whether a request had a proxy's headers although no proxy is trusted. */
  get isProxyIgnored(): boolean {
    return this.#isProxyIgnored;
  }

  inspect(headers: IncomingHttpHeaders): void {
    if (this.#isProxyIgnored || this.#trustProxy.length > 0) return;
    if (headers['x-forwarded-for'] === undefined && headers.forwarded === undefined) return;
    this.#isProxyIgnored = true;
    this.#log.warn(
      {},
      'Requests come through a reverse proxy, but SIGNPOST_TRUST_PROXY is not set: limits per address count all callers of ' +
        'the proxy for one. Set it to the address that the proxy connects from.',
    );
  }
}

/** Returns a signal that is aborted if the connection closes before the response was written. */
export function abortOnDisconnect({ raw, request }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const { socket } = request.raw;
  const abortIfUnfinished = () => {
    raw.off('close', abortIfUnfinished);
    socket.off('close', abortIfUnfinished);
    if (!raw.writableFinished) controller.abort();
  };
  if (raw.destroyed || socket.destroyed) {
    abortIfUnfinished();
    return controller.signal;
  }
  raw.once('close', abortIfUnfinished);
  // A pipelined response has no socket of its own yet, so only the request's socket tells that the connection
  // closed. Several responses may be waiting on that socket.
  socket.setMaxListeners(0).once('close', abortIfUnfinished);
  return controller.signal;
}

/** How long connections may stay open once the server begins to close. */
const CLOSING_GRACE_MS = 5_000;
/** How many pipelined requests may wait on a connection. Browsers do not pipeline. */
const MAX_REQUESTS_AHEAD = 16;
/**
 * A body may come in as many chunks as the maximum body size divided by this. Each chunk costs microseconds, and memory
 * until all chunks have arrived.
 */
const MIN_BYTES_PER_CHUNK = 64;

/**
 * Closes idle connections, and those whose caller has read nothing of a response for the server's `timeout`. Leaves
 * connections open on which a response is still being prepared: a capture may take longer.
 */
export function closeUnreadConnections(server: Server): void {
  server.on('timeout', (socket: Socket) => {
    const isIdle = socket.timeout !== server.timeout;
    if (isIdle) socket.destroy();
    else if (socket.writableLength > 0) socket.resetAndDestroy();
  });
}

/**
 * Returns a function that checks for each request whether its caller has pipelined too many. The responses would pile
 * up in memory if the caller never read them.
 */
export function watchRequestsAhead(): (request: IncomingMessage, response: ServerResponse) => boolean {
  const aheadOn = new WeakMap<Socket, number>();
  const ahead = (socket: Socket) => aheadOn.get(socket) ?? 0;
  return ({ socket }, response) => {
    // The response already has its socket, so no earlier response is pending on the connection.
    if (response.socket !== null) return false;
    aheadOn.set(socket, ahead(socket) + 1);
    response.once('close', () => aheadOn.set(socket, ahead(socket) - 1));
    return ahead(socket) > MAX_REQUESTS_AHEAD;
  };
}

/** Closes the connection of a request whose body comes in too many chunks, such as thousands of one byte each. */
export function limitChunks(request: IncomingMessage, maxBodyBytes: number): void {
  const maxPieces = maxBodyBytes / MIN_BYTES_PER_CHUNK;
  const { 'transfer-encoding': encoding, 'content-length': length } = request.headers;
  if (encoding === undefined && Number(length ?? 0) <= maxPieces) return;
  let pieces = 0;
  // Waits for "resume": a "data" listener would start the flow, and only the body parser may start it.
  request.once('resume', () =>
    request.on('data', () => {
      pieces += 1;
      if (pieces > maxPieces) request.destroy();
    }),
  );
}

/**
 * How much `drainBody` reads by default: more than the zip of an edition of the directory (about 240 MB), because the
 * sender may be an operator whose session has ended.
 */
const MAX_DRAINED_BYTES = 300_000_000;

/**
 * Reads and discards the rest of a request body. Browsers send the whole file before they read the response; if the
 * connection is closed meanwhile, they show a network error instead of the reason for the rejection. Closes the
 * connection after `maxBytes`.
 */
export function drainBody(request: IncomingMessage, maxBytes = MAX_DRAINED_BYTES): void {
  if (request.complete) return;
  let leftBytes = maxBytes;
  request.unpipe();
  request.on('data', (chunk: Buffer) => {
    leftBytes -= chunk.length;
    if (leftBytes < 0) request.destroy();
  });
  request.resume();
}

const longBodies = new WeakSet<Socket>();

/** Exempts a request from the request timeout, for callers who may upload large files. */
export function allowLongBody(request: IncomingMessage): void {
  const { socket } = request;
  longBodies.add(socket);
  request.once('close', () => longBodies.delete(socket));
}

/** Whether the current request on this connection is exempt from the request timeout. */
export const mayTakeLong = (socket: Socket): boolean => longBodies.has(socket);

/** Closes each connection after its next response, so that fewer are open when the server closes. */
export function closeAfterResponses(server: Server): void {
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('Connection', 'close');
  });
}

/**
 * Closes the remaining connections of a closing server after a while. Once it closes, Node no longer times out
 * incomplete requests, and would wait for them forever.
 */
export function closeAllLater(server: Server): void {
  setTimeout(() => server.closeAllConnections(), CLOSING_GRACE_MS).unref();
}
