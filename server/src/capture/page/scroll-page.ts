import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { withinTime } from '../../platform/within-time.js';
import type { OpenPage } from './open-page.js';
import { BEGIN, endAt, LOOK, look, NOTE_SHOWN, stepOn, stepped, stepTo } from './page-scroller.js';
import type { PageRequest } from './page-request.js';
import {
  KEEP_IN_SIGHT,
  MAY_STOP_WHEEL,
  NONE_NOTICES_SCROLLING,
  watchesScrolling,
} from './scroll-watchers.js';
import { NeverRests, controlAnimationFrames } from './settle.js';
import { waitForFirstMessages } from './first-messages.js';

const MAX_STEPS = 150;
/** The real time after which no further step begins. Waits for the capture's turn to work do not count. */
const MAX_SCROLLING_MS = 5_000;
/**
 * The page time for scrolling by the window's height. Intervals and throttled listeners check what is in the window
 * about five times a second, and scripts that watch it usually get steps of half a window or less. With only 125 ms per
 * step, lazysizes missed one of 20 images in two of three PDFs.
 */
const PAGE_MS_PER_WINDOW = 500;
const MAX_STEP_MS = 1_500;
/** How long to wait at the end of the page for what it has requested. */
const MAX_LOADING_MS = 3_000;
const LOADING_PAGE_MS = 300;
/** How long to wait for late data before a page with scripts is scrolled, in page time and in real time. */
const FIRST_WAIT_MS = { page: 2_500, real: 2_200 };
/** Real time for each step on a page whose time is not controlled. */
const RESTLESS_STEP_MS = 60;
/**
 * The share of the window to scroll at a time if scripts watch the window. With a half, each element that is at
 * most half as tall as the window is completely in it at some time.
 */
const WATCHED_STEP = 0.5;
/**
 * The smallest step, as a share of the window, for scripts that count elements as seen only in a stripe of the window.
 */
const STRIPE_STEP = 0.125;

const height = z.number();

/** How far down a page is scrolled, and its position afterwards, in CSS pixels. */
export interface ScrollRange {
  /** The maximum height to which the page is scrolled, even if content that keeps loading makes it taller. */
  readonly maxHeight: number;
  /** How far down the result shows the page. */
  readonly depth: number;
  /** Whether the page is left at its top; if not, it returns to where it was. */
  readonly endsAtTop: boolean;
}

/** How much of a page was scrolled into view. */
interface ScrollResult {
  /** Whether the page grew beyond the maximum height while it was scrolled. */
  readonly isOvergrown: boolean;
  /** Whether the page was scrolled as far as the result shows it, and not only to one of the limits. */
  readonly isWhole: boolean;
}

const NOT_SCROLLED: ScrollResult = { isOvergrown: false, isWhole: true };

/**
 * How a page is scrolled: the pixels and the page time of each step, and the pixels by which scripts are told that the
 * wheel turns.
 */
interface ScrollSteps {
  readonly pixels: number;
  readonly pageMs: number;
  readonly wheelPixels: number;
}

/** The scrolling of one page. Unless the page is restless, its time advances step by step, ahead of real time. */
class Scrolling {
  readonly #startedMs = performance.now();
  readonly #waitedMs: number;
  #pageMs = 0;
  /** Whether a request did not end in time, such as a stream. */
  #isHeldUp = false;

  readonly #open: OpenPage;
  readonly #steps: ScrollSteps;

  constructor(open: OpenPage, steps: ScrollSteps) {
    this.#open = open;
    this.#waitedMs = open.waitedMs();
    this.#steps = steps;
  }

  /**
   * Scrolls down to the end of the page or to one of the limits. Returns the height of the page at that time, and
   * whether its end, or the requested depth, was reached.
   */
  async scrollDown(firstHeight: number, windowHeight: number, { maxHeight, depth }: ScrollRange) {
    const { pixels, wheelPixels } = this.#steps;
    let pageHeight = firstHeight;
    let growth = 0;
    let isAtEnd = false;
    let isAtBottom = false;
    let top = Math.min(pixels, Math.max(0, Math.min(pageHeight, depth) - windowHeight));
    await this.#evaluate(stepTo(top, wheelPixels));
    await this.#pass();
    for (let steps = 1; steps < MAX_STEPS && this.#scrolledMs < MAX_SCROLLING_MS; steps += 1) {
      const stepping = stepOn(top, pixels, windowHeight, depth, wheelPixels);
      const step = stepped.parse(await this.#evaluate(stepping));
      growth = Math.max(growth, step.height - pageHeight);
      pageHeight = step.height;
      if (step.top > top) {
        top = step.top;
        await this.#pass();
        continue;
      }
      isAtEnd = pageHeight >= depth;
      // Stops below the limit, so that content that keeps loading does not exceed it.
      isAtBottom = !isAtEnd && pageHeight + growth > maxHeight;
      if (isAtEnd || isAtBottom) break;
      await this.#load();
      const loaded = await this.#stayAt(top);
      growth = Math.max(growth, loaded - pageHeight);
      isAtEnd = loaded <= pageHeight;
      if (isAtEnd) break;
      pageHeight = loaded;
      if (pageHeight + growth > maxHeight) break;
    }
    await this.#load();
    const last = isAtBottom ? await this.#stayAt(top) : height.parse(await this.#evaluate(NOTE_SHOWN));
    return { whole: last, isAtEnd: isAtEnd || (isAtBottom && last <= pageHeight) };
  }

  async end(isTop: boolean): Promise<void> {
    await this.#evaluate(endAt(isTop, this.#steps.wheelPixels));
    this.#open.clock.keepPace();
  }

  get #realMs(): number {
    return performance.now() - this.#startedMs;
  }

