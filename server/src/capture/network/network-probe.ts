import { createSocket } from 'node:dgram';
import type { HostAddress } from '../../platform/names/hosts-file.js';
import {
  LookupFailure,
  type LookupProblem,
  type LookupTimes,
  type NameLookups,
} from '../../platform/names/name-lookups.js';
import { type OutboundProxy, ProxyFailure } from '../../platform/outbound/outbound-proxy.js';
import { withinTime } from '../../platform/within-time.js';

/**
 * Looks up names, and returns why the network cannot be used, as text; undefined if it works, or if there are no
 * names.
 */
export type NetworkProbe = (names: readonly string[]) => Promise<string | undefined>;

const PROBLEMS: Readonly<Record<Exclude<LookupProblem, 'notFound'>, string>> = {
  noAnswer: 'no name server answers',
  serverFailure: 'the name servers answer every question with a failure',
};
const NO_ROUTE = 'the network has no route to other machines';

/** Short times, because a caller whose capture has failed waits for the probe. */
export const PROBE_TIMES: LookupTimes = { serverMs: 800, lookupMs: 2_500, otherFamilyMs: 200 };

/** Any port will do, because nothing is sent. */
const ROUTE_PORT = 9;

/** Whether the system knows a route to an address. Sends no packet. */
export function hasRoute({ address, family }: HostAddress): Promise<boolean> {
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4');
  return new Promise<boolean>((resolve) => {
    socket.once('error', () => resolve(false));
    socket.once('connect', () => resolve(true));
    socket.connect(ROUTE_PORT, address);
  }).finally(() => socket.close());
}

/** The port of https, because a proxy may forbid other ports. The proxy only connects; nothing is sent through it. */
const PROXIED_PORT = 443;

/**
 * Why the proxy for outgoing requests cannot be used, as text; undefined if the error is not about the proxy, or only
 * says that the proxy forbids the address or does not reach it.
 */
function proxyProblem(label: string, error: unknown): string | undefined {
  if (!(error instanceof ProxyFailure)) return undefined;
  const { problem, code } = error;
  if (problem === 'proxyUnreachable') return `the proxy ${label} does not answer (${code})`;
  if (problem === 'proxyAuthentication')
    return `the proxy ${label} wants a user and a password, or other ones (${code})`;
  // A proxy that forbids an address, or cannot reach it, has responded.
  return undefined;
}

async function problemBehindProxy(
  proxy: OutboundProxy,
  hosts: readonly string[],
): Promise<string | undefined> {
  const late = () => new ProxyFailure('proxyUnreachable', 'ETIMEDOUT');
  try {
    const socket = await withinTime(proxy.connect(hosts, PROXIED_PORT), PROBE_TIMES.lookupMs, late);
    socket.destroy();
    return undefined;
  } catch (error) {
    return proxyProblem(proxy.label, error);
  }
}

interface Routing {
  readonly isRouted: typeof hasRoute;
  readonly proxy: OutboundProxy | undefined;
}

async function problemWith(
  name: string,
  { lookUp }: Pick<NameLookups, 'lookUp'>,
  { isRouted, proxy }: Routing,
): Promise<string | undefined> {
  if (proxy?.resolvesName(name) === true) return problemBehindProxy(proxy, [name]);
  try {
    const addresses = await lookUp(name);
    if (proxy !== undefined && !proxy.isDirect(name, addresses))
      return await problemBehindProxy(
        proxy,
        addresses.map(({ address }) => address),
      );
    const routes = await Promise.all(addresses.map(isRouted));
    return routes.includes(true) ? undefined : NO_ROUTE;
  } catch (error) {
    // A name server that says that a name does not exist has responded.
    if (!(error instanceof LookupFailure) || error.problem === 'notFound') return undefined;
    return PROBLEMS[error.problem];
  }
}

/**
 * Creates a probe that tries all names at once. The network works if one of the names has an address with a route, does
 * not exist according to the name servers, or is requested through a proxy that can be used.
 */
export const createNetworkProbe =
  (openLookups: () => NameLookups, isRouted = hasRoute, proxy?: OutboundProxy): NetworkProbe =>
  async (names) => {
    const lookups = openLookups();
    const lookUp = (name: string) => lookups.lookUp(name);
    try {
      const routing = { isRouted, proxy };
      const problems = await Promise.all(names.map((name) => problemWith(name, { lookUp }, routing)));
      return problems.includes(undefined) ? undefined : problems[0];
    } finally {
      lookups.end();
    }
  };
