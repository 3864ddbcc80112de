import { z } from 'zod';
import { untilPainted } from './load-page.js';
import type { OpenPage } from './open-page.js';

const MAX_SCROLLING_MS = 3_000;
const MAX_LOADING_MS = 1_500;
const LOOK_EVERY_MS = 50;

/**
 * Scrolls through the page by its window's height and back, a frame at each stop, so that what loads when it comes
 * into view is there. A page that grows while it is scrolled is followed for the time limit only.
 */
const SCROLL_THROUGH = `(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => resolve()));
  const root = document.scrollingElement ?? document.documentElement;
  const until = performance.now() + ${MAX_SCROLLING_MS};
  for (let y = 0; y < root.scrollHeight && performance.now() < until; y += innerHeight) {
    scrollTo({ top: y, behavior: 'instant' });
    await frame();
  }
  scrollTo({ top: 0, behavior: 'instant' });
  return root.scrollHeight;
})()`;

/** Resolves when every image is there and nothing more has come between two looks, after a bounded time at the latest. */
const UNTIL_THERE = `(async () => {
  const fetched = () => performance.getEntriesByType('resource').length;
  const until = performance.now() + ${MAX_LOADING_MS};
  let before = -1;
  while (performance.now() < until && (before !== fetched() || [...document.images].some((image) => !image.complete))) {
    before = fetched();
    await new Promise((resolve) => setTimeout(resolve, ${LOOK_EVERY_MS}));
  }
})()`;

/** Set by a page's own observers and listeners; `Symbol.for` is the same in every script of the page. */
const WATCHES_SCROLLING = "Symbol.for('signpost.watchesScrolling') in window";

/** Runs before the page's own scripts and notes that one of them waits for the page to be scrolled. */
export const NOTE_SCROLL_WATCHERS = `(() => {
  const note = () => { window[Symbol.for('signpost.watchesScrolling')] = true; };
  window.IntersectionObserver = new Proxy(window.IntersectionObserver, {
    construct(target, given, newTarget) { note(); return Reflect.construct(target, given, newTarget); },
  });
  const add = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function addEventListener(type, ...rest) {
    if (type === 'scroll') note();
    return add.call(this, type, ...rest);
  };
})()`;

const HAS_LAZY_ELEMENTS = 'document.querySelector(\'[loading="lazy"]\') !== null';

const PAGE_HEIGHT = `Math.max(
  document.documentElement.scrollHeight,
  document.body?.scrollHeight ?? 0,
  document.scrollingElement?.scrollHeight ?? 0,
)`;

const pixels = z.number();

/** The whole scroll height of the page in pixels. */
export const pageHeight = async (open: OpenPage): Promise<number> =>
  Math.ceil(pixels.parse(await open.evaluate(PAGE_HEIGHT)));

const isWaitingForSight = async (open: OpenPage) =>
  (await open.evaluate(HAS_LAZY_ELEMENTS)) === true ||
  (await open.evaluateInPage(WATCHES_SCROLLING)) === true;

/** Makes content that loads on sight load, where the page has any, and waits for it a bounded time. */
export async function revealLazyContent(open: OpenPage): Promise<void> {
  if (!(await isWaitingForSight(open))) return;
  await open.evaluate(SCROLL_THROUGH);
  await open.evaluate(UNTIL_THERE);
  await untilPainted(open);
}
