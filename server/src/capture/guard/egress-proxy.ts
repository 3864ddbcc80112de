import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { parseUrl } from '@signpost/contract';
import { connectUpstream, type HostResolver } from './connect-upstream.js';
import {
  type Exposure,
  type GuardAddress,
  isAuthorised,
  listenForBrowsers,
  PROXY_CHALLENGE,
  type ProxyCredentials,
} from './exposure.js';
import { MAX_HEADER_BYTES, RequestForwarder } from './forward-request.js';
import { hostAndPortOf, type HostAndPort } from './host-and-port.js';
import { refusalReasonOf, RefusalRecord } from './refusals.js';
import { Tunnels } from './tunnels.js';

const MAX_CONNECTIONS = 4_096;
const KEEP_ALIVE_MS = 30_000;
const LOOPBACK: GuardAddress = { host: '127.0.0.1', port: 0 };

/**
 * Pages that the guard answers itself, without any network. A browser that receives one came through the
 * guard.
 */
export class ProbeSite {
  readonly #bodies = new Map<string, string>();

  /**
   * Responds with this text at these http addresses, whatever the policy says of their hosts. Returns a
   * function that ends this.
   */
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

export interface EgressProxy {
  readonly port: number;
  /** The proxy's address for browsers. */
  readonly server: string;
  readonly refusals: RefusalRecord;
  readonly probeSite: ProbeSite;
  /** Allows this one http address, whatever the policy says of its host. It must be public to everyone. */
  allowPage(url: string): void;
  close(): Promise<void>;
}

/** Answers a browser's plain http requests: from the probe site, or by fetching. */
class PlainRequests {
  readonly probeSite = new ProbeSite();
  readonly allowedPages = new Set<string>();
  readonly #refusals: RefusalRecord;
  readonly #credentials: ProxyCredentials | undefined;
  readonly #forwarder: RequestForwarder;
  readonly #pageForwarder = new RequestForwarder((target) => Promise.resolve(connect(target)));

  constructor(
    open: (target: HostAndPort) => Promise<Socket>,
    refusals: RefusalRecord,
    credentials: ProxyCredentials | undefined,
  ) {
    this.#forwarder = new RequestForwarder(open);
    this.#refusals = refusals;
    this.#credentials = credentials;
  }

  answer(incoming: IncomingMessage, outgoing: ServerResponse): void {
    if (!isAuthorised(incoming, this.#credentials)) {
      outgoing.writeHead(407, { 'proxy-authenticate': PROXY_CHALLENGE, connection: 'close' }).end();
      return;
    }
    const target = incoming.url ?? '';
    const url = /^http:\/\//iu.test(target) ? parseUrl(target) : undefined;
    if (url === undefined) {
      outgoing.writeHead(400, { connection: 'close' }).end();
      return;
    }
    const probeText = this.probeSite.textAt(url.href);
    if (probeText === undefined) this.#forward(url, incoming, outgoing);
    else outgoing.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' }).end(probeText);
  }

  close(): void {
    this.#forwarder.close();
    this.#pageForwarder.close();
  }

  #forward(url: URL, incoming: IncomingMessage, outgoing: ServerResponse): void {
    const isAllowedPage = incoming.method === 'GET' && this.allowedPages.has(url.href);
    const forwarder = isAllowedPage ? this.#pageForwarder : this.#forwarder;
    const onFailure = (error: unknown) => {
      this.#refusals.add(hostAndPortOf(url), refusalReasonOf(error));
      // Not an error page: a script, a style or a frame must not get content of ours either.
      outgoing.destroy();
    };
    try {
      forwarder.forward(url, incoming, outgoing, onFailure);
    } catch (error) {
      onFailure(error);
    }
  }
}

const proxyAddress = (host: string, port: number) =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/**
 * The browser's only way to the network: a forward proxy that resolves each name once, rejects what is not
 * allowed and connects to the address it checked. On loopback it needs no credentials, because it grants a
 * local program nothing that a socket of its own would not. If other machines can reach it, it requires them.
 */
export async function startEgressProxy(resolveHost: HostResolver, exposure?: Exposure): Promise<EgressProxy> {
  const refusals = new RefusalRecord();
  let own = { address: '', port: 0 };
  const isOwn = (address: string, port: number) =>
    port === own.port && (address === own.address || /^(?:127\.|0\.0\.0\.0|::)/u.test(address));
  const open = async (target: HostAndPort) => {
    const socket = await connectUpstream(resolveHost, target, isOwn);
    refusals.forget(target);
    return socket;
  };
  const credentials = exposure?.credentials;
  const requests = new PlainRequests(open, refusals, credentials);
  const tunnels = new Tunnels({ open, refusals, credentials });

  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: KEEP_ALIVE_MS });
  server.maxConnections = MAX_CONNECTIONS;
  server.on('request', (incoming, outgoing) => requests.answer(incoming, outgoing));
  server.on('connect', (incoming, client, head) => tunnels.accept(incoming, client, head));
  server.on('upgrade', (_request, socket) => socket.destroy());
  server.on('clientError', (_error, socket) => socket.destroy());
  const address = exposure?.address ?? LOOPBACK;
  own = await listenForBrowsers(server, address);

  return {
    port: own.port,
    server: proxyAddress(address.host, own.port),
    refusals,
    probeSite: requests.probeSite,
    allowPage: (url) => void requests.allowedPages.add(url),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        tunnels.close();
        requests.close();
      }),
  };
}
