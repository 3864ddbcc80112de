import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { endConnection } from '../../platform/end-connection.js';
import { isAuthorised, PROXY_CHALLENGE, type ProxyCredentials } from './exposure.js';
import { parseAuthority, type HostAndPort } from './host-and-port.js';
import { refusalReasonOf, type RefusalRecord } from './refusals.js';

const IDLE_TUNNEL_MS = 120_000;

const UNAUTHORISED = `HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: ${PROXY_CHALLENGE}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
const MALFORMED = 'HTTP/1.1 400 Bad Request\r\n\r\n';
const UNREACHED = 'HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n';
const ESTABLISHED = 'HTTP/1.1 200 Connection established\r\n\r\n';

interface TunnelsDeps {
  readonly open: (target: HostAndPort) => Promise<Socket>;
  readonly refusals: RefusalRecord;
  readonly credentials: ProxyCredentials | undefined;
}

/** Connects both ends until one of them ends, or neither has sent anything for a long time. */
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

/** A browser's CONNECT requests: https and WebSockets, of which the guard only sees the target. */
export class Tunnels {
  readonly #clients = new Set<Duplex>();

  constructor(private readonly deps: TunnelsDeps) {}

  accept(incoming: IncomingMessage, client: Duplex, head: Buffer): void {
    const { open, refusals, credentials } = this.deps;
    this.#clients.add(client);
    client.once('close', () => this.#clients.delete(client));
    client.on('error', () => client.destroy());
    if (!isAuthorised(incoming, credentials)) {
      endConnection(client, UNAUTHORISED);
      return;
    }
    const target = parseAuthority(incoming.url ?? '');
    if (target === undefined) {
      endConnection(client, MALFORMED);
      return;
    }
    open(target).then(
      (upstream) => join(client, upstream, head),
      (error: unknown) => {
        refusals.add(target, refusalReasonOf(error));
        endConnection(client, UNREACHED);
      },
    );
  }

  close(): void {
    for (const client of this.#clients) client.destroy();
  }
}
