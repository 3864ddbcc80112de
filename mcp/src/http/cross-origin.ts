import type { IncomingHttpHeaders } from 'node:http';

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
    'Authorization, Content-Type, Mcp-Protocol-Version, Mcp-Session-Id, X-Api-Key',
  'Access-Control-Max-Age': '600',
} as const;
