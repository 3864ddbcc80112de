import { parseUrl } from '@signpost/contract';
import type { FastifyRequest } from 'fastify';
import { formFields } from '../layout/form-data.js';
import type { PageContext } from './page-context.js';

const base = 'http://this-server.invalid';

/**
 * Adds the request's address to a path, as `next`. The address may be one that only accepts a form: a GET of it
 * redirects to a page.
 */
export const withNextPath = (path: string, { url }: FastifyRequest): string =>
  `${path}?next=${encodeURIComponent(url)}`;

/**
 * The path and query of a text that begins with "/" and leads to this server; `fallback` for any other text, or if
 * there is none.
 */
export function localPath(text: string | undefined, fallback: string): string {
  const url = text === undefined ? undefined : parseUrl(text, base);
  if (text === undefined || url === undefined) return fallback;
  const path = url.pathname + url.search;
  // Checks the parsed path: browsers turn "/.//elsewhere" into "//elsewhere", which is another host.
  return text.startsWith('/') && url.origin === base && !path.startsWith('//') ? path : fallback;
}

/** The page after a sign-in if there is no next path. */
export const AFTERWARDS = '/overview';

/** The `next` path in the form or, for a GET, in the query; `fallback` if it is missing or may lead elsewhere. */
export const nextPathOf = ({ formOrQuery }: PageContext, fallback: string = AFTERWARDS): string =>
  localPath(formFields(formOrQuery, ['next']).next, fallback);

/** Adds the next path to an address, unless the next path is the default one. */
export const pathWithNext = (path: string, next: string): string =>
  next === AFTERWARDS ? path : `${path}?next=${encodeURIComponent(next)}`;
