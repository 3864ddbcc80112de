import type { IncomingHttpHeaders } from 'node:http';
import { parseUrl } from '@signpost/contract';

/** By which names the server may be called, and pages of which origins may call it. */
export interface AllowedCallers {
  /** Names, each with a port or without one for any; "*" for every name. */
  readonly hosts: readonly string[];
  /** Whole origins such as "https://app.example"; "*" for every one. A page of the server's own host may always. */
  readonly origins: readonly string[];
}

/** What a server is called on its own machine. */
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

/** Why a page of this origin may not call; undefined if it may, or if the caller is not a page. */
export function foreignOrigin(
  { host = '', origin }: IncomingHttpHeaders,
  origins: AllowedCallers['origins'],
): string | undefined {
  return origin === undefined || isAllowedOrigin(origin, host, origins)
    ? undefined
    : 'Pages of the origin in the header "Origin" may not call this server. Its operator can add the origin to SIGNPOST_MCP_ALLOWED_ORIGINS.';
}

/**
 * Why a request may not go on, undefined where it may: a page on another site must not reach a server that only its
 * user's browser can reach, neither directly (Origin) nor under a name that the site made point here (Host).
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

/** What lets a page of an allowed origin read the answers; nothing for callers that are no pages. */
export const crossOriginHeaders = ({ origin }: IncomingHttpHeaders): Record<string, string> =>
  origin === undefined
    ? {}
    : {
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Expose-Headers': 'Mcp-Session-Id, WWW-Authenticate',
        Vary: 'Origin',
      };

/** What a browser asks for before it lets such a page call. */
export const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id, X-Api-Key',
  'Access-Control-Max-Age': '600',
} as const;
