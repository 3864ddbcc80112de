import { parseUrl } from '@signpost/contract';

/** The loopback names: the hosts by which a machine can call itself. */
const HOME_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The origin of a server on this machine, by the loopback name that the Host header has: "http://localhost:3000" for
 * "http://127.0.0.1:3000" if the Host header is localhost:3000. For any other origin or Host, the origin unchanged.
 */
export function originForHost(origin: string, host: string | undefined): string {
  const own = parseUrl(origin);
  const called = own && parseUrl(`${own.protocol}//${host ?? ''}`);
  if (own === undefined || called === undefined || called.host !== host?.toLowerCase()) return origin;
  const isHome = HOME_NAMES.has(own.hostname) && HOME_NAMES.has(called.hostname) && own.port === called.port;
  return isHome ? called.origin : origin;
}

/** Whether two origins are the same server, whichever of its loopback names each uses. */
export const isSameServer = (origin: string, other: string): boolean =>
  originForHost(origin, parseUrl(other)?.host) === parseUrl(other)?.origin;
