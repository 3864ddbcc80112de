import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { errorCode } from '../../platform/errors.js';
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

/** Raw header pairs without those for one hop, including the ones named by Connection. */
export function endToEndHeaders(raw: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  const named = new Set<string>();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? '';
    const value = raw[index + 1] ?? '';
    pairs.push([name, value]);
    // If both state a length, this one counts, and the other must not be passed on.
    if (name.toLowerCase() === 'transfer-encoding') named.add('content-length');
    if (name.toLowerCase() === 'connection') {
      for (const token of value.split(',')) named.add(token.trim().toLowerCase());
    }
  }
  return pairs.filter(([name]) => !HOP_BY_HOP.has(name.toLowerCase()) && !named.has(name.toLowerCase()));
}

const asError = (error: unknown) =>
  error instanceof Error ? error : Object.assign(new Error(String(error)), { code: errorCode(error) });

const grouped = (pairs: readonly [string, string][]) => {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of pairs) {
    const before = headers[name];
    headers[name] = before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value];
  }
  return headers;
};

/**
 * Sends a browser's absolute-form requests to the origin, over connections that `open` creates and checks.
 */
export class RequestForwarder {
  /** By the browser's connection, which belongs to one capture: captures never share connections. */
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
    const upstream = httpRequest({
      agent: this.#agentOf(incoming.socket),
      ...hostAndPortOf(url),
      method: incoming.method ?? 'GET',
      path: `${url.pathname}${url.search}`,
      headers: grouped(endToEndHeaders(incoming.rawHeaders)),
      setHost: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      insecureHTTPParser: true,
    });
    upstream.once('response', (response) => {
      response.once('error', () => outgoing.destroy());
      try {
        outgoing.writeHead(
          response.statusCode ?? 502,
          response.statusMessage ?? '',
          endToEndHeaders(response.rawHeaders).flat(),
        );
      } catch (error) {
        // The parser is more lenient than the writer, so reject a response that cannot be passed on.
        response.destroy();
        onFailure(Object.assign(asError(error), { code: 'HPE_INVALID_ANSWER' }));
        return;
      }
      response.pipe(outgoing);
    });
    upstream.on('error', (error) => {
      // The browser cancelled the request, which says nothing about the origin.
      if (!outgoing.destroyed) onFailure(error);
    });
    upstream.on('upgrade', (_response, socket) => {
      // An upgrade to another protocol, which nobody requested, has nothing to show: a page that leads there
      // stays where it is.
      socket.destroy();
      outgoing.writeHead(204).end();
    });
    outgoing.once('close', () => upstream.destroy());
    incoming.pipe(upstream);
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
  }

  #agentOf(client: Socket): Agent {
    const known = this.#agents.get(client);
    if (known !== undefined) return known;
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
