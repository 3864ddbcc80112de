import { z } from 'zod';
import { settledWithin } from '../../platform/within-time.js';
import { setViewport } from '../browser/blank-page.js';
import { freezeStyles } from './freeze-styles.js';
import type { OpenPage } from './open-page.js';
import { KEEP_HEIGHTS, NOTE_HEIGHTS } from './kept-heights.js';
import { IS_CUT_SIDEWAYS, IS_VIRTUAL, PAGE_HEIGHT } from './page-scroller.js';
import { type PageWindow, viewOf } from './page-window.js';
import { KEEP_SIZE } from './scroll-watchers.js';
import { CANNOT_CHANGE } from './still-document.js';
import { unroll } from './unroll.js';

/** A script that hides from the page's scripts that its window has grown. */
const keepWindow = ({ width, height }: { readonly width: number; readonly height: number }) => `(() => {
  ${KEEP_SIZE};
  for (const [owner, name, value] of [
    [window, 'innerWidth', ${width}], [window, 'innerHeight', ${height}], [visualViewport, 'height', ${height}],
    [document.documentElement, 'clientHeight', ${height}],
  ])
    Object.defineProperty(owner, name, { configurable: true, get: () => value });
  return true;
})()`;
const keepWidth = (width: number) =>
  `document.documentElement.style.setProperty('width', '${width}px', 'important')`;
const MAX_SIDEWAYS_STEPS = 20;
/**
 * A script that dispatches a scroll event to an unrolled inner element, so that the page's scripts notice that all of
 * it is in view. Then scrolls a page that is wider than its window sideways and back, by at most MAX_SIDEWAYS_STEPS
 * windows, so that what is beside the window has been in view too.
 */
const SHOW_ALL = `(async () => {
  globalThis.signpostUnrolled?.dispatchEvent(new Event('scroll'));
  const root = document.scrollingElement ?? document.documentElement;
  if (root === null || ${IS_CUT_SIDEWAYS}) return;
  const sideways = getComputedStyle(document.documentElement).direction === 'rtl' ? -1 : 1;
  const scrollTo = (left) => Element.prototype.scrollTo.call(root, { left, behavior: 'instant' });
  const before = root.scrollLeft;
  for (let step = 1; step * innerWidth < root.scrollWidth && step <= ${MAX_SIDEWAYS_STEPS}; step += 1) {
    scrollTo(step * sideways * innerWidth);
    await new Promise((resolve) => requestAnimationFrame(() => resolve()));
    if (root.scrollLeft === before) return;
  }
  if (root.scrollLeft !== before) scrollTo(before);
})()`;

/** A page that draws no frame in this time is too busy to wait for. */
const MAX_FRAME_MS = 1_000;
const NEXT_FRAME = 'new Promise((resolve) => requestAnimationFrame(() => resolve()))';

const pixels = z.number();
/**
 * Evaluates to whether the page may have become shorter than its window, as far as that can be seen without another
 * layout.
 */
const MAY_BE_LESS = `Math.max(...[document.documentElement, document.body]
  .map((element) => element?.getBoundingClientRect().bottom ?? 0)) + scrollY < innerHeight - 1`;

/**
 * A window as tall as its page, up to a maximum. As far as possible, styles and scripts still see the requested window,
 * except scripts of virtual lists, which would otherwise leave out most of the list.
 */
export class TallWindow {
  #height: number;
  #isKept = false;
  #open: OpenPage;
  readonly #window: PageWindow;
  readonly #maxHeight: number;
  readonly #zoom: number;
  readonly #view: { readonly width: number; readonly height: number };

  constructor(
    open: OpenPage,
    window: PageWindow,
    maxHeight: number,
    zoom: number,
    view: { readonly width: number; readonly height: number },
  ) {
    this.#open = open;
    this.#window = window;
    this.#maxHeight = maxHeight;
    this.#zoom = zoom;
    this.#view = view;
    this.#height = view.height;
  }

  /** Makes the window as tall as its page: at most `maxHeight` CSS pixels, but no lower than the requested window. */
  static async grow(open: OpenPage, window: PageWindow, maxHeight: number): Promise<TallWindow> {
    await unroll(open);
    const { zoom, width, height } = await viewOf(open, window);
    const tall = new TallWindow(open, window, maxHeight, zoom, { width, height });
    await tall.fit();
    await open.deadline.race(settledWithin(open.evaluate(SHOW_ALL), MAX_FRAME_MS));
    return tall;
  }

  /** The height of the window in CSS pixels. */
  get height(): number {
    return this.#height;
  }

  /** Fits the window to its page again. Returns the height of the page. */
  async fit(): Promise<number> {
    const open = this.#open;
    const whole = await this.#measureAnew();
    const height = Math.max(this.#view.height, Math.min(whole, this.#maxHeight));
    if (height === this.#height) return whole;
    await this.#keep();
    await open.evaluate(NOTE_HEIGHTS);
    await this.#set(height);
    if ((await open.evaluate(KEEP_HEIGHTS)) !== true) return whole;
    await open.deadline.race(settledWithin(open.evaluate(NEXT_FRAME), MAX_FRAME_MS));
    return Math.max(whole, await this.#measure());
  }

  /** Measures the page's height even if it is less than that of the grown window. */
  async #measureAnew(): Promise<number> {
    const grown = this.#height;
    if (grown === this.#view.height || (await this.#open.evaluate(MAY_BE_LESS)) !== true)
      return this.#measure();
    await this.#set(this.#view.height);
    const whole = await this.#measure();
    await this.#set(grown);
    return whole;
  }

  /**
   * Makes the window wider. The page keeps its width and its starting edge: the right one if it is written from
   * right to left, otherwise the left one.
   */
  async widen(width: number): Promise<void> {
    const open = this.#open;
    const view = this.#view;
    const zoom = this.#zoom;
    await this.#keep();
    await open.evaluate(keepWidth(view.width));
    const size = { width: Math.ceil(width * zoom), height: Math.ceil(this.#height * zoom) };
    await open.deadline.race(setViewport(open.protocol, { ...this.#window, ...size }));
  }

  /** Freezes what styles and scripts derive from the window's size. */
  async #keep(): Promise<void> {
    if (this.#isKept) return;
    this.#isKept = true;
    const open = this.#open;
    const view = this.#view;
    await freezeStyles(open);
    // Skipped for virtual lists, which would otherwise leave out most of the list, and for a document that cannot
    // change, because there our own script would count as a script of the page.
    if ((await open.evaluate(`!${CANNOT_CHANGE} && !${IS_VIRTUAL}`)) === true)
      await open.isTrueInPage(keepWindow(view));
  }

  /** Gives the window its requested height again, for another document. */
  async restore(): Promise<void> {
    if (this.#height !== this.#view.height) await this.#set(this.#view.height);
  }

  async #set(height: number): Promise<void> {
    this.#height = height;
    const { protocol, deadline } = this.#open;
    await deadline.race(setViewport(protocol, { ...this.#window, height: Math.ceil(height * this.#zoom) }));
  }

  async #measure(): Promise<number> {
    return Math.ceil(pixels.parse(await this.#open.evaluate(PAGE_HEIGHT)));
  }
}
