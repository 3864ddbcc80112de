import { z } from 'zod';
import { setViewport } from '../browser/blank-page.js';
import { untilPainted } from './load-page.js';
import type { OpenPage } from './open-page.js';
import type { PageRequest } from './page-request.js';
import { type PageWindow, viewOf } from './page-window.js';
import { HAD_SCRIPTS } from './still-document.js';

const MAX_LOADING_MS = 3_000;
const LOOK_EVERY_MS = 50;
/** How long a page may be at work between two looks: what it will fetch is not known before. */
const MAX_BUSY_MS = 500;
/** What loads may make the page taller, and so bring more into sight; a page that grows for ever is not followed. */
const MAX_ROUNDS = 3;

/** Scripts look for what is in sight up to five times a second: as long as between two of these looks nothing may come. */
const SCRIPTS_LOOK_EVERY_MS = 200;

/**
 * Tells scripts that look for themselves that there is more in sight, then resolves when every image is there and
 * nothing more has come for so long, after a bounded time at the latest.
 */
const untilThere = (quietMs: number) => `(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => resolve()));
  const fetched = () => performance.getEntriesByType('resource').length;
  const isAwaited = (image) => !image.complete && image.checkVisibility();
  const until = performance.now() + ${MAX_LOADING_MS};
  await frame();
  document.dispatchEvent(new Event('scroll', { bubbles: true }));
  await frame();
  let before = -1;
  let quietMs = 0;
  while (performance.now() < until && (quietMs < ${quietMs} || [...document.images].some(isAwaited))) {
    quietMs = before === fetched() ? quietMs + ${LOOK_EVERY_MS} : 0;
    before = fetched();
    await new Promise((resolve) => setTimeout(resolve, ${LOOK_EVERY_MS}));
    await new Promise((resolve) => requestIdleCallback(resolve, { timeout: ${MAX_BUSY_MS} }));
  }
})()`;

const MAX_MEASURED = 20_000;

/** Calls a method of an element by its prototype: a field of a form that is named so takes the place of the form's own. */
const ofElement = (method: string, ...words: readonly string[]) =>
  `Element.prototype.${method}.call(${['element', ...words].join()})`;

/** What is as tall as the window would grow with it, and push the rest out of sight: it keeps the height it had. */
const MEASURE_HEIGHTS = `globalThis.heights = new Map(
  [...document.querySelectorAll('body *')].slice(0, ${MAX_MEASURED}).map((element) => [element, element.offsetHeight]));
  globalThis.pinned ??= new Map();`;
const PIN_HEIGHTS = `{
  const grown = [...heights].filter(([element, height]) => element.offsetHeight > height);
  for (const [element, height] of grown) {
    if (!pinned.has(element)) pinned.set(element, ${ofElement('getAttribute', '"style"')});
    for (const [name, value] of [['height', height + 'px'], ['max-height', height + 'px'], ['min-height', '0']])
      element.style.setProperty?.(name, value, 'important');
  }
}`;
const UNPIN_HEIGHTS = `for (const [element, style] of globalThis.pinned ?? [])
  if (style === null) ${ofElement('removeAttribute', '"style"')}; else ${ofElement('setAttribute', '"style"', 'style')};
  globalThis.pinned = new Map();`;

const IS_SEEN = ofElement('checkVisibility', '{ opacityProperty: true, visibilityProperty: true }');
/** What is not seen until the page is scrolled to it, with how it looks: scripts show it by its class or style. */
const NOTE_UNSEEN = `globalThis.unseen = [...document.querySelectorAll('body *')].slice(0, ${MAX_MEASURED})
  .filter((element) => !${IS_SEEN})
  .map((element) => [element, ${ofElement('getAttribute', '"class"')}, ${ofElement('getAttribute', '"style"')}]);`;
