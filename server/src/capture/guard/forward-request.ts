import {
  Agent,
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import { Socket } from 'node:net';
import { Duplex, pipeline, Transform } from 'node:stream';
import { errorCode } from '../../platform/errors.js';
import { LenientHead } from './lenient-head.js';
import { hostAndPortOf, type HostAndPort } from './host-and-port.js';

/** The maximum size of the headers of a request or a response. */
export const MAX_HEADER_BYTES = 128 * 1024;
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The header pairs to send on: without those for a single hop, which include the ones that Connection names. */
export function endToEndHeaders(raw: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  const connectionHeaders = new Set<string>();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? '';
    const value = raw[index + 1] ?? '';
    pairs.push([name, value]);
    // If a message also has Transfer-Encoding, its Content-Length does not count and must not be passed on.
    if (name.toLowerCase() === 'transfer-encoding') connectionHeaders.add('content-length');
    if (name.toLowerCase() === 'connection') {
      for (const token of value.split(',')) connectionHeaders.add(token.trim().toLowerCase());
    }
  }
  return pairs.filter(
    ([name]) => !HOP_BY_HOP.has(name.toLowerCase()) && !connectionHeaders.has(name.toLowerCase()),
  );
}

const asError = (error: unknown) =>
  error instanceof Error ? error : Object.assign(new Error(String(error)), { code: errorCode(error) });

const groupHeaders = (pairs: readonly [string, string][]) => {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of pairs) {
    const before = headers[name];
    headers[name] = before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value];
  }
  return headers;
};

/** Whether a request should change nothing, so that it can be sent again: it is GET or HEAD, and has no body. */
const mayRepeat = ({ method = '', headers }: IncomingMessage) =>
  (method === 'GET' || method === 'HEAD') &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined;

/**
 * A stream that passes each chunk of a request on only after what has already arrived from the origin was read: writing
 * to a connection that the origin has closed would lose a response that has arrived on it.
 */
const eachAfterReading = () =>
  new Transform({
    transform: (chunk, _encoding, callback) => void setImmediate(callback, null, chunk),
  });

/**
 * Sends a request to the origin and its response back. Calls `onFailure` once if there is no response that can be
 * passed on, unless the browser has cancelled the request.
 */
function exchange(
  upstream: ClientRequest,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  onFailure: (error: Error) => void,
): void {
  let answer: IncomingMessage | undefined;
  let hasFailed = false;
  const fail = (error: Error) => {
    // If the browser cancelled the request, the failure says nothing about the origin.
    if (hasFailed || outgoing.destroyed) return;
    hasFailed = true;
    onFailure(error);
  };
  // An origin that responds before it has the whole body of the request may never read the rest, which is then
  // discarded: the browser's connection can be used again only once the body was read.
  const body = eachAfterReading();
  const endBody = () => {
    incoming.unpipe(body);
    incoming.resume();
    if (!upstream.writableFinished) upstream.destroy();
  };
  upstream.once('response', (response) => {
    answer = response;
    response.once('error', () => outgoing.destroy());
    try {
      outgoing.writeHead(
        response.statusCode ?? 502,
        response.statusMessage ?? '',
        endToEndHeaders(response.rawHeaders).flat(),
      );
    } catch (error) {
      // The parser accepts more than the writer, so a response that cannot be written is rejected.
      response.destroy();
      fail(Object.assign(asError(error), { code: 'HPE_INVALID_ANSWER' }));
      return;
    }
    response.pipe(outgoing);
    response.once('end', endBody);
  });
  upstream.on('error', (error) => {
    // An origin that has already responded may close the connection while the rest of the body is still being sent.
    if (answer?.complete === true && outgoing.headersSent) endBody();
    else fail(error);
  });
  upstream.on('upgrade', (_response, socket) => {
    // Nobody requested an upgrade to another protocol. The browser gets 204 in place of this response, so a page that
    // leads there does not change.
    socket.destroy();
    outgoing.writeHead(204).end();
  });
  outgoing.once('close', () => upstream.destroy());
  if (incoming.readableEnded || mayRepeat(incoming)) upstream.end();
  else incoming.pipe(body).pipe(upstream);
}

/**
 * Sends a browser's requests to their origins over connections that `open` creates and checks. If a response is not
 * valid HTTP, a request that changes nothing is sent once more, and the head of its response is cleaned, because
 * browsers show such pages.
 */
export class RequestForwarder {
  /**
   * For each connection of a browser, its connections to origins. A browser's connection belongs to a single capture,
   * so captures never share connections.
   */
  readonly #agents = new Map<Socket, Agent>();

  readonly #open: (target: HostAndPort) => Promise<Duplex>;

  constructor(open: (target: HostAndPort) => Promise<Duplex>) {
    this.#open = open;
  }

  forward(
    url: URL,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    onFailure: (error: Error) => void,
  ): void {
    const strictRequest = this.#request(url, incoming, { agent: this.#agentOf(incoming.socket) });
    exchange(strictRequest, incoming, outgoing, (error) => {
      if (!errorCode(error).startsWith('HPE_') || !mayRepeat(incoming) || outgoing.headersSent) {
        onFailure(error);
        return;
      }
      const createConnection = this.#lenientConnection(hostAndPortOf(url));
      exchange(this.#request(url, incoming, { createConnection }), incoming, outgoing, onFailure);
    });
  }

  #request(
    url: URL,
    incoming: IncomingMessage,
    connection: Pick<RequestOptions, 'agent' | 'createConnection'>,
  ): ClientRequest {
    return httpRequest({
      ...connection,
      ...hostAndPortOf(url),
      method: incoming.method ?? 'GET',
      path: `${url.pathname}${url.search}`,
      headers: groupHeaders(endToEndHeaders(incoming.rawHeaders)),
      setHost: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      insecureHTTPParser: true,
    });
  }

  /** Opens a connection for one request. The head of its response is cleaned before it is parsed. */
  #lenientConnection(target: HostAndPort): NonNullable<RequestOptions['createConnection']> {
    return (_options, callback) => {
      this.#open(target).then(
        (socket) => {
          const readable = new LenientHead(MAX_HEADER_BYTES);
          const connection = Duplex.from({ readable, writable: socket });
          pipeline(socket, readable, () => undefined);
          connection.once('close', () => socket.destroy());
          callback(null, connection);
        },
        (error: unknown) => callback(asError(error), new Socket()),
      );
      return undefined;
    };
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
  }

  #agentOf(client: Socket): Agent {
    const existing = this.#agents.get(client);
    if (existing !== undefined) return existing;
    const agent = new Agent({ keepAlive: true, keepAliveMsecs: 5_000, maxFreeSockets: 4, timeout: 60_000 });
    agent.createConnection = (options, callback) => {
      this.#open({ host: options.host ?? '', port: Number(options.port) }).then(
        (socket) => callback?.(null, socket),
        (error: unknown) => callback?.(asError(error), new Socket()),
      );
      return undefined;
    };
    this.#agents.set(client, agent);
    client.once('close', () => {
      this.#agents.delete(client);
      agent.destroy();
    });
    return agent;
  }
}
