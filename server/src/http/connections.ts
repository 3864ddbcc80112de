import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import type { Log } from '../platform/log.js';

/** Notices a reverse proxy that the configuration does not name, and warns of it once. */
export class ProxyWatch {
  #isProxyIgnored = false;

  constructor(
    private readonly trustProxy: readonly string[],
    private readonly log: Log,
  ) {}

  /** Whether requests came by a proxy and no proxy is trusted. */
  get isProxyIgnored(): boolean {
    return this.#isProxyIgnored;
  }

  look(headers: IncomingHttpHeaders): void {
    if (this.#isProxyIgnored || this.trustProxy.length > 0) return;
    if (headers['x-forwarded-for'] === undefined && headers.forwarded === undefined) return;
    this.#isProxyIgnored = true;
    this.log.warn(
      {},
      'Requests come through a reverse proxy, but SIGNPOST_TRUST_PROXY is not set: limits per address count all callers of ' +
        'the proxy for one. Set it to the address that the proxy connects from.',
    );
  }
}

/** A signal that is aborted when the connection closes before the answer was written. */
export function abortOnDisconnect({ raw, request }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const { socket } = request.raw;
  const look = () => {
    raw.off('close', look);
    socket.off('close', look);
    if (!raw.writableFinished) controller.abort();
  };
  if (raw.destroyed || socket.destroyed) {
    look();
    return controller.signal;
  }
  raw.once('close', look);
  // An answer that waits behind another's has no socket yet, and never hears of its end. Several may wait.
  socket.setMaxListeners(0).once('close', look);
  return controller.signal;
}

/** How long requests under way have to be answered once the server closes; captures were finished before. */
const CLOSING_GRACE_MS = 5_000;
/** How many requests may wait on a connection for the answers to those before them; browsers send none ahead. */
const MAX_REQUESTS_AHEAD = 16;
/** How small the pieces of the largest body may be; each costs microseconds, and hundreds of bytes until all are there. */
const MIN_BYTES_PER_CHUNK = 64;

/**
 * Closes connections whose caller has read nothing of an answer for the server's `timeout`, and idle ones. A
 * connection that waits for an answer is left alone: a capture may take longer.
 */
export function closeUnreadConnections(server: Server): void {
  server.on('timeout', (socket: Socket) => {
    const isIdle = socket.timeout !== server.timeout;
    if (isIdle) socket.destroy();
    else if (socket.writableLength > 0) socket.resetAndDestroy();
  });
}

/**
 * Says of each request as it comes whether its caller has sent too many ahead of the answers: the answers would pile
 * up in memory, thousands of times the size of the requests, for a caller who need not read them.
 */
export function watchRequestsAhead(): (request: IncomingMessage, response: ServerResponse) => boolean {
  const aheadOn = new WeakMap<Socket, number>();
  const ahead = (socket: Socket) => aheadOn.get(socket) ?? 0;
  return ({ socket }, response) => {
    // A response has its socket from the start, unless that still belongs to the previous response.
    if (response.socket !== null) return false;
    aheadOn.set(socket, ahead(socket) + 1);
    response.once('close', () => aheadOn.set(socket, ahead(socket) - 1));
    return ahead(socket) > MAX_REQUESTS_AHEAD;
  };
}

/** Closes the connection of a request whose body comes in too many pieces, such as thousands of chunks of one byte. */
export function limitChunks(request: IncomingMessage, maxBodyBytes: number): void {
  const maxPieces = maxBodyBytes / MIN_BYTES_PER_CHUNK;
  const { 'transfer-encoding': encoding, 'content-length': length } = request.headers;
  if (encoding === undefined && Number(length ?? 0) <= maxPieces) return;
  let pieces = 0;
  // Listening to the data starts its flow, which is for the parser of the body to do.
  request.once('resume', () =>
    request.on('data', () => {
      pieces += 1;
      if (pieces > maxPieces) request.destroy();
    }),
  );
}

/** More than the largest file that a form sends has; what a stranger can send in the time of a request is less. */
const MAX_DRAINED_BYTES = 300_000_000;

/**
 * Reads what still comes of the body of a request that is answered, and throws it away: browsers send all of a file
 * before they read why it was refused, and where the connection ended meanwhile they say that alone. Past a bound, or
 * the time of a request, it ends all the same.
 */
export function drainBody(request: IncomingMessage): void {
  if (request.complete) return;
  let leftBytes = MAX_DRAINED_BYTES;
  request.unpipe();
  request.on('data', (chunk: Buffer) => {
    leftBytes -= chunk.length;
    if (leftBytes < 0) request.destroy();
  });
  request.resume();
}

const longBodies = new WeakSet<Socket>();

/** Lets the body of a request take as long as it comes: for callers who may send much; watches that it does come. */
export function allowLongBody(request: IncomingMessage): void {
  const { socket } = request;
  longBodies.add(socket);
  request.once('close', () => longBodies.delete(socket));
}

/** Whether the time that Node gives a request does not hold for the one on this connection. */
export const mayTakeLong = (socket: Socket): boolean => longBodies.has(socket);

/** Closes each connection with the answer to the next request on it, so that fewer are open when the server closes. */
export function closeAfterAnswers(server: Server): void {
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('Connection', 'close');
  });
}

/**
 * Ends, after a while, the connections that a closing server still has: once it closes, Node no longer times out
 * requests that never become whole, and would wait for them for good.
 */
export function endAllSoon(server: Server): void {
  setTimeout(() => server.closeAllConnections(), CLOSING_GRACE_MS).unref();
}
