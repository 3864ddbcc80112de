import { type PageCredentials, parseUrl } from '@signpost/contract';
import { ServiceError } from '../../platform/errors.js';
import type { BlankPage } from '../browser/blank-page.js';
import type { HeldRequest } from '../browser/held-requests.js';
import type { LocatedRequest } from './page-request.js';
import { OwnFrames } from './own-frames.js';

/** More than pages make; each is read here, beside the captures of others. */
const MAX_REQUESTS = 5_000;

const tooManyRequests = () =>
  new ServiceError(
    'invalidRequest',
    `The page makes more than ${MAX_REQUESTS} requests to its own origin, the most that a capture with "headers", "cookies" or "basicAuth" takes.`,
  );

interface Header {
  readonly name: string;
  readonly value: string;
}

const coversPath = (path: string, pathname: string) =>
  pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);

/** The given cookies of an address beside those that the browser has, which the site itself has set since. */
function cookieHeader(
  url: URL,
  sent: string | undefined,
  cookies: PageCredentials['cookies'] = [],
): Header[] {
  const kept = sent === undefined ? [] : sent.split(/; */u);
  const names = new Set(kept.map((pair) => pair.split('=', 1)[0]));
  const given = cookies
    .filter(({ name, path }) => !names.has(name) && coversPath(path, url.pathname))
    .toSorted((one, other) => other.path.length - one.path.length)
    .map(({ name, value }) => `${name}=${value}`);
  const value = [...given, ...kept].join('; ');
  return value === '' ? [] : [{ name: 'Cookie', value }];
}

/** The headers of basic authentication, and those that were given as such. */
function givenHeaders({ headers = {}, basicAuth }: PageCredentials): Header[] {
  const given = Object.entries(headers).map(([name, value]) => ({ name, value }));
  if (basicAuth === undefined) return given;
  const signIn = Buffer.from(`${basicAuth.username}:${basicAuth.password}`).toString('base64');
  return [...given, { name: 'Authorization', value: `Basic ${signIn}` }];
}

/** All headers of a request: its own, those given in place of them, and the cookies. */
function amendedHeaders(
  url: URL,
  sent: Readonly<Record<string, string>>,
  given: readonly Header[],
  cookies: PageCredentials['cookies'],
): Header[] {
  const replaced = new Set(['cookie', ...given.map(({ name }) => name.toLowerCase())]);
  const own = Object.entries(sent).filter(([name]) => !replaced.has(name.toLowerCase()));
  return [
    ...own.map(([name, value]) => ({ name, value })),
    ...given,
    ...cookieHeader(url, headerOf(sent, 'cookie'), cookies),
  ];
}

const headerOf = (headers: Readonly<Record<string, string>>, wanted: string) =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];

/**
 * Has what the page asks its visitor for sent to the origin of its address, and to no other. It is added to each
 * request for itself, since the browser would take headers along to other origins and cookies to other ports; nothing
 * of it is left in the browser. Frames of other origins and their scripts, which could have the answers read out to
 * them, ask without it.
 */
export async function sendCredentials(
  { protocol, document: { frameId }, requests }: BlankPage,
  request: LocatedRequest,
  fail: (error: Error) => void,
): Promise<void> {
  const { headers, cookies, basicAuth } = request;
  if (headers === undefined && cookies === undefined && basicAuth === undefined) return;
  const { origin } = new URL(request.url);
  const given = givenHeaders({ headers, cookies, basicAuth });
  const frames = new OwnFrames(protocol, frameId, origin);
  let count = 0;

  const isAskedByOwn = ({ frameId: asking, resourceType, request: { headers: sent } }: HeldRequest) => {
    if (asking === frameId && resourceType === 'Document') return true;
    const asker = headerOf(sent, 'origin') ?? headerOf(sent, 'referer');
    return asker === undefined ? frames.has(asking) : parseUrl(asker)?.origin === origin;
  };
  const patterns = [{ urlPattern: `${origin}/*` }, { urlPattern: '*', resourceType: 'Document' as const }];
  await requests.amend(patterns, (held) => {
    const url = parseUrl(held.request.url);
    if (held.resourceType === 'Document') frames.note(held.frameId, url?.origin);
    if (url?.origin !== origin || !isAskedByOwn(held)) return undefined;
    count += 1;
    if (count === MAX_REQUESTS + 1) fail(tooManyRequests());
    return amendedHeaders(url, held.request.headers, given, cookies);
  });
}
