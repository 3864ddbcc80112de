import type { IncomingHttpHeaders } from 'node:http';
import { parseUrl } from '@signpost/contract';

/** The host names that the server may be called by, and the origins whose pages may call it. */
export interface AllowedCallers {
  /** Host names with a port, or without one for all ports; "*" allows all names. */
  readonly hosts: readonly string[];
  /**
   * Complete origins such as "https://app.example"; "*" allows all http and https origins. A page from the server's own
   * host and port may always call.
   */
  readonly origins: readonly string[];
}

/** The names of a server on its own machine. */
export const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'] as const;

const hostOf = (authority: string) => parseUrl(`http://${authority}`);

function isAllowedHost(authority: string, allowed: readonly string[]): boolean {
  const url = hostOf(authority);
  if (url === undefined || url.pathname !== '/' || url.username !== '') return false;
  return allowed.some((entry) => {
    const name = entry.toLowerCase();
    return name === '*' || name === url.host || name === url.hostname;
  });
}

const originOf = (text: string) => parseUrl(text)?.origin;

function isAllowedOrigin(origin: string, authority: string, allowed: readonly string[]): boolean {
  const url = parseUrl(origin);
  if (url === undefined || url.host === '' || !/^https?:$/u.test(url.protocol)) return false;
  return (
    url.host === hostOf(authority)?.host ||
    allowed.some((entry) => entry === '*' || originOf(entry) === url.origin)
  );
}

/**
 * Why a page of the request's origin may not call this server; undefined if it may, or if the request has no Origin
 * header.
 */
export function foreignOrigin(
  { host = '', origin }: IncomingHttpHeaders,
  origins: AllowedCallers['origins'],
): string | undefined {
  return origin === undefined || isAllowedOrigin(origin, host, origins)
    ? undefined
    : 'Pages of the origin in the header "Origin" may not call this server. Its operator can add the origin to SIGNPOST_MCP_ALLOWED_ORIGINS.';
}

/**
 * Returns the reason to reject a request; undefined if it may proceed. Pages of other sites must not reach a server
 * through a user's browser, either directly (Origin) or under a host name that the site pointed here (Host).
 */
export function foreignCaller(
  headers: IncomingHttpHeaders,
  { hosts, origins }: AllowedCallers,
): string | undefined {
  const { host } = headers;
  if (host === undefined || !isAllowedHost(host, hosts))
    return 'The header "Host" has a name that this server does not know. Its operator can add the name to SIGNPOST_MCP_ALLOWED_HOSTS.';
  return foreignOrigin(headers, origins);
}

/**
 * CORS headers that let the calling page read the response, so its origin must be allowed: this function does not check
 * it. Empty if the request has no Origin header.
 */
export const crossOriginHeaders = ({ origin }: IncomingHttpHeaders): Record<string, string> =>
  origin === undefined
    ? {}
    : {
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Expose-Headers': 'Mcp-Session-Id, WWW-Authenticate',
        Vary: 'Origin',
      };

/** Response headers for the preflight request of a page of an allowed origin. */
export const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id, X-Api-Key',
  'Access-Control-Max-Age': '600',
} as const;