/** Those of them that look otherwise in the tall window, with their new looks. */
const NOTE_SHOWN = `globalThis.shown = unseen.flatMap(([element, ...before]) => {
  const looks = ['class', 'style'].map((name) => ${ofElement('getAttribute', 'name')});
  return looks.every((look, index) => look === before[index]) ? [] : [[element, looks]];
})`;
/** Scripts that follow the scrolling hide again what is no longer in sight; it gets back the looks that it had there. */
export const SHOW_AGAIN = `for (const [element, looks] of globalThis.shown ?? [])
  if (!${IS_SEEN})
    ['class', 'style'].forEach((name, index) => {
      if (looks[index] === null) ${ofElement('removeAttribute', 'name')};
      else ${ofElement('setAttribute', 'name', 'looks[index]')};
    });`;

/** Set by a page's own observers and listeners; `Symbol.for` is the same in every script of the page. */
const WATCHES_SCROLLING = "Symbol.for('signpost.watchesScrolling') in window";
const KEEP_IN_SIGHT = "window[Symbol.for('signpost.keepsInSight')] = true";

/**
 * Runs before the page's own scripts, notes that one of them waits for the page to be scrolled, and keeps from them
 * that what they have seen is out of sight again.
 */
export const NOTE_SCROLL_WATCHERS = `(() => {
  const note = () => { window[Symbol.for('signpost.watchesScrolling')] = true; };
  const keeping = (callback) => typeof callback !== 'function' ? callback : function (entries, observer) {
    const told = window[Symbol.for('signpost.keepsInSight')] === true
      ? entries.filter(({ isIntersecting }) => isIntersecting)
      : entries;
    if (told.length > 0) callback.call(this, told, observer);
  };
  window.IntersectionObserver = new Proxy(window.IntersectionObserver, {
    construct(target, [callback, ...rest], newTarget) {
      note();
      return Reflect.construct(target, [keeping(callback), ...rest], newTarget);
    },
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

/** How tall the page is, and what on it may wait for sight. */
const LOOK = `({ height: ${PAGE_HEIGHT}, hasLazyElements: ${HAS_LAZY_ELEMENTS}, hadScripts: ${HAD_SCRIPTS} })`;
const look = z.object({ height: pixels, hasLazyElements: z.boolean(), hadScripts: z.boolean() });

/** For how long nothing may come until all that waited for sight is there; undefined where nothing waits for it. */
async function quietTimeOf(
  open: OpenPage,
  { hasLazyElements, hadScripts }: z.output<typeof look>,
): Promise<number | undefined> {
  if (hadScripts && (await open.isTrueInPage(WATCHES_SCROLLING))) return SCRIPTS_LOOK_EVERY_MS;
  return hasLazyElements ? LOOK_EVERY_MS : undefined;
}

/**
 * Makes content that loads on sight load, where the page has any, and waits for it a bounded time: the window is made
 * as tall as the page, which is not scrolled, and then as it was. Without scripts the browser loads everything at once.
 */
export async function revealLazyContent(
  open: OpenPage,
  { javaScript = true, ...window }: PageRequest & PageWindow,
  maxHeightPixels: number,
): Promise<void> {
  if (!javaScript) return;
  const { protocol, deadline } = open;
  const { height, zoom } = await viewOf(open, window);
  const maxHeight = maxHeightPixels / (zoom * window.scaleFactor);
  let seen = height;
  const looked = look.parse(await open.evaluate(LOOK));
  let whole = Math.ceil(looked.height);
  if (whole <= seen || whole > maxHeight) return;
  const quietMs = await quietTimeOf(open, looked);
  if (quietMs === undefined) return;
  await open.evaluate(NOTE_UNSEEN);
  try {
    for (let round = 0; round < MAX_ROUNDS && whole > seen && whole <= maxHeight; round += 1) {
      seen = whole;
      await open.evaluate(MEASURE_HEIGHTS);
      await deadline.race(setViewport(protocol, { ...window, height: Math.ceil(whole * zoom) }));
      await open.evaluate(PIN_HEIGHTS);
      await open.evaluate(untilThere(quietMs));
      whole = await pageHeight(open);
    }
    if (looked.hadScripts) await open.isTrueInPage(KEEP_IN_SIGHT);
    await open.evaluate(UNPIN_HEIGHTS);
    await open.evaluate(NOTE_SHOWN);
  } finally {
    await deadline.race(setViewport(protocol, window));
  }
  await untilPainted(open);
}
