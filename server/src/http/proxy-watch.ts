import type { IncomingHttpHeaders } from 'node:http';
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
      'Requests come by a reverse proxy, and SIGNPOST_TRUST_PROXY is empty: limits per address take all callers of ' +
        'the proxy for one. Set it to the address that the proxy connects from.',
    );
  }
}
