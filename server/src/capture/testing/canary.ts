import { createSocket } from 'node:dgram';
import { createServer } from 'node:http';
import { listen } from './listen.js';

export interface Canary {
  /** The port of both its TCP listeners, on 127.0.0.1 and ::1, and of its UDP one. */
  readonly port: number;
  /** Connections and datagrams that came. */
  readonly hits: number;
  /** Paths that were asked for over HTTP. */
  readonly paths: ReadonlySet<string>;
  close(): Promise<void>;
}

/** A service on loopback that nothing may reach: it notes whatever does. */
export async function startCanary(): Promise<Canary> {
  let hits = 0;
  const paths = new Set<string>();
  const servers = [0, 1].map(() =>
    createServer((request, response) => {
      paths.add(new URL(request.url ?? '/', 'http://canary').pathname);
      response
        .writeHead(200, { 'content-type': 'text/html', 'access-control-allow-origin': '*' })
        .end('canary');
    }).on('connection', () => (hits += 1)),
  );
  const [first, second] = servers;
  const port = first === undefined ? 0 : await listen(first, '127.0.0.1');
  // A machine without IPv6 has nothing to leak to there.
  if (second !== undefined) await listen(second, '::1', port).catch(() => undefined);
  const udp = createSocket('udp4').on('message', () => (hits += 1));
  await new Promise<void>((resolve) => udp.bind(port, '127.0.0.1', resolve));
  return {
    port,
    paths,
    get hits() {
      return hits;
    },
    close: async () => {
      udp.close();
      await Promise.all(
        servers.map(
          (server) =>
            new Promise<void>((resolve) => {
              server.close(() => resolve());
              server.closeAllConnections();
            }),
        ),
      );
    },
  };
}
