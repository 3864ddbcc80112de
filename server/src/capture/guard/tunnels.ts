import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { endConnection } from '../../platform/end-connection.js';
import { PROXY_CHALLENGE } from './exposure.js';
import { parseAuthority, type HostAndPort } from './host-and-port.js';
import type { RejectionRecord } from './rejections.js';

const IDLE_TUNNEL_MS = 120_000;

const UNAUTHORISED = `HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: ${PROXY_CHALLENGE}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
const MALFORMED = 'HTTP/1.1 400 Bad Request\r\n\r\n';
const UNREACHED = 'HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n';
const ESTABLISHED = 'HTTP/1.1 200 Connection established\r\n\r\n';

/** Rejects a CONNECT request that belongs to no browser context of the guard. */
export function rejectTunnel(client: Duplex): void {
  client.on('error', () => client.destroy());
  endConnection(client, UNAUTHORISED);
}

/** Connects both ends until one of them closes, or until neither has sent anything for IDLE_TUNNEL_MS. */
function join(client: Duplex, upstream: Socket, head: Buffer): void {
  const end = () => {
    upstream.destroy();
    client.destroy();
  };
  if (client.destroyed) {
    end();
    return;
  }
  upstream.setTimeout(IDLE_TUNNEL_MS, end);
  upstream.once('error', end);
  upstream.once('close', end);
  client.once('close', end);
  client.write(ESTABLISHED);
  if (head.length > 0) upstream.write(head);
  upstream.pipe(client);
  client.pipe(upstream);
}

/** The tunnels that a browser opens with CONNECT, for https and WebSockets. The guard sees only their targets. */
export class Tunnels {
  readonly #clients = new Set<Duplex>();

  readonly #open: (target: HostAndPort) => Promise<Socket>;
  readonly #rejections: RejectionRecord;

  constructor(open: (target: HostAndPort) => Promise<Socket>, rejections: RejectionRecord) {
    this.#open = open;
    this.#rejections = rejections;
  }

  accept(incoming: IncomingMessage, client: Duplex, head: Buffer): void {
    this.#clients.add(client);
    client.once('close', () => this.#clients.delete(client));
    client.on('error', () => client.destroy());
    const target = parseAuthority(incoming.url ?? '');
    if (target === undefined) {
      endConnection(client, MALFORMED);
      return;
    }
    this.#open(target).then(
      (upstream) => join(client, upstream, head),
      (error: unknown) => {
        this.#rejections.add(target, error);
        endConnection(client, UNREACHED);
      },
    );
  }

  close(): void {
    for (const client of this.#clients) client.destroy();
  }
}
