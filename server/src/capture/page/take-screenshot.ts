import type { CaptureScreenshotRequest } from '@signpost/contract';
import { z } from 'zod';
import { ServiceError } from '../../platform/errors.js';
import { untilPainted } from './load-page.js';
import type { OpenPage } from './open-page.js';

const MAX_SCROLLING_MS = 3_000;
const QUIET_AFTER_SCROLLING_MS = 1_500;

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
const pageHeight = async (open: OpenPage): Promise<number> =>
  Math.ceil(pixels.parse(await open.evaluate(PAGE_HEIGHT)));

const isWaitingForSight = async (open: OpenPage) =>
  (await open.evaluate(HAS_LAZY_ELEMENTS)) === true ||
  (await open.deadline.race(open.page.evaluate<boolean>(WATCHES_SCROLLING)));

/** Makes content that loads on sight load, where the page has any, and waits for it a bounded time. */
async function revealLazyContent(open: OpenPage): Promise<void> {
  if (!(await isWaitingForSight(open))) return;
  await open.evaluate(SCROLL_THROUGH);
  await open.deadline.race(open.network.untilQuiet(QUIET_AFTER_SCROLLING_MS));
  await untilPainted(open);
}

/** The JPEG format's limit; Chromium answers an empty file beyond it. */
const MAX_JPEG_PIXELS = 65_500;
const JPEG_QUALITY = 85;

async function fullHeight(
  open: OpenPage,
  request: CaptureScreenshotRequest,
  capPixels: number,
): Promise<number> {
  const firstHeight = await pageHeight(open);
  if (firstHeight > request.height && firstHeight <= capPixels) await revealLazyContent(open);
  const height = Math.max(await pageHeight(open), request.height);
  if (height > capPixels) {
    throw new ServiceError(
      'invalidRequest',
      `The page is ${height} pixels tall, more than the ${capPixels} that a full page may have. Leave fullPage out.`,
    );
  }
  if (request.format === 'jpeg' && height > MAX_JPEG_PIXELS) {
    throw new ServiceError(
      'invalidRequest',
      `The page is ${height} pixels tall, more than the ${MAX_JPEG_PIXELS} that a JPEG can have. Use the format png.`,
    );
  }
  return height;
}

/** Pictures the page as it is shown, or all of it. */
export async function takeScreenshot(
  open: OpenPage,
  request: CaptureScreenshotRequest,
  maxPageHeightPixels: number,
): Promise<Buffer> {
  const { width, format, fullPage } = request;
  const clip = fullPage
    ? { clip: { x: 0, y: 0, width, height: await fullHeight(open, request, maxPageHeightPixels), scale: 1 } }
    : {};
  const { data } = await open.deadline.race(
    open.protocol.send('Page.captureScreenshot', {
      format,
      ...(format === 'jpeg' ? { quality: JPEG_QUALITY } : {}),
      // A faster compression of PNG, for files that are 10 to 40 % larger.
      optimizeForSpeed: true,
      captureBeyondViewport: fullPage,
      ...clip,
    }),
  );
  return Buffer.from(data, 'base64');
}
