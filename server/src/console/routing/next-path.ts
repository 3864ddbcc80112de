import { parseUrl } from '@signpost/contract';
import type { FastifyRequest } from 'fastify';

const base = 'http://this-server.invalid';

/** An address of ours that leads on to the page that was asked for, where it can be asked for again. */
export const withNextPath = (path: string, { method, url }: FastifyRequest): string =>
  method === 'GET' ? `${path}?next=${encodeURIComponent(url)}` : path;

/** The path and query of an address of this server; the fallback for one that leads, or may lead, elsewhere. */
export function localPath(text: string | undefined, fallback: string): string {
  const url = text === undefined ? undefined : parseUrl(text, base);
  if (text === undefined || url === undefined) return fallback;
  const path = url.pathname + url.search;
  // The path is judged as parsed: of "/.//elsewhere" a browser makes "//elsewhere", which is another host.
  return text.startsWith('/') && url.origin === base && !path.startsWith('//') ? path : fallback;
}

/** Where a sign-in leads that came from nowhere. */
export const AFTERWARDS = '/overview';

/** An address of ours that leads on to a path of this server, where that goes without saying no longer. */
export const pathWithNext = (path: string, next: string): string =>
  next === AFTERWARDS ? path : `${path}?next=${encodeURIComponent(next)}`;
