import { type PageCredentials, parseUrl } from '@signpost/contract';
import { ServiceError } from '../../platform/errors.js';
import type { BlankPage } from '../browser/blank-page.js';
import type { HeldRequest } from '../browser/held-requests.js';
import type { LocatedRequest } from './page-request.js';
import { OwnFrames } from './own-frames.js';

/** The maximum number of a page's requests to its own origin: more than pages make. This thread handles each. */
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

/** The Cookie header for an address: the given cookies, and the browser's own, which the site has set since. */
function cookieHeader(
  url: URL,
  sent: string | undefined,
  cookies: PageCredentials['cookies'] = [],
): Header[] {
  const existing = sent === undefined ? [] : sent.split(/; */u);
  const names = new Set(existing.map((pair) => pair.split('=', 1)[0]));
  const added = cookies
    .filter(({ name, path }) => !names.has(name) && coversPath(path, url.pathname))
    .toSorted((one, other) => other.path.length - one.path.length)
    .map(({ name, value }) => `${name}=${value}`);
  const value = [...added, ...existing].join('; ');
  return value === '' ? [] : [{ name: 'Cookie', value }];
}

/** The headers to add to a request of the page: those of the capture request, and the one for basic authentication. */
function givenHeaders({ headers = {}, basicAuth }: PageCredentials): Header[] {
  const fields = Object.entries(headers).map(([name, value]) => ({ name, value }));
  if (basicAuth === undefined) return fields;
  const signIn = Buffer.from(`${basicAuth.username}:${basicAuth.password}`).toString('base64');
  return [...fields, { name: 'Authorization', value: `Basic ${signIn}` }];
}

/** All headers of a request: its own, those that replace or extend them, and the cookies. */
function amendedHeaders(
  url: URL,
  sent: Readonly<Record<string, string>>,
  added: readonly Header[],
  cookies: PageCredentials['cookies'],
): Header[] {
  const replaced = new Set(['cookie', ...added.map(({ name }) => name.toLowerCase())]);
  const own = Object.entries(sent).filter(([name]) => !replaced.has(name.toLowerCase()));
  return [
    ...own.map(([name, value]) => ({ name, value })),
    ...added,
    ...cookieHeader(url, headerOf(sent, 'cookie'), cookies),
  ];
}

const headerOf = (headers: Readonly<Record<string, string>>, wanted: string) =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];

/**
 * Whether a request's headers say that it is from a document or a worker of this origin. Such headers can be
 * trusted: requests from a sandbox, a `data:` address or another origin never name this origin. Undefined if the
 * headers say nothing about it.
 */
function saysItIsOwn(headers: Readonly<Record<string, string>>, origin: string): boolean | undefined {
  const sources = ['origin', 'referer'].flatMap((name) => headerOf(headers, name) ?? []);
  return sources.length === 0 ? undefined : sources.every((address) => parseUrl(address)?.origin === origin);
}

/** Decides which of the requests to one origin come from that origin itself. */
class OwnRequests {
  #hasBegun = false;
  /** The requests that were sent with credentials. Redirects of these within the origin get credentials too. */
  readonly #own = new Set<string>();

  readonly #mainFrameId: string;
  readonly #frames: OwnFrames;
  readonly #origin: string;

  constructor(mainFrameId: string, frames: OwnFrames, origin: string) {
    this.#mainFrameId = mainFrameId;
    this.#frames = frames;
    this.#origin = origin;
  }

  async has(held: HeldRequest, isOfPageProcess: boolean): Promise<boolean> {
    const isOwn = await this.#isOwn(held, isOfPageProcess);
    if (isOwn) this.#own.add(held.requestId);
    return isOwn;
  }

  async #isOwn(
    { frameId, resourceType, redirectedRequestId, request }: HeldRequest,
    isOfPageProcess: boolean,
  ): Promise<boolean> {
    // If a redirect came through another origin, that origin chose where the request leads.
    if (redirectedRequestId !== undefined) return this.#own.has(redirectedRequestId);
    const isNavigation = resourceType === 'Document';
    if (isNavigation && frameId === this.#mainFrameId && !this.#hasBegun) return (this.#hasBegun = true);
    const claimsOwn = saysItIsOwn(request.headers, this.#origin);
    const [frame, ...around] = this.#frames.path(frameId);
    if (claimsOwn === false || frame === undefined || !(await this.#frames.areOwn(around))) return false;
    if (claimsOwn === true) return true;
    if (isNavigation && frameId === this.#mainFrameId) return this.#frames.areAllOwn();
    // A frame that still has its initial document can only have been navigated by the frames around it, whose
    // process it shares.
    if (isNavigation && frame.loaderId === undefined && isOfPageProcess) return true;
    return (isNavigation || !this.#frames.isAmbiguous(frameId)) && this.#frames.areOwn([frame]);
  }
}

/** Whether a request for a capture has credentials. */
export const hasCredentials = ({ headers, cookies, basicAuth }: PageCredentials): boolean =>
  headers !== undefined || cookies !== undefined || basicAuth !== undefined;

/**
 * Sends the credentials of a capture only to the origin of its address. They are added to each request separately,
 * because the browser itself would send headers to other origins and cookies to other ports. They are never stored
 * in the browser. Only the first navigation gets them, and requests of documents of this origin that are not inside
 * a frame of another origin: such a frame could read the responses and send them elsewhere, or make the site act in
 * the visitor's name.
 */
export async function sendCredentials(
  page: BlankPage,
  request: LocatedRequest,
  fail: (error: Error) => void,
): Promise<void> {
  if (!hasCredentials(request)) return;
  const { headers, cookies, basicAuth } = request;
  const { origin } = new URL(request.url);
  const added = givenHeaders({ headers, cookies, basicAuth });
  const own = new OwnRequests(page.document.frameId, await OwnFrames.follow(page, origin), origin);
  let count = 0;
  await page.requests.amend([{ urlPattern: `${origin}/*` }], async (held, session) => {
    const url = parseUrl(held.request.url);
    if (url?.origin !== origin) return undefined;
    count += 1;
    if (count === MAX_REQUESTS + 1) fail(tooManyRequests());
    const isOwn = await own.has(held, session === page.protocol);
    return isOwn ? amendedHeaders(url, held.request.headers, added, cookies) : undefined;
  });
}
