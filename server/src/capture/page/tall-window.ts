import { z } from 'zod';
import { settledWithin } from '../../platform/within-time.js';
import { setViewport } from '../browser/blank-page.js';
import { freezeStyles } from './freeze-styles.js';
import type { OpenPage } from './open-page.js';
import {
  ALL_ELEMENTS,
  FIND_SCROLLER,
  IS_VIRTUAL,
  KEEP_SIZE,
  LAID_OUT_PARENT,
  PAGE_HEIGHT,
} from './page-scroller.js';
import { type PageWindow, viewOf } from './page-window.js';
import { CANNOT_CHANGE, NOTHING_TO_COME } from './still-document.js';

/**
 * Shows all of an inner element that scrolls, as if the document scrolled: the element and everything around it
 * become as tall as their content. Elements whose height depends on it keep their height.
 */
const UNROLL = `(() => {
  ${FIND_SCROLLER};
  const scroller = globalThis.signpostScroller;
  if (scroller === null) return;
  scroller.scrollTop = 0;
  const parentOf = ${LAID_OUT_PARENT};
  const inside = [...scroller.children, ...[...scroller.children].flatMap(({ children }) => [...children])];
  const heights = new Map(inside.slice(0, 5_000).map((element) => [element, element.offsetHeight]));
  const { scrollHeight } = scroller;
  const set = (element, styles) => {
    for (const [name, value] of Object.entries(styles)) element.style?.setProperty(name, value, 'important');
  };
  const isWide = scroller.scrollWidth > scroller.clientWidth && getComputedStyle(scroller).overflowX !== 'hidden';
  for (let element = scroller; element instanceof Element; element = parentOf(element)) {
    const { position, overflowX } = getComputedStyle(element);
    set(element, {
      height: 'auto', 'max-height': 'none', contain: 'none', 'scroll-snap-type': 'none',
      'overflow-x': isWide || overflowX === 'visible' ? 'visible' : 'clip', 'overflow-y': 'visible',
    });
    if (position === 'fixed') set(element, { position: 'absolute' });
    if (position === 'fixed' || position === 'absolute') set(element, { bottom: 'auto' });
  }
  for (const [element, height] of heights)
    if (element.offsetHeight < height) set(element, { 'min-height': height + 'px', 'box-sizing': 'border-box' });
  if (scroller.offsetHeight < scrollHeight * 0.9) set(scroller, { 'min-height': scrollHeight + 'px' });
  globalThis.signpostUnrolled = scroller;
})()`;

/** Shows all of an inner element that scrolls in place of the document. */
export const unroll = (open: OpenPage): Promise<unknown> => open.evaluate(UNROLL);

/**
 * Two scripts. The first records the height of each element. The second gives elements that have grown with the window
 * their recorded height back, and evaluates to whether the page may still change once the larger window is drawn.
 */
const NOTE_HEIGHTS = `globalThis.signpostHeights = new Map(
  ${ALL_ELEMENTS}.map((element) => [element, element.offsetHeight]))`;
const KEEP_HEIGHTS = `(() => {
  const isBackdrop = (element) => getComputedStyle(element).position === 'fixed' && element.textContent.trim() === '';
  const grown = [...signpostHeights].filter(([element, height]) => element.offsetHeight > height);
  const backdrops = grown.filter(([element]) => isBackdrop(element)).map(([element]) => element);
  for (const [element, height] of grown) {
    // An element without text that is behind the whole page must cover all of it.
    if (backdrops.some((backdrop) => backdrop.contains(element))) continue;
    for (const [name, value] of [['height', height + 'px'], ['max-height', height + 'px'], ['min-height', '0']])
      element.style?.setProperty(name, value, 'important');
  }
  return !${NOTHING_TO_COME} ||
    [...signpostHeights.keys()].some((element) => getComputedStyle(element).contentVisibility !== 'visible');
})()`;

/** Hides from the page's scripts that its window has grown. */
const keepWindow = ({ width, height }: { readonly width: number; readonly height: number }) => `(() => {
  ${KEEP_SIZE};
  for (const [name, value] of [['innerWidth', ${width}], ['innerHeight', ${height}]])
    Object.defineProperty(window, name, { configurable: true, get: () => value });
  return true;
})()`;
const keepWidth = (width: number) =>
  `document.documentElement.style.setProperty('width', '${width}px', 'important')`;
const TELL_SCROLLER = `globalThis.signpostUnrolled?.dispatchEvent(new Event('scroll'))`;

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
 * A window as tall as its page, so that everything is in view. Styles and scripts still see the requested window,
 * except scripts of long lists, which would otherwise leave out most of the list.
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

  /** Makes a window as tall as its page, but at most as tall as this number of CSS pixels. */
  static async grow(open: OpenPage, window: PageWindow, maxHeight: number): Promise<TallWindow> {
    await unroll(open);
    const { zoom, width, height } = await viewOf(open, window);
    const tall = new TallWindow(open, window, maxHeight, zoom, { width, height });
    await tall.fit();
    await open.evaluate(TELL_SCROLLER);
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

  /** Fixes what styles and scripts derive from the window's size. */
  async #keep(): Promise<void> {
    if (this.#isKept) return;
    this.#isKept = true;
    const open = this.#open;
    const view = this.#view;
    await freezeStyles(open);
    // Skipped for a document that cannot change, because there our own script would count as a script of the page.
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
