import type { IncomingHttpHeaders } from 'node:http';

const BEARER = /^Bearer +(\S+)$/iu;

/** The API key that a request carries, as `X-Api-Key` or as `Authorization: Bearer <key>`; undefined without one. */
export function presentedKey(headers: IncomingHttpHeaders): string | undefined {
  const own = headers['x-api-key'];
  if (typeof own === 'string' && own !== '') return own;
  return BEARER.exec(headers.authorization ?? '')?.[1];
}
