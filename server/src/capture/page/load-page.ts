import { z } from 'zod';
import { ServiceError } from '../../platform/errors.js';
import { settledWithin, withinTime } from '../../platform/within-time.js';
import type { RejectionRecord } from '../guard/rejections.js';
import { LeadsToFile } from './incoming-file.js';
import { mayEnd, NetworkIdle } from './network-idle.js';
import type { OpenPage } from './open-page.js';
import { PageMovedOn } from './page-moved-on.js';
import { navigationError, PageNotLoaded } from './page-not-loaded.js';
import type { LocatedRequest, PageRequest } from './page-request.js';
import { changePage, click } from './prepare-page.js';
import type { StepRun } from '../steps/run-steps.js';
import { NOTHING_TO_COME } from './still-document.js';

const cannotBeCaptured = (words: string, detail?: string) => new PageNotLoaded(words, detail);

/** How long a loaded page may continue to fetch before it is captured anyway. */
const QUIET_MS = 500;
const LOOK_EVERY_MS = 5;
/** How long the network must be idle before a page is captured, if the capture waits for an idle network. */
const NETWORK_IDLE_MS = 500;
/**
 * How long to wait for an announced navigation before the work goes on with the present document, and for a reply about
 * a document that was replaced.
 */
const MAX_NAVIGATION_MS = 2_000;
/** The maximum number of documents of a page, besides one for each step. More count as endless. */
const MAX_DOCUMENTS = 20;
const MAX_TRIES = 20;
/**
 * After this many navigations while its time passed quickly, a page counts as one that reloads itself now and then.
 * Its time then passes as usual, so that it is captured before it reloads again.
 */
const MAX_MOVES = 3;
/** The status that is assumed if no document has stated one. */
const USUAL_STATUS = 200;
/** How long to wait until the browser shows the address that failed, which may differ from the requested one. */
const MAX_FAILURE_MS = 500;

/**
 * How long to wait for the fonts of a page that is not completely loaded. For a loaded page, there is no such limit.
 */
const MAX_FONTS_MS = 2_000;

const FONTS_THERE = `(async () => {
  const isLoading = document.readyState !== 'complete';
  const late = new Promise((resolve) => isLoading && setTimeout(resolve, ${MAX_FONTS_MS}));
  await Promise.race([document.fonts.ready, late]);
})()`;

/**
 * An expression that resolves with facts about the document when fonts are loaded, or MAX_FONTS_MS are over, and
 * another animation frame has begun. Changes in that frame are painted in the next one, which taking the picture
 * triggers.
 */
const PAINTED = `(async () => {
  await ${FONTS_THERE};
  await new Promise((resolve) => requestAnimationFrame(() => resolve()));
  const pageStatus = performance.getEntriesByType('navigation')[0]?.responseStatus;
  const firstText = document.createTreeWalker(document, NodeFilter.SHOW_TEXT).nextNode()?.data ?? '';
  return { pageStatus, mayBePdf: /^\\s*%PDF-\\d/u.test(firstText), isWhole: ${NOTHING_TO_COME} };
})()`;

const painted = z.object({
  /** The HTTP status of the document. */
  pageStatus: z.number().int().min(100).max(599).optional().catch(undefined),
  /** Whether the document's text begins like a PDF. Some servers send PDFs with the type of a page. */
  mayBePdf: z.boolean(),
  /** Whether the document is completely loaded, and nothing but style animations can change it any more. */
  isWhole: z.boolean(),
});

/** How long to wait until a frame in another process has painted. A frame that is out of sight may never do it. */
const MAX_FRAME_PAINTING_MS = 250;
const NEXT_FRAME = 'new Promise((resolve) => requestAnimationFrame(() => resolve())).then(() => undefined)';

/** Resolves when the frames in other processes have painted, or after MAX_FRAME_PAINTING_MS. */
const untilFramesPainted = ({ sessions }: OpenPage): Promise<unknown> =>
  Promise.all(
    sessions.frames.map(({ session }) =>
      settledWithin(
        session.send('Runtime.evaluate', { expression: NEXT_FRAME, awaitPromise: true }),
        MAX_FRAME_PAINTING_MS,
      ),
    ),
  );

/** Resolves with facts about the document when the page has painted its current content. */
export async function untilPainted(open: OpenPage): Promise<z.output<typeof painted>> {
  const [answer] = await Promise.all([open.evaluate(PAINTED), open.deadline.race(untilFramesPainted(open))]);
  return painted.parse(answer);
}

/** Error messages of the protocol about a document that was replaced, or is about to be. */
const NAVIGATED_AWAY =
  /context was destroyed|Cannot find (?:context|default execution context)|uniqueContextId not found|navigated or closed|Not attached to an active page|Unable to capture screenshot|Frame was detached|No frame (?:for|with) given id/iu;

/** Whether work on a document failed because another document has replaced it, or is about to. */
export const hasMovedOn = (error: unknown): boolean =>
  error instanceof PageMovedOn || (error instanceof Error && NAVIGATED_AWAY.test(error.message));

/**
 * The result of work on a document. Throws PageMovedOn if the document has been replaced by then, or is about to be.
 */
