import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { ContextProxy } from './context-proxy.js';
import {
  credentialsOf,
  type Exposure,
  isPassword,
  listenForBrowsers,
  LOOPBACK,
  PROXY_CHALLENGE,
} from './exposure.js';
import { MAX_HEADER_BYTES } from './forward-request.js';
import type { HostResolver } from './host-resolver.js';
import { Lane } from './lane.js';
import { OwnPages, type ProbeSite } from './own-pages.js';
import type { RejectionRecord } from './rejections.js';
import { rejectTunnel } from './tunnels.js';

const MAX_CONNECTIONS = 4_096;
const KEEP_ALIVE_MS = 30_000;

/** The network access of one browser context. */
export interface GuardLane {
  /** The proxy settings for the browser context. */
  readonly proxy: ContextProxy;
  /** Why hosts gave the context no response that the guard could pass on. */
  readonly rejections: RejectionRecord;
  /** Cancels everything that the context is doing on the network. May be called again. */
  close(): void;
}

export interface EgressProxy {
  /**
   * The address for the browser's command line. Without the settings of a lane, nothing can be reached through it:
   * each browser context gets settings of its own from `openLane`.
   */
  readonly server: string;
  readonly probeSite: ProbeSite;
  openLane(): Promise<GuardLane>;
  /**
   * Allows fetching this http address, whatever the policy says about its host. Its content must be public to
   * everyone.
   */
  allowPage(url: string): void;
  close(): Promise<void>;
}

const proxyAddress = (host: string, port: number) =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Without this, Chromium connects to loopback addresses without the proxy. */
const BYPASS = '<-loopback>';

/**
 * Creates a server that passes a request or a tunnel to its lane (the network access of one browser context), or
 * rejects it with 407 if it has no lane.
 */
function createGuardServer(findLane: (incoming: IncomingMessage) => Lane | undefined): Server {
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: KEEP_ALIVE_MS });
  server.maxConnections = MAX_CONNECTIONS;
  server.on('request', (incoming, outgoing) => {
    const lane = findLane(incoming);
    if (lane === undefined)
      outgoing.writeHead(407, { 'proxy-authenticate': PROXY_CHALLENGE, connection: 'close' }).end();
    else lane.answer(incoming, outgoing);
  });
  server.on('connect', (incoming, client, head) => {
    const lane = findLane(incoming);
    if (lane === undefined) rejectTunnel(client);
    else lane.accept(incoming, client, head);
  });
  server.on('upgrade', (_request, socket) => socket.destroy());
  server.on('clientError', (_error, socket) => socket.destroy());
  return server;
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

interface ListeningAddress {
  readonly address: string;
  readonly port: number;
}

/**
 * Addresses that mean all interfaces to a server, and this machine to a client. Also matches ::1 and IPv4 addresses
 * written as IPv6.
 */
const ANY_ADDRESS = /^(?:0\.0\.0\.0$|::)/u;

/**
 * Whether a connection to `address` may arrive at a server that listens at `listening` on the same port. If the server
 * listens at one loopback address, another one in 127.0.0.0/8 does not count, because another server may listen there.
 */
const reaches = (address: string, listening: string): boolean =>
  address === listening ||
  ANY_ADDRESS.test(address) ||
  (ANY_ADDRESS.test(listening) && address.startsWith('127.'));

/** All lanes, each the network access of one browser context, and the parts that lanes share. */
class Lanes {
  readonly ownPages = new OwnPages();
  readonly #openResolver: () => HostResolver;
  readonly #open = new Set<GuardLane>();
  readonly #closing = new Set<Promise<void>>();
  /** The addresses at which the guard itself listens. */
  readonly #listening = new Set<ListeningAddress>();
  readonly #byUser = new Map<string, Lane>();
  #users = 0;

  constructor(openResolver: () => HostResolver) {
    this.#openResolver = openResolver;
  }

  /** Records an address at which the guard itself listens, so that no lane connects to it. */
  addListeningAddress(address: ListeningAddress): void {
    this.#listening.add(address);
  }

  /** The lane of the user that a request names, if its password is right. */
  laneOfUser(incoming: IncomingMessage, expectedPassword: string): Lane | undefined {
    const { username, password } = credentialsOf(incoming);
    return isPassword(password, expectedPassword) ? this.#byUser.get(username) : undefined;
  }

  /** Opens a lane that is identified by a user name at the one port that other machines reach. */
  openForUser(server: string, password: string): GuardLane {
    const lane = this.#createLane();
    this.#users += 1;
    const username = `signpost-${this.#users}`;
    this.#byUser.set(username, lane);
    return this.#register(lane, { server, bypass: BYPASS, username, password }, () => {
      this.#byUser.delete(username);
    });
  }

  /** Opens a lane that is a port of its own on loopback. */
  async openPort(): Promise<GuardLane> {
    const lane = this.#createLane();
    const laneServer = createGuardServer(() => lane);
    const listening = await listenForBrowsers(laneServer, LOOPBACK);
    this.addListeningAddress(listening);
    return this.#register(
      lane,
      { server: proxyAddress(listening.address, listening.port), bypass: BYPASS },
      () => {
        const closed = closeServer(laneServer).then(() => {
          this.#listening.delete(listening);
          this.#closing.delete(closed);
        });
        this.#closing.add(closed);
      },
    );
  }

  async close(): Promise<void> {
    for (const lane of this.#open) lane.close();
    await Promise.all(this.#closing);
  }

  #createLane(): Lane {
    const reachesGuard = (address: string, port: number) =>
      [...this.#listening].some(
        (listening) => listening.port === port && reaches(address, listening.address),
      );
    return new Lane({ resolver: this.#openResolver(), ownPages: this.ownPages, reachesGuard });
  }

  #register(lane: Lane, proxy: ContextProxy, endLane: () => void): GuardLane {
    const opened = {
      proxy,
      rejections: lane.rejections,
      close: () => {
        if (!this.#open.delete(opened)) return;
        lane.close();
        endLane();
      },
    };
    this.#open.add(opened);
    return opened;
  }
}

/**
 * Starts the forward proxies that are the browsers' only way to the network. Except for pages of `allowPage`, they
 * connect only to allowed addresses, or through a proxy that resolves names. Each browser context has its own lane with
 * its own lookups, which end with it. On loopback a lane is a port, without credentials, because a local program could
 * open connections of its own anyway. At an address that other machines reach, there is a single port, and a lane is a
 * user name with the password.
 */
export async function startEgressProxy(
  openResolver: () => HostResolver,
  exposure?: Exposure,
): Promise<EgressProxy> {
  const lanes = new Lanes(openResolver);
  const { ownPages } = lanes;
  const address = exposure?.address ?? LOOPBACK;
  const sharedServer = createGuardServer((incoming) =>
    exposure === undefined ? undefined : lanes.laneOfUser(incoming, exposure.password),
  );
  const listening = await listenForBrowsers(sharedServer, address);
  lanes.addListeningAddress(listening);
  const server = proxyAddress(address.host, listening.port);
  return {
    server,
    probeSite: ownPages.probeSite,
    openLane: async () =>
      exposure === undefined ? lanes.openPort() : lanes.openForUser(server, exposure.password),
    allowPage: (url) => ownPages.allow(url),
    async close() {
      await lanes.close();
      await closeServer(sharedServer);
    },
  };
}
