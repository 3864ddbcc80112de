import { parseUrl } from '@signpost/contract';

/** The loopback names: the hosts by which a machine can call itself. */
const HOME_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * If the origin and the Host header have loopback names and the same port, the origin with the name of the Host header:
 * "http://localhost:3000" for "http://127.0.0.1:3000" and localhost:3000. Otherwise the origin unchanged.
 */
export function originForHost(origin: string, host: string | undefined): string {
  const own = parseUrl(origin);
  const called = own && parseUrl(`${own.protocol}//${host ?? ''}`);
  if (own === undefined || called === undefined || called.host !== host?.toLowerCase()) return origin;
  const isHome = HOME_NAMES.has(own.hostname) && HOME_NAMES.has(called.hostname) && own.port === called.port;
  return isHome ? called.origin : origin;
}

/** Whether two origins are equal, or differ only in the loopback name. */
export const isSameServer = (origin: string, other: string): boolean =>
  originForHost(origin, parseUrl(other)?.host) === parseUrl(other)?.origin;
