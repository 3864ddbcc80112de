import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { parseUrl } from '@signpost/contract';
import { connectUpstream } from './connect-upstream.js';
import { RequestForwarder } from './forward-request.js';
import { hostAndPortOf, type HostAndPort } from './host-and-port.js';
import type { HostResolver } from './host-resolver.js';
import type { OwnPages } from './own-pages.js';
import { Rejection, RejectionRecord } from './rejections.js';
import { Tunnels } from './tunnels.js';

interface LaneOptions {
  readonly resolver: HostResolver;
  readonly ownPages: OwnPages;
  /** Whether the guard itself listens at an address. */
  readonly reachesGuard: (address: string, port: number) => boolean;
}

/** The network access of one browser context: its requests, its tunnels, and its name lookups. */
export class Lane {
  readonly rejections = new RejectionRecord();
  readonly #resolver: HostResolver;
  readonly #ownPages: OwnPages;
  readonly #reachesGuard: LaneOptions['reachesGuard'];
  readonly #forwarder = new RequestForwarder((target) => this.#connect(target));
  readonly #pageForwarder = new RequestForwarder((target) => Promise.resolve(connect(target)));
  readonly #tunnels: Tunnels;
  #isClosed = false;

  constructor({ resolver, ownPages, reachesGuard }: LaneOptions) {
    this.#resolver = resolver;
    this.#ownPages = ownPages;
    this.#reachesGuard = reachesGuard;
    this.#tunnels = new Tunnels((target) => this.#connect(target), this.rejections);
  }

  /**
   * Handles a request in plain http: responds with the text that the probe site has for its address, or else forwards
   * it. Responds with 400 if its target is not an http address.
   */
  answer(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const target = incoming.url ?? '';
    const url = /^http:\/\//iu.test(target) ? parseUrl(target) : undefined;
    if (url === undefined) {
      outgoing.writeHead(400, { connection: 'close' }).end();
      return;
    }
    const probeText = this.#ownPages.probeSite.textAt(url.href);
    if (probeText === undefined) this.#forward(url, incoming, outgoing);
    else outgoing.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' }).end(probeText);
  }

  /** Opens a tunnel, for https and WebSockets. The guard sees only its target. */
  accept(incoming: IncomingMessage, client: Duplex, head: Buffer): void {
    this.#tunnels.accept(incoming, client, head);
  }

  close(): void {
    this.#isClosed = true;
    this.#resolver.end();
    this.#forwarder.close();
    this.#pageForwarder.close();
    this.#tunnels.close();
  }

  async #connect(target: HostAndPort): Promise<Socket> {
    const socket = await connectUpstream(this.#resolver, target, this.#reachesGuard);
    if (this.#isClosed) {
      socket.destroy();
      throw new Rejection('unreachable');
    }
    this.rejections.forget(target);
    return socket;
  }

  #forward(url: URL, incoming: IncomingMessage, outgoing: ServerResponse): void {
    const isAllowedPage = incoming.method === 'GET' && this.#ownPages.isAllowed(url.href);
    const forwarder = isAllowedPage ? this.#pageForwarder : this.#forwarder;
    const onFailure = (error: unknown) => {
      this.rejections.add(hostAndPortOf(url), error);
      // Closes the connection instead of sending an error page, because a script, a style or a frame must not get
      // content of ours.
      outgoing.destroy();
    };
    try {
      forwarder.forward(url, incoming, outgoing, onFailure);
    } catch (error) {
      onFailure(error);
    }
  }
}