export async function onSameDocument<Result>(
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
 * The browser's reply about a document. If another document has arrived, the reply may never come; then throws
 * PageMovedOn after a short time.
 */
export function replyFromDocument<Result>(
  { document, deadline }: OpenPage,
  answer: Promise<Result>,
): Promise<Result> {
  const tooLate = () => withinTime(answer, MAX_NAVIGATION_MS, () => new PageMovedOn());
  return deadline.race(Promise.race([answer, document.untilReplaced().then(tooLate)]));
}

const badStatus = (pageStatus: number) =>
  new ServiceError(
    'invalidRequest',
    `The page answers with the status ${pageStatus}. Leave "failOnPageStatus" out to capture it as it is.`,
  );

export function checkStatus({ failOnPageStatus }: PageRequest, pageStatus: number): void {
  if (failOnPageStatus === true && pageStatus >= 400) throw badStatus(pageStatus);
}

const endless = () => cannotBeCaptured('it leads to another page again and again');

/**
 * Requests the address. Returns whether another document comes, and not only another part of the current one (a
 * #fragment). If the browser cannot load the address, or downloads a file, throws a ServiceError that says why.
 */
export async function navigate(open: OpenPage, url: string, rejections: RejectionRecord): Promise<boolean> {
  const { protocol, document, deadline, yieldDuring } = open;
  const navigated = deadline.race(protocol.send('Page.navigate', { url }));
  const { errorText, isDownload, loaderId } = await yieldDuring(navigated, false);
  if (isDownload === true) throw new LeadsToFile();
  if (errorText === undefined) return loaderId !== undefined;
  await deadline.race(document.untilFailed(MAX_FAILURE_MS));
  throw navigationError(errorText, [document.failedUrl ?? url, url], rejections);
}

/** Waits until nothing is being fetched any more, at most for about QUIET_MS. */
async function untilQuiet(open: OpenPage): Promise<void> {
  const { document, deadline } = open;
  for (let looks = 0; looks < QUIET_MS / LOOK_EVERY_MS && !document.isQuiet; looks += 1) {
    // The expression is evaluated because the browser notices only then that an idle page is quiet.
    await open.evaluate(FONTS_THERE);
    await deadline.race(document.untilQuiet(LOOK_EVERY_MS));
  }
}

/** Waits for what the request's `waitUntil` names. Returns the HTTP status of the document, if it has one. */
async function untilComplete(
  open: OpenPage,
  { url, waitUntil = 'load' }: LocatedRequest,
  rejections: RejectionRecord,
  network: NetworkIdle | undefined,
  onPainted: () => void,
): Promise<number | undefined> {
  const { document, deadline, yieldDuring } = open;
  await yieldDuring(
    deadline.race(waitUntil === 'domContentLoaded' ? document.untilParsed() : document.untilComplete()),
  );
  const { failedUrl } = document;
  if (failedUrl !== undefined) throw navigationError('', [failedUrl, url], rejections);
  if (network !== undefined) await yieldDuring(deadline.race(network.untilIdle()));
  const { pageStatus, mayBePdf, isWhole } = await untilPainted(open);
  if (mayBePdf && !open.takesFiles) throw new LeadsToFile();
  onPainted();
  if (waitUntil === 'load' && !isWhole) await yieldDuring(untilQuiet(open));
  return pageStatus;
}

/** Does the remaining clicks, up to the first that leads to another page. Returns whether one did. */
async function clickLeadsAway(open: OpenPage, clicks: string[]): Promise<boolean> {
  const { document, deadline } = open;
  for (let selector = clicks.shift(); selector !== undefined; selector = clicks.shift()) {
    await click(open, selector);
    if (await deadline.race(document.movesOnWithin(MAX_NAVIGATION_MS))) return true;
  }
  return false;
}

/** The optional parts of loading a page. */
interface LoadingParts {
  readonly steps?: StepRun;
  /** Called when a document has painted. From then on, the page mostly waits for the network. */
  readonly onPainted?: () => void;
}

/** The result of work on a page. */
export interface LoadedPage<Result> {
  readonly result: Result;
  readonly pageStatus: number;
  readonly isComplete: boolean;
}

/**
 * Does the work on a late page as it is: stops loading, and also shows text whose fonts have not arrived. Throws the
 * timeout error `late` if there is no document, or only that of a failed load.
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
 * Loads an address, waits until the page is complete, and does the clicks, the steps and the work. If the page
 * navigates meanwhile, does the work on the new page, without repeating a click or step. Throws a ServiceError if the
 * page cannot be loaded.
 */
export async function onLoadedPage<Result>(
  open: OpenPage,
  request: LocatedRequest,
  rejections: RejectionRecord,
  work: () => Promise<Result>,
  { steps, onPainted = () => undefined }: LoadingParts = {},
): Promise<LoadedPage<Result>> {
  const { document, deadline } = open;
  const { url, clickSelectors = [], steps: { length: stepCount } = [] } = request;
  const clicks = [...clickSelectors];
  // Only http and https are allowed, because a file URL would bypass the guard, which only controls the network.
  if (!/^https?:/iu.test(url)) {
    throw new ServiceError('invalidRequest', '"url" must be a whole http or https address.');
  }
  const network =
    request.waitUntil === 'networkIdle'
      ? await NetworkIdle.follow(open.sessions, NETWORK_IDLE_MS, mayEnd)
      : undefined;
  await navigate(open, url, rejections);
  let pageStatus = USUAL_STATUS;
  let moves = 0;
  const moveOn = () => {
    moves += open.clock.isOurs ? 1 : 0;
    open.isRestless ||= moves >= MAX_MOVES;
  };
  for (
    let tries = 0;
    tries < MAX_TRIES + stepCount && document.count <= MAX_DOCUMENTS + stepCount;
    tries += 1
  ) {
    try {
      pageStatus = (await untilComplete(open, request, rejections, network, onPainted)) ?? pageStatus;
      if (await deadline.race(document.movesOnWithin(MAX_NAVIGATION_MS))) {
        moveOn();
        continue;
      }
      checkStatus(request, pageStatus);
      if (await clickLeadsAway(open, clicks)) continue;
      if ((await steps?.leadsAway(open)) === true) continue;
      return { result: await work(), pageStatus, isComplete: true };
    } catch (error) {
      if (!hasMovedOn(error)) throw error;
      moveOn();
    }
  }
  throw endless();
}