  get #scrolledMs(): number {
    return this.#realMs - (this.#open.waitedMs() - this.#waitedMs);
  }

  async #stayAt(top: number): Promise<number> {
    await this.#evaluate(stepTo(top, this.#steps.wheelPixels));
    await this.#pass();
    return height.parse(await this.#evaluate(NOTE_SHOWN));
  }

  /** Evaluates an expression. Throws NeverRests if the page is too busy to do that in time, such as to draw a frame. */
  #evaluate(expression: string): Promise<unknown> {
    return withinTime(this.#open.evaluate(expression), MAX_STEP_MS, () => new NeverRests());
  }

  async #pass(): Promise<void> {
    const { clock, deadline, isRestless } = this.#open;
    if (isRestless) {
      await deadline.race(pause(RESTLESS_STEP_MS));
      return;
    }
    // Page time must not fall behind real time, because the browser then draws nothing.
    const stepMs = this.#steps.pageMs;
    const pageMs = Math.max(stepMs, this.#realMs - this.#pageMs + stepMs);
    this.#pageMs += pageMs;
    if (!(await deadline.race(clock.pass('advance', pageMs, MAX_STEP_MS)))) throw new NeverRests();
  }

  /**
   * Waits until everything that the page has requested has arrived, or for a limited time. Once a request did not end
   * in time, lets only the time of one step pass. Does nothing for a restless page.
   */
  async #load(): Promise<void> {
    const { clock, deadline, yieldDuring, isRestless } = this.#open;
    if (isRestless) return;
    const isThere =
      !this.#isHeldUp &&
      (await yieldDuring(
        deadline.race(clock.pass('pauseIfNetworkFetchesPending', LOADING_PAGE_MS, MAX_LOADING_MS)),
      ));
    this.#isHeldUp = !isThere;
    if (isThere) this.#pageMs += LOADING_PAGE_MS;
    else await this.#pass();
  }
}

/**
 * The share of the window to scroll at a time, so that the page's scripts see everything that they watch; undefined
 * if nothing needs to be scrolled into view. `isQuiet` says whether page time has passed and every request has its
 * response.
 */
async function stepShare(
  open: OpenPage,
  { hadScripts, hasLazyElements, isInner }: z.output<typeof look>,
  isQuiet: boolean,
): Promise<number | undefined> {
  if (!hadScripts) return hasLazyElements ? 1 : undefined;
  const [inStripes, inHalves, atAll, isUnnoticed] = await Promise.all([
    open.isTrueInPage(watchesScrolling(2 * STRIPE_STEP)),
    open.isTrueInPage(watchesScrolling(WATCHED_STEP)),
    open.isTrueInPage(watchesScrolling(Infinity)),
    open.isTrueInPage(NONE_NOTICES_SCROLLING),
  ]);
  if (inStripes) return STRIPE_STEP;
  if (inHalves) return WATCHED_STEP / 2;
  if (atAll) return WATCHED_STEP;
  return isQuiet && isUnnoticed && !hasLazyElements && !isInner ? undefined : 1;
}

/**
 * Waits for data that a page with scripts requests after it has loaded. Returns whether every request ended in time.
 * Throws NeverRests if the page is too busy.
 */
async function waitForLateData(open: OpenPage): Promise<boolean> {
  const { clock, deadline, yieldDuring } = open;
  await waitForFirstMessages(open);
  await controlAnimationFrames(open);
  const startedMs = performance.now();
  const { page, real } = FIRST_WAIT_MS;
  const isThere = await yieldDuring(deadline.race(clock.pass('pauseIfNetworkFetchesPending', page, real)));
  const missingMs = performance.now() - startedMs;
  if (!isThere && !(await deadline.race(clock.pass('advance', missingMs, MAX_STEP_MS))))
    throw new NeverRests();
  clock.keepPace();
  return isThere;
}

/**
 * Scrolls through the page as a person would, in the size of its window, so that content appears that is only shown
 * when it is in view. Throws NeverRests if the page is too busy.
 */
export async function scrollPage(
  open: OpenPage,
  { javaScript = true }: PageRequest,
  range: ScrollRange,
): Promise<ScrollResult> {
  // If scripts are off, scrolling is not needed, because the browser then loads everything at once.
  if (!javaScript) return NOT_SCROLLED;
  let page = look.parse(await open.evaluate(LOOK));
  let isQuiet = false;
  if (page.hadScripts && !open.isRestless) {
    isQuiet = await waitForLateData(open);
    page = look.parse(await open.evaluate(LOOK));
  }
  const depth = Math.min(range.depth, range.maxHeight);
  if (Math.min(page.height, depth) <= page.windowHeight) return NOT_SCROLLED;
  const [share, mayStopWheel] = await Promise.all([
    stepShare(open, page, isQuiet),
    open.isTrueInPage(MAY_STOP_WHEEL),
  ]);
  if (share === undefined) return NOT_SCROLLED;
  await open.isTrueInPage(KEEP_IN_SIGHT);
  await open.evaluate(BEGIN);
  const pixels = Math.max(page.windowHeight * share, Math.min(page.height, depth) / MAX_STEPS);
  const scrolling = new Scrolling(open, {
    pixels,
    pageMs: Math.ceil(PAGE_MS_PER_WINDOW * share),
    // Scripts that scroll in place of the browser would scroll against these steps.
    wheelPixels: mayStopWheel ? 0 : pixels,
  });
  const { whole, isAtEnd } = await scrolling.scrollDown(page.height, page.windowHeight, { ...range, depth });
  await scrolling.end(range.endsAtTop);
  const { maxHeight } = range;
  return {
    isOvergrown: page.height <= maxHeight && whole > maxHeight,
    isWhole: isAtEnd && (range.depth <= maxHeight || whole <= maxHeight),
  };
}
