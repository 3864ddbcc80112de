import type { RefusalRecord } from '../guard/refusal-record.js';
import { ServiceError } from '../../service-error.js';
import { navigationError } from './navigation-error.js';
import type { OpenPage } from './open-page.js';

/** How long a page that is loaded may go on fetching before it is captured as it is. */
const QUIET_MS = 500;
/** How long a page may take to move on that announced it; after that it is captured as it is. */
const MOVES_ON_MS = 2_000;
/** Redirects by script or by meta element come one after another; more are taken to be endless. */
const MOST_SCRIPTED_REDIRECTS = 20;

const INTERRUPTED = /interrupted by another navigation|net::ERR_ABORTED; maybe frame was detached/u;

/** Fonts are there, and a frame has begun since; what it changes is in the next one, which the picture itself asks for. */
const PAINTED = `document.fonts.ready.then(() => new Promise((resolve) => requestAnimationFrame(() => resolve(null))))`;

export const untilPainted = (open: OpenPage): Promise<unknown> => open.evaluate(PAINTED);

/** What the protocol says of a document that has made way for another one, or is about to. */
const MOVED_ON =
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
  for (let redirects = 0; redirects < MOST_SCRIPTED_REDIRECTS; redirects += 1) {
    try {
      await untilComplete(open, url, refusals);
      await untilPainted(open);
      if (await deadline.race(navigation.happensWithin(MOVES_ON_MS))) continue;
      return await work();
    } catch (error) {
      const message = error instanceof Error ? error.message : '';
      if (!MOVED_ON.test(message)) throw error;
    }
  }
  throw new ServiceError(
    'invalidRequest',
    'The page cannot be captured: it leads to another page again and again.',
  );
}
