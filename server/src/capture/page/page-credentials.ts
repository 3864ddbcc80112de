import { type PageCredentials, parseUrl } from '@signpost/contract';
import { ServiceError } from '../../platform/errors.js';
import type { BlankPage } from '../browser/blank-page.js';
import type { PausedRequest } from '../browser/request-interceptor.js';
import type { LocatedRequest } from './page-request.js';
import { SameOriginFrames } from './same-origin-frames.js';

/**
 * The maximum number of requests to the origin of the capture's address: more end the capture, because this thread
 * handles each of them.
 */
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

/**
 * The Cookie header for an address: the browser's own cookies, which the site has set since, and those given cookies
 * whose path covers the address and whose names the browser does not have yet.
 */
function cookieHeader(
  url: URL,
  browserCookies: string | undefined,
  cookies: PageCredentials['cookies'] = [],
): Header[] {
  const existing = browserCookies === undefined ? [] : browserCookies.split(/; */u);
  const names = new Set(existing.map((pair) => pair.split('=', 1)[0]));
  const added = cookies
    .filter(({ name, path }) => !names.has(name) && coversPath(path, url.pathname))
    .toSorted((one, other) => other.path.length - one.path.length)
    .map(({ name, value }) => `${name}=${value}`);
  const value = [...added, ...existing].join('; ');
  return value === '' ? [] : [{ name: 'Cookie', value }];
}

/** The headers to add to a request of the page: those of the capture request, and the one for basic authentication. */
function credentialHeaders({ headers = {}, basicAuth }: PageCredentials): Header[] {
  const fields = Object.entries(headers).map(([name, value]) => ({ name, value }));
  if (basicAuth === undefined) return fields;
  const signIn = Buffer.from(`${basicAuth.username}:${basicAuth.password}`).toString('base64');
  return [...fields, { name: 'Authorization', value: `Basic ${signIn}` }];
}

/** All headers of a request: its own, those that replace or extend them, and the cookies. */
function amendedHeaders(
  url: URL,
  browserHeaders: Readonly<Record<string, string>>,
  added: readonly Header[],
  cookies: PageCredentials['cookies'],
): Header[] {
  const replaced = new Set(['cookie', ...added.map(({ name }) => name.toLowerCase())]);
  const unchanged = Object.entries(browserHeaders).filter(([name]) => !replaced.has(name.toLowerCase()));
  return [
    ...unchanged.map(([name, value]) => ({ name, value })),
    ...added,
    ...cookieHeader(url, headerOf(browserHeaders, 'cookie'), cookies),
  ];
}

const headerOf = (headers: Readonly<Record<string, string>>, headerName: string) =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === headerName)?.[1];

/**
 * Whether a request's headers say that it is from a document or a worker of this origin. Such headers can be
 * trusted: requests from a sandbox, a `data:` address or another origin never name this origin. Undefined if the
 * headers say nothing about it.
 */
function claimsSameOrigin(headers: Readonly<Record<string, string>>, origin: string): boolean | undefined {
  const sources = ['origin', 'referer'].flatMap((name) => headerOf(headers, name) ?? []);
  return sources.length === 0 ? undefined : sources.every((address) => parseUrl(address)?.origin === origin);
}

/** Decides which of the requests to one origin come from that origin itself. */
class SameOriginRequests {
  #hasBegun = false;
  /** The requests that were sent with credentials. Redirects of these within the origin get credentials too. */
  readonly #withCredentials = new Set<string>();

  readonly #mainFrameId: string;
  readonly #frames: SameOriginFrames;
  readonly #origin: string;

  constructor(mainFrameId: string, frames: SameOriginFrames, origin: string) {
    this.#mainFrameId = mainFrameId;
    this.#frames = frames;
    this.#origin = origin;
  }

  async has(pausedRequest: PausedRequest, isOfPageProcess: boolean): Promise<boolean> {
    const isSameOrigin = await this.#isSameOrigin(pausedRequest, isOfPageProcess);
    if (isSameOrigin) this.#withCredentials.add(pausedRequest.requestId);
    return isSameOrigin;
  }

  async #isSameOrigin(
    { frameId, resourceType, redirectedRequestId, request }: PausedRequest,
    isOfPageProcess: boolean,
  ): Promise<boolean> {
    // A redirect gets credentials only if the request before it had them: an origin in between that got none has chosen
    // where the redirect leads.
    if (redirectedRequestId !== undefined) return this.#withCredentials.has(redirectedRequestId);
    const isNavigation = resourceType === 'Document';
    if (isNavigation && frameId === this.#mainFrameId && !this.#hasBegun) return (this.#hasBegun = true);
    const isClaimed = claimsSameOrigin(request.headers, this.#origin);
    const [frame, ...around] = this.#frames.path(frameId);
    if (isClaimed === false || frame === undefined || !(await this.#frames.areSameOrigin(around)))
      return false;
    if (isClaimed === true) return true;
    if (isNavigation && frameId === this.#mainFrameId) return this.#frames.areAllSameOrigin();
    // A frame that still has its initial document can only have been navigated by the frames around it, whose
    // process it shares.
    if (isNavigation && frame.loaderId === undefined && isOfPageProcess) return true;
    return (isNavigation || !this.#frames.isAmbiguous(frameId)) && this.#frames.areSameOrigin([frame]);
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
  const added = credentialHeaders({ headers, cookies, basicAuth });
  const ownRequests = new SameOriginRequests(
    page.document.frameId,
    await SameOriginFrames.follow(page, origin),
    origin,
  );
  let count = 0;
  await page.requests.amend([{ urlPattern: `${origin}/*` }], async (pausedRequest, session) => {
    const url = parseUrl(pausedRequest.request.url);
    if (url?.origin !== origin) return undefined;
    count += 1;
    if (count === MAX_REQUESTS + 1) fail(tooManyRequests());
    const isSameOrigin = await ownRequests.has(pausedRequest, session === page.protocol);
    return isSameOrigin ? amendedHeaders(url, pausedRequest.request.headers, added, cookies) : undefined;
  });
}
