import { request as requestOverHttp, type IncomingMessage } from 'node:http';
import { request as requestOverHttps } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { errorCode } from '../errors.js';
import type { HostAddress } from '../names/hosts-file.js';
import { openSystemNames } from '../names/name-lookups.js';
import { createAddressMatcher, isLoopbackAddress } from '../networks.js';
import { type OutboundSettings, proxyLabel, proxyPort, type ProxySettings } from './outbound-settings.js';
import { trustedCertificates } from './trusted-certificates.js';

const TIMEOUT_MS = 10_000;
/** At most this many addresses of one name are tried. */
const MAX_TRIES = 3;
const OK = 200;
const AUTHENTICATION_REQUIRED = 407;
const SERVICE_UNAVAILABLE = 503;
const BAD_GATEWAY = 502;
const GATEWAY_TIMEOUT = 504;

/** Why the proxy made no connection. */
export type ProxyProblem =
  /** There is no connection to the proxy itself. */
  | 'proxyUnreachable'
  /** The proxy requires a user and a password, or rejects the configured ones. */
  | 'proxyAuthentication'
  /** The proxy rejected the request, for example because its rules forbid the address or the port. */
  | 'proxyRefused'
  /** The proxy could not reach the address, or there is no address that it could reach. */
  | 'unreachable'
  /** The proxy did not respond in time, or did not reach the address in time. */
  | 'timeout';

export class ProxyFailure extends Error {
  constructor(
    readonly problem: ProxyProblem,
    /** The proxy's HTTP status, or an error code such as ECONNREFUSED. */
    readonly code: string,
  ) {
    super(`The proxy for outgoing requests made no connection (${code}).`);
    this.name = 'ProxyFailure';
  }
}

function problemOfStatus(status: number): ProxyProblem {
  if (status === AUTHENTICATION_REQUIRED) return 'proxyAuthentication';
  if (status === GATEWAY_TIMEOUT) return 'timeout';
  return status === BAD_GATEWAY || status === SERVICE_UNAVAILABLE ? 'unreachable' : 'proxyRefused';
}

/**
 * Returns a function that looks up the proxy's host in the same way as hosts of pages. The system's getaddrinfo would
 * occupy a thread that file access needs too.
 */
const proxyLookup = (): LookupFunction => (host, options, callback) => {
  const lookups = openSystemNames()();
  lookups
    .lookUp(host)
    .then(
      (addresses) => {
        const [first] = addresses;
        if (options.all === true || first === undefined) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), ''),
    )
    .finally(() => lookups.end());
};

const withBrackets = (host: string) => (isIP(host) === 6 ? `[${host}]` : host);

/** The headers of CONNECT: the target, and the user and password of the proxy's URL if it has any. */
function headersFor({ url }: ProxySettings, authority: string): Record<string, string> {
  const { username, password } = new URL(url);
  if (username === '' && password === '') return { host: authority };
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    host: authority,
    'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}`,
  };
}

/** The proxy through which requests leave the machine, by CONNECT. */
export class OutboundProxy {
  readonly label: string;
  readonly #settings: ProxySettings;
  readonly #isExceptedAddress: (address: string) => boolean;
  readonly #ca: readonly string[] | undefined;
  readonly #lookup = proxyLookup();

