import { ServiceError } from '../../platform/errors.js';
import type { RefusalReason, RefusalRecord } from '../guard/refusals.js';
import type { OpenPage } from './open-page.js';

/** The same for a name that does not exist and one of the server's own network, which callers are not told of. */
const NAME_NOT_PUBLIC = 'its name was not found, or leads to an address that is not public';

const GUARD_EXPLANATIONS: Readonly<Record<RefusalReason, string>> = {
  notAllowed: 'its address is not allowed: only public addresses may be captured',
  nameNotPublic: NAME_NOT_PUBLIC,
  connectionRefused: 'the connection was refused',
  connectionTimeout: 'the connection was not answered',
  unreachable: 'the server cannot be reached',
  badAnswer: 'the server did not answer with valid HTTP',
};

const CHROMIUM_EXPLANATIONS: readonly (readonly [RegExp, string])[] = [
  [/Download is starting/u, 'it is a download, not a page'],
  [/ERR_TOO_MANY_REDIRECTS/u, 'it has too many redirects'],
  [/ERR_NAME_NOT_RESOLVED/u, NAME_NOT_PUBLIC],
  [/ERR_CONNECTION_REFUSED/u, 'the connection was refused'],
  [
    /ERR_(?:SSL|CERT|BAD_SSL)|ERR_TLS/u,
    'its https connection is not secure (TLS failed or the certificate is wrong)',
  ],
  [/ERR_EMPTY_RESPONSE/u, 'the server closed the connection without an answer'],
  [/ERR_ABORTED|ERR_HTTP_RESPONSE_CODE_FAILURE/u, 'its answer was empty'],
  [
    /ERR_INVALID_RESPONSE|ERR_INVALID_HTTP|ERR_CONTENT|ERR_RESPONSE_HEADERS/u,
    'the server did not answer with valid HTTP',
  ],
  [/ERR_UNSAFE_PORT/u, 'its port is not one for web pages'],
  [
    /ERR_UNKNOWN_URL_SCHEME|ERR_DISALLOWED_URL_SCHEME|ERR_UNSAFE_REDIRECT|ERR_BLOCKED/u,
    'it leads to an address that is not allowed',
  ],
  [/ERR_TUNNEL_CONNECTION_FAILED|ERR_CONNECTION/u, 'the server cannot be reached'],
];

/** Addresses in an error of Playwright: the one that failed may be another than the one asked for. */
const addressesIn = (message: string) => message.match(/https?:\/\/[^\s"]+/gu) ?? [];

/** Why a page could not be loaded, in the words of the answer: the address is what is wrong, not the server. */
function navigationError(
  error: unknown,
  askedUrl: string,
  shownUrl: string,
  refusals: RefusalRecord,
): unknown {
  if (error instanceof ServiceError) return error;
  const message = error instanceof Error ? error.message : '';
  const reason = [...addressesIn(message), shownUrl, askedUrl]
    .map((address) => refusals.reasonFor(address))
    .find((found) => found !== undefined);
  const words =
    reason === undefined
      ? CHROMIUM_EXPLANATIONS.find(([pattern]) => pattern.test(message))?.[1]
      : GUARD_EXPLANATIONS[reason];
  if (words === undefined && error !== undefined && !/net::ERR_/u.test(message)) return error;
  return new ServiceError(
    'invalidRequest',
    `The page cannot be captured: ${words ?? 'it cannot be loaded'}.`,
    {
      detail: /net::\w+/u.exec(message)?.[0] ?? reason ?? 'unknown',
    },
  );
}

/** How long a page that is loaded may go on fetching before it is captured as it is. */
const QUIET_MS = 500;
/** How long a page may take to move on that announced it; after that it is captured as it is. */
const MAX_NAVIGATION_MS = 2_000;
/** Redirects by script or by meta element come one after another; more are taken to be endless. */
const MAX_SCRIPTED_REDIRECTS = 20;

const INTERRUPTED = /interrupted by another navigation|net::ERR_ABORTED; maybe frame was detached/u;

/** Fonts are there, and a frame has begun since; what it changes is in the next one, which the picture itself asks for. */
const PAINTED = `document.fonts.ready.then(() => new Promise((resolve) => requestAnimationFrame(() => resolve(null))))`;

export const untilPainted = (open: OpenPage): Promise<unknown> => open.evaluate(PAINTED);

/** What the protocol says of a document that has made way for another one, or is about to. */
const NAVIGATED_AWAY =
  /context was destroyed|Cannot find context|uniqueContextId not found|target navigated or closed|Not attached to an active page|Unable to capture screenshot|Frame was detached|No frame for given id/iu;

const untilComplete = async ({ page, network, deadline }: OpenPage, url: string, refusals: RefusalRecord) => {
  await deadline.race(page.waitForLoadState('load', { timeout: 0 }));
  if (page.url().startsWith('chrome-error:')) throw navigationError(undefined, url, page.url(), refusals);
  await deadline.race(network.untilQuiet(QUIET_MS));
};

/**
 * Loads an address, waits until the page is complete and does the work on it, again where the page moves on
 * meanwhile: what it moved to is what is captured. Throws the ServiceError that says why it cannot be.
 */
export async function onLoadedPage<Result>(
  open: OpenPage,
  url: string,
  refusals: RefusalRecord,
  work: () => Promise<Result>,
): Promise<Result> {
  const { page, navigation, deadline } = open;
  // The guard sees the network alone: a file is none of its business, and none of a capture's either.
  if (!/^https?:/iu.test(url)) {
    throw new ServiceError('invalidRequest', '"url" must be a whole http or https address.');
  }
  try {
    await deadline.race(page.goto(url, { waitUntil: 'load', timeout: 0 }));
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    if (!INTERRUPTED.test(message)) throw navigationError(error, url, page.url(), refusals);
  }
  for (let redirects = 0; redirects < MAX_SCRIPTED_REDIRECTS; redirects += 1) {
    try {
      await untilComplete(open, url, refusals);
      await untilPainted(open);
      if (await deadline.race(navigation.happensWithin(MAX_NAVIGATION_MS))) continue;
      return await work();
    } catch (error) {
      const message = error instanceof Error ? error.message : '';
      if (!NAVIGATED_AWAY.test(message)) throw error;
    }
  }
  throw new ServiceError(
    'invalidRequest',
    'The page cannot be captured: it leads to another page again and again.',
  );
}
