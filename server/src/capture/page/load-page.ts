import { z } from 'zod';
import { ServiceError } from '../../platform/errors.js';
import { withinTime } from '../../platform/within-time.js';
import type { RefusalReason, RefusalRecord } from '../guard/refusals.js';
import { mayEnd, NetworkIdle } from './network-idle.js';
import type { OpenPage } from './open-page.js';
import type { LocatedRequest, PageRequest } from './page-request.js';
import { changePage, click } from './prepare-page.js';
import { NOTHING_TO_COME } from './still-document.js';

/** The same for a name that does not exist and one of the server's own network, which callers are not told of. */
const NAME_NOT_PUBLIC = 'its name was not found, or leads to an address that is not public';

const GUARD_EXPLANATIONS: Readonly<Record<RefusalReason, string>> = {
  notAllowed:
    'its address is not allowed: only public addresses may be captured, and those that the operator allows by SIGNPOST_ALLOW_ADDRESSES',
  nameNotPublic: NAME_NOT_PUBLIC,
  connectionRefused: 'the connection was refused',
  connectionTimeout: 'the connection was not answered',
  unreachable: 'the server cannot be reached',
  badAnswer: 'the server did not answer with valid HTTP',
};

const CHROMIUM_EXPLANATIONS: readonly (readonly [RegExp, string])[] = [
  [/ERR_TOO_MANY_REDIRECTS/u, 'it has too many redirects'],
  [/ERR_NAME_NOT_RESOLVED/u, NAME_NOT_PUBLIC],
  [/ERR_CONNECTION_REFUSED/u, 'the connection was refused'],
  [
    /ERR_(?:SSL|CERT|BAD_SSL)|ERR_TLS/u,
    'its https connection is not secure (TLS failed or the certificate is wrong)',
  ],
  [/ERR_EMPTY_RESPONSE/u, 'the server closed the connection without an answer'],
  [/ERR_ABORTED/u, 'its answer was empty, or leads to another program'],
  [/ERR_HTTP_RESPONSE_CODE_FAILURE/u, 'its answer was empty'],
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

const DOWNLOAD = 'it is a download, not a page';

/** Why a page could not be loaded, in the words of the answer: the address is what is wrong, not the server. */
function navigationError(error: string, addresses: readonly string[], refusals: RefusalRecord): ServiceError {
  const reason = addresses.map((address) => refusals.reasonFor(address)).find((found) => found !== undefined);
  const words =
    reason === undefined
      ? CHROMIUM_EXPLANATIONS.find(([pattern]) => pattern.test(error))?.[1]
      : GUARD_EXPLANATIONS[reason];
  return cannotBeCaptured(words ?? 'it cannot be loaded', error === '' ? reason : error);
}

const cannotBeCaptured = (words: string, detail = 'unknown') =>
  new ServiceError('invalidRequest', `The page cannot be captured: ${words}.`, { detail });

/** How long a page that is loaded may go on fetching before it is captured as it is. */
const QUIET_MS = 500;
const LOOK_EVERY_MS = 5;
/** How long nothing may have been fetched for a page that is waited for until its network is idle. */
const NETWORK_IDLE_MS = 500;
/** How long a page may take to move on that announced it; after that it is captured as it is. */
const MAX_NAVIGATION_MS = 2_000;
/** Redirects by script or by meta element come one after another; more are taken to be endless. */
const MAX_DOCUMENTS = 20;
const MAX_TRIES = 20;
/** A document without a status of its own, such as a blank one, was made by one that had been answered. */
const USUAL_STATUS = 200;
/** The browser shows the address that failed, which may be another than the one asked for, within so long. */
const MAX_FAILURE_MS = 500;

/** How long a page that was given up half-way may still wait for its fonts. */
const MAX_FONTS_MS = 2_000;

const FONTS_THERE = `(async () => {
  const isLoading = document.readyState !== 'complete';
  const late = new Promise((resolve) => isLoading && setTimeout(resolve, ${MAX_FONTS_MS}));
  await Promise.race([document.fonts.ready, late]);
})()`;

/** Fonts are there, and a frame has begun since; what it changes is in the next one, which the picture itself asks for. */
const PAINTED = `(async () => {
  await ${FONTS_THERE};
  await new Promise((resolve) => requestAnimationFrame(() => resolve()));
  const pageStatus = performance.getEntriesByType('navigation')[0]?.responseStatus;
  return { pageStatus, isWhole: ${NOTHING_TO_COME} };
})()`;

const painted = z.object({
  /** The status that the document was answered with. */
  pageStatus: z.number().int().min(100).max(599).optional().catch(undefined),
  /** Whether nothing more is to come. */
  isWhole: z.boolean(),
});

/** Resolves when the page shows what there is of it. */
export const untilPainted = async (open: OpenPage): Promise<z.output<typeof painted>> =>
  painted.parse(await open.evaluate(PAINTED));

/** What the protocol says of a document that has made way for another one, or is about to. */
const NAVIGATED_AWAY =
  /context was destroyed|Cannot find (?:context|default execution context)|uniqueContextId not found|navigated or closed|Not attached to an active page|Unable to capture screenshot|Frame was detached|No frame (?:for|with) given id/iu;

/** Another document has come in place of the one that was worked on. */
class PageMovedOn extends Error {}

/** The result of work on a document; throws PageMovedOn where another one has come in its place by then, or is about to. */
export async function stayingOn<Result>(
  { document, deadline }: OpenPage,
  work: () => Promise<Result>,
): Promise<Result> {
  const before = document.count;
  const result = await work();
  if (document.count !== before || (await deadline.race(document.movesOnWithin(MAX_NAVIGATION_MS))))
    throw new PageMovedOn();
  return result;
}

/**
 * The answer of a browser about a document. Throws PageMovedOn where it does not come soon after another document has: it
 * may never come then.
 */
export function answerOfDocument<Result>(
  { document, deadline }: OpenPage,
  answer: Promise<Result>,
): Promise<Result> {
  const tooLate = () => withinTime(answer, MAX_NAVIGATION_MS, () => new PageMovedOn());
  return deadline.race(Promise.race([answer, document.replaced().then(tooLate)]));
}

const refusedStatus = (pageStatus: number) =>
  new ServiceError(
    'invalidRequest',
    `The page answers with the status ${pageStatus}. Leave "failOnPageStatus" out to capture it as it is.`,
  );

function checkStatus({ failOnPageStatus }: PageRequest, pageStatus: number): void {
  if (failOnPageStatus === true && pageStatus >= 400) throw refusedStatus(pageStatus);
}

const endless = () => cannotBeCaptured('it leads to another page again and again');

/** Asks for the address; what the browser could not load is the ServiceError that says why. */
async function navigate({ protocol, document, deadline }: OpenPage, url: string, refusals: RefusalRecord) {
  const { errorText, isDownload } = await deadline.race(protocol.send('Page.navigate', { url }));
  if (isDownload === true) throw cannotBeCaptured(DOWNLOAD, errorText);
  if (errorText === undefined) return;
  await deadline.race(document.failed(MAX_FAILURE_MS));
  throw navigationError(errorText, [document.failedUrl ?? url, url], refusals);
}

/** Waits until nothing is fetched any more, as long as a page may go on. */
async function untilQuiet(open: OpenPage): Promise<void> {
  const { document, deadline } = open;
  for (let looks = 0; looks < QUIET_MS / LOOK_EVERY_MS && !document.isQuiet; looks += 1) {
    // The browser notices that a page is quiet when the page has something to do.
    await open.evaluate(FONTS_THERE);
    await deadline.race(document.quiet(LOOK_EVERY_MS));
  }
}

/** Waits for what the page is now, or will be at once; answers the status of its document. */
async function untilComplete(
  open: OpenPage,
  { url, waitUntil = 'load' }: LocatedRequest,
  refusals: RefusalRecord,
  network: NetworkIdle | undefined,
): Promise<number | undefined> {
  const { document, deadline } = open;
  await deadline.race(waitUntil === 'domContentLoaded' ? document.parsed() : document.complete());
  const { failedUrl } = document;
  if (failedUrl !== undefined) throw navigationError('', [failedUrl, url], refusals);
  if (network !== undefined) await deadline.race(network.untilIdle());
  const { pageStatus, isWhole } = await untilPainted(open);
  if (waitUntil === 'load' && !isWhole) await untilQuiet(open);
  return pageStatus;
}

/** Clicks what is still to be clicked, once each; whether that led to another page. */
async function clickLeadsAway(open: OpenPage, clicks: string[]): Promise<boolean> {
  const { document, deadline } = open;
  for (let selector = clicks.shift(); selector !== undefined; selector = clicks.shift()) {
    await click(open, selector);
    if (await deadline.race(document.movesOnWithin(MAX_NAVIGATION_MS))) return true;
  }
  return false;
}

/** What was made of a page. */
export interface LoadedPage<Result> {
  readonly result: Result;
  readonly pageStatus: number;
  readonly isComplete: boolean;
}

/**
 * Does the work on what there is of a page that took too long: it is not waited for any more, and shows what is not to
 * be waited for. Throws the error by which it was late where there is nothing.
 */
export async function onLatePage<Result>(
  open: OpenPage,
  request: PageRequest,
  work: () => Promise<Result>,
  late: unknown,
): Promise<LoadedPage<Result>> {
  const { protocol, document, deadline } = open;
  if (document.count === 0 || document.failedUrl !== undefined) throw late;
  await deadline.race(protocol.send('Page.stopLoading'));
  const { pageStatus = USUAL_STATUS } = await untilPainted(open);
  checkStatus(request, pageStatus);
  await changePage(open, request);
  return { result: await work(), pageStatus, isComplete: false };
}

/**
 * Loads an address, waits until the page is complete and does the work on it, again where the page moves on
 * meanwhile: what it moved to is what is captured. Throws the ServiceError that says why it cannot be.
 */
export async function onLoadedPage<Result>(
  open: OpenPage,
  request: LocatedRequest,
  refusals: RefusalRecord,
  work: () => Promise<Result>,
): Promise<LoadedPage<Result>> {
  const { document, deadline } = open;
  const { url, clickSelectors = [] } = request;
  const clicks = [...clickSelectors];
  // The guard sees the network alone: a file does not concern it, nor a capture.
  if (!/^https?:/iu.test(url)) {
    throw new ServiceError('invalidRequest', '"url" must be a whole http or https address.');
  }
  const network =
    request.waitUntil === 'networkIdle'
      ? await NetworkIdle.follow(open.protocol, NETWORK_IDLE_MS, mayEnd)
      : undefined;
  await navigate(open, url, refusals);
  let pageStatus = USUAL_STATUS;
  for (let tries = 0; tries < MAX_TRIES && document.count <= MAX_DOCUMENTS; tries += 1) {
    try {
      pageStatus = (await untilComplete(open, request, refusals, network)) ?? pageStatus;
      if (await deadline.race(document.movesOnWithin(MAX_NAVIGATION_MS))) continue;
      checkStatus(request, pageStatus);
      if (await clickLeadsAway(open, clicks)) continue;
      return { result: await work(), pageStatus, isComplete: true };
    } catch (error) {
      const message = error instanceof Error ? error.message : '';
      if (!(error instanceof PageMovedOn) && !NAVIGATED_AWAY.test(message)) throw error;
      open.clock.resume();
    }
  }
  throw endless();
}