  constructor(settings: ProxySettings, ca: readonly string[] | undefined) {
    this.#settings = settings;
    this.label = proxyLabel(settings);
    this.#ca = ca;
    this.#isExceptedAddress = createAddressMatcher(
      settings.except.filter((exception) => isIP(exception.replace(/\/\d+$/u, '')) !== 0),
    );
  }

  /** Whether the proxy resolves the name of this host, so that its addresses cannot be checked here. */
  resolvesName(host: string): boolean {
    return this.#settings.resolvesNames && isIP(host) === 0 && !this.#isExceptedName(host);
  }

  /**
   * Whether a host is reached without the proxy: if its name is excepted, or if all its addresses are excepted or are
   * loopback addresses. If there are no addresses, only the name counts.
   */
  isDirect(host: string, addresses: readonly HostAddress[]): boolean {
    if (this.#isExceptedName(host)) return true;
    return (
      addresses.length > 0 &&
      addresses.every(({ address }) => isLoopbackAddress(address) || this.#isExceptedAddress(address))
    );
  }

  /**
   * Asks the proxy to connect to one of these addresses, or of these names if the proxy resolves them. Skips loopback
   * addresses, and tries at most MAX_TRIES, the next one only if the proxy did not reach the previous one or did not
   * respond in time. Throws a ProxyFailure if it connects to none.
   */
  async connect(hosts: readonly string[], port: number): Promise<Socket> {
    // Loopback addresses would mean the proxy's own machine. IPv4 comes first, because more proxies have IPv4 than
    // IPv6.
    const sorted = hosts
      .filter((host) => !isLoopbackAddress(host))
      .toSorted((one, other) => isIP(one) - isIP(other))
      .slice(0, MAX_TRIES);
    let failure: unknown = new ProxyFailure('unreachable', 'ENODATA');
    for (const host of sorted) {
      try {
        return await this.#connectTo(`${withBrackets(host)}:${port}`);
      } catch (error) {
        failure = error;
        const mayHelp = error instanceof ProxyFailure && ['unreachable', 'timeout'].includes(error.problem);
        if (!mayHelp) break;
      }
    }
    throw failure;
  }

  #isExceptedName(host: string): boolean {
    return this.#settings.except.some((exception) => {
      const domain = exception.replace(/^\*?\./u, '').toLowerCase();
      const name = host.toLowerCase();
      return exception === '*' || name === domain || name.endsWith(`.${domain}`);
    });
  }

  #connectTo(authority: string): Promise<Socket> {
    const { url } = this.#settings;
    const { protocol, hostname } = new URL(url);
    const request = protocol === 'https:' ? requestOverHttps : requestOverHttp;
    const host = hostname.replaceAll(/[[\]]/gu, '');
    return new Promise((resolve, reject) => {
      const connecting = request({
        method: 'CONNECT',
        host,
        // Without this name, the certificate of the proxy would be compared with the target. An address cannot be sent
        // as a server name.
        servername: isIP(host) === 0 ? host : '',
        port: proxyPort({ url }),
        path: authority,
        headers: headersFor(this.#settings, authority),
        agent: false,
        lookup: this.#lookup,
        timeout: TIMEOUT_MS,
        ...(this.#ca === undefined ? {} : { ca: [...this.#ca] }),
      });
      connecting.once('timeout', () => connecting.destroy(new ProxyFailure('timeout', 'ETIMEDOUT')));
      connecting.once('error', (error) =>
        reject(
          error instanceof ProxyFailure ? error : new ProxyFailure('proxyUnreachable', errorCode(error)),
        ),
      );
      connecting.once('connect', ({ statusCode = 0 }: IncomingMessage, socket: Socket, head: Buffer) => {
        if (statusCode !== OK) {
          socket.destroy();
          reject(new ProxyFailure(problemOfStatus(statusCode), String(statusCode)));
          return;
        }
        socket.setTimeout(0);
        socket.setNoDelay(true);
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
      });
      // "response" is emitted instead of "connect" if the proxy treats CONNECT like any other request.
      connecting.once('response', (response) => {
        response.destroy();
        reject(new ProxyFailure('proxyRefused', String(response.statusCode)));
      });
      connecting.end();
    });
  }
}

/** How connections leave the machine: directly or through a proxy, and with which trusted certificates. */
export interface Outbound {
  readonly proxy: OutboundProxy | undefined;
  /** The certificates to trust; undefined for those of Node.js. */
  readonly ca: readonly string[] | undefined;
}

/** Returns the proxy and the certificates of these settings. Throws a ServiceError if the certificates are unusable. */
export function openOutbound({ proxy, extraCaFile }: OutboundSettings): Outbound {
  const ca = trustedCertificates(extraCaFile);
  return { proxy: proxy === undefined ? undefined : new OutboundProxy(proxy, ca), ca };
}
