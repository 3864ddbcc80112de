import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { parseUrl } from '@signpost/contract';
import { endConnection } from '../../platform/end-connection.js';
import { connectUpstream, type HostResolver, reasonOf } from './connect-upstream.js';
import {
  type GuardAddress,
  isAuthorised,
  listenForBrowsers,
  PROXY_CHALLENGE,
  type ProxyCredentials,
} from './exposure.js';
import { RequestForwarder } from './forward-request.js';
import { RefusalRecord } from './refusal-record.js';

/** Pages that the guard answers itself, without any network: whoever gets one came through the guard. */
export class ProbeSite {
  readonly #bodies = new Map<string, string>();

  /** Answers this text at these http addresses, whatever the policy says of their hosts, until the end is called. */
  serve(addresses: readonly string[], text: string): () => void {
    for (const address of addresses) this.#bodies.set(new URL(address).href, text);
    return () => {
      for (const address of addresses) this.#bodies.delete(new URL(address).href);
    };
  }

  textAt(href: string): string | undefined {
    return this.#bodies.get(href);
  }
}

const MAX_HEADER_BYTES = 128 * 1024;
const MAX_CONNECTIONS = 4_096;
const IDLE_TUNNEL_MS = 120_000;
const LOOPBACK: GuardAddress = { host: '127.0.0.1', port: 0 };

/** Where browsers of other machines come to the guard, and what they must show there. */
interface Exposure {
  readonly address: GuardAddress;
  readonly credentials: ProxyCredentials;
}

export interface EgressProxy {
  readonly port: number;
  /** The proxy's address, as a browser is given it. */
  readonly server: string;
  readonly refusals: RefusalRecord;
  readonly probeSite: ProbeSite;
  /** Lets this one http address be fetched, whatever the policy says of its host: it must be public to everyone. */
  allowPage(url: string): void;
  close(): Promise<void>;
}

const hostAndPort = (authority: string) => {
  const url = parseUrl(`http://${authority}`);
  const port = /:(\d{1,5})$/u.exec(authority)?.[1];
  if (url === undefined || port === undefined) return undefined;
  return { host: url.hostname.replace(/^\[|\]$/gu, ''), port: Number(port) };
};

/**
 * The browser's only way to the network: a forward proxy that resolves each name once, refuses what is not allowed
 * and connects to the very address it checked. On loopback it grants a local program nothing that a socket of its
 * own would not, so it asks for no credentials there; where other machines reach it, it does.
 */
export async function startEgressProxy(resolveHost: HostResolver, exposure?: Exposure): Promise<EgressProxy> {
  const refusals = new RefusalRecord();
  const probeSite = new ProbeSite();
  const tunnels = new Set<Duplex>();
  let own = { address: '', port: 0 };

  const isOwn = (address: string, port: number) =>
    port === own.port && (address === own.address || /^(?:127\.|0\.0\.0\.0|::)/u.test(address));
  const open = async (host: string, port: number) => {
    const socket = await connectUpstream(resolveHost, host, port, isOwn);
    refusals.forget(host, port);
    return socket;
  };
  const forwarder = new RequestForwarder(open);
  const allowedPages = new Set<string>();
  const pageForwarder = new RequestForwarder((host, port) => Promise.resolve(connect({ host, port })));

  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (!isAuthorised(incoming, exposure?.credentials)) {
      outgoing.writeHead(407, { 'proxy-authenticate': PROXY_CHALLENGE, connection: 'close' }).end();
      return;
    }
    const target = incoming.url ?? '';
    const url = /^http:\/\//iu.test(target) ? parseUrl(target) : undefined;
    if (url === undefined) {
      outgoing.writeHead(400, { connection: 'close' }).end();
      return;
    }
    const probeText = probeSite.textAt(url.href);
    if (probeText !== undefined) {
      outgoing.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' }).end(probeText);
      return;
    }
    const isAllowedPage = incoming.method === 'GET' && allowedPages.has(url.href);
    const onFailure = (error: Error) => {
      const port = url.port === '' ? 80 : Number(url.port);
      const reason = 'code' in error && String(error.code).startsWith('HPE_') ? 'badAnswer' : reasonOf(error);
      refusals.add(url.hostname.replace(/^\[|\]$/gu, ''), port, reason);
      // Not a page that says so: a script, a style or a frame must not get content of ours either.
      outgoing.destroy();
    };
    try {
      (isAllowedPage ? pageForwarder : forwarder).forward(url, incoming, outgoing, onFailure);
    } catch (error) {
      onFailure(error instanceof Error ? error : new Error(String(error)));
    }
  };

  const onConnect = (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
    tunnels.add(client);
    client.once('close', () => tunnels.delete(client));
    client.on('error', () => client.destroy());
    if (!isAuthorised(incoming, exposure?.credentials)) {
      const headers = `Proxy-Authenticate: ${PROXY_CHALLENGE}\r\nContent-Length: 0\r\nConnection: close`;
      endConnection(client, `HTTP/1.1 407 Proxy Authentication Required\r\n${headers}\r\n\r\n`);
      return;
    }
    const target = hostAndPort(incoming.url ?? '');
    if (target === undefined) {
      endConnection(client, 'HTTP/1.1 400 Bad Request\r\n\r\n');
      return;
    }
    open(target.host, target.port).then(
      (upstream) => {
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
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        if (head.length > 0) upstream.write(head);
        upstream.pipe(client);
        client.pipe(upstream);
      },
      (error: unknown) => {
        refusals.add(target.host, target.port, reasonOf(error));
        endConnection(client, 'HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n');
      },
    );
  };

  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: 30_000 }, onRequest);
  server.maxConnections = MAX_CONNECTIONS;
  server.on('connect', onConnect);
  server.on('upgrade', (_request, socket) => socket.destroy());
  server.on('clientError', (_error, socket) => socket.destroy());
  const address = exposure?.address ?? LOOPBACK;
  own = await listenForBrowsers(server, address);

  return {
    port: own.port,
    server: `http://${address.host.includes(':') ? `[${address.host}]` : address.host}:${own.port}`,
    refusals,
    probeSite,
    allowPage: (url) => void allowedPages.add(url),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        for (const tunnel of tunnels) tunnel.destroy();
        forwarder.close();
        pageForwarder.close();
      }),
  };
}
