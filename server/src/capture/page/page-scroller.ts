import { z } from 'zod';
import type { OpenPage } from './open-page.js';
import { HAD_SCRIPTS } from './still-document.js';

/** Below this, the document counts as not scrolling if an inner element does: many app shells are a little too tall. */
const LITTLE_PIXELS = 100;
/** The share of the window that an inner element must fill to be what a person would scroll. */
const MAIN_SHARE = 0.5;
const MAX_MEASURED = 20_000;

/** Calls a method of an element by its prototype: a field of a form can hide the form's own methods. */
const ofElement = (method: string, ...words: readonly string[]) =>
  `Element.prototype.${method}.call(${['element', ...words].join()})`;

/** All elements of the document and of its open shadow trees. */
export const ALL_ELEMENTS = `((root) => {
  const all = [];
  const roots = [root];
  for (let at = 0; at < roots.length; at += 1)
    for (const element of roots[at].querySelectorAll('*')) {
      if (all.length === ${MAX_MEASURED}) return all;
      all.push(element);
      const { shadowRoot } = element;
      if (shadowRoot instanceof ShadowRoot) roots.push(shadowRoot);
    }
  return all;
})(document)`;

/** The parent of an element as it is laid out, through slots and shadow trees. */
export const LAID_OUT_PARENT =
  '((element) => element.assignedSlot ?? element.parentElement ?? element.getRootNode().host ?? null)';

/**
 * Finds what a person would scroll: the document, or if that does not scroll, an inner element that fills most of the
 * window. The result is in `globalThis.signpostScroller`; the document's is null.
 */
export const FIND_SCROLLER = `(() => {
  const root = document.scrollingElement ?? document.documentElement;
  globalThis.signpostScroller = null;
  if (root === null || root.scrollHeight > innerHeight + ${LITTLE_PIXELS}) return;
  const least = ${MAIN_SHARE} * innerWidth * innerHeight;
  const mayScroll = (element) =>
    element !== root && element.clientWidth * element.clientHeight >= least &&
    element.scrollHeight > element.clientHeight + 1 &&
    ['auto', 'scroll'].includes(getComputedStyle(element).overflowY) && ${ofElement('checkVisibility')};
  const range = (element) => element.scrollHeight - element.clientHeight;
  for (const element of ${ALL_ELEMENTS})
    if (mayScroll(element) && (signpostScroller === null || range(element) > range(signpostScroller)))
      globalThis.signpostScroller = element;
})()`;

export const PAGE_HEIGHT = `Math.max(
  document.documentElement?.scrollHeight ?? 0,
  document.body?.scrollHeight ?? 0,
  document.scrollingElement?.scrollHeight ?? 0,
)`;

/** The whole scroll height of the page in pixels. */
export const pageHeight = async (open: Pick<OpenPage, 'evaluate'>): Promise<number> =>
  Math.ceil(z.number().parse(await open.evaluate(PAGE_HEIGHT)));

/** The height of a page, and whether anything on it waits for being scrolled to. */
export const LOOK = `(() => {
  ${FIND_SCROLLER};
  const inner = globalThis.signpostScroller;
  const lazy = '[loading="lazy" i]';
  return {
    height: inner === null ? ${PAGE_HEIGHT} : inner.scrollHeight,
    windowHeight: inner === null ? innerHeight : inner.clientHeight,
    hadScripts: ${HAD_SCRIPTS},
    hasLazyElements: ${ALL_ELEMENTS}.some((element) => ${ofElement('matches', 'lazy')}),
  };
})()`;

export const look = z.object({
  height: z.number(),
  windowHeight: z.number().positive(),
  hadScripts: z.boolean(),
  hasLazyElements: z.boolean(),
});

const SCROLL_TO = `((top) => {
  const element = globalThis.signpostScroller ?? document.scrollingElement ?? document.documentElement;
  ${ofElement('scrollTo', "{ top, behavior: 'instant' }")};
})`;

const SAMPLE = 'element.textContent.slice(0, 100)';
const LOOKS = `['class', 'style'].map((name) => ${ofElement('getAttribute', 'name')})`;
const IS_SEEN = ofElement('checkVisibility', '{ opacityProperty: true, visibilityProperty: true }');

/** Begins to scroll: notes where the page stands, and what is not seen yet. Scripts show that by class or style. */
export const BEGIN = `(() => {
  const scroller = globalThis.signpostScroller ?? document.scrollingElement ?? document.documentElement;
  globalThis.signpostStart = scroller.scrollTop;
  globalThis.signpostUnseen = new Map();
  globalThis.signpostShown = new Map();
  globalThis.signpostSamples = new Map();
  for (const element of ${ALL_ELEMENTS}) if (!${IS_SEEN}) signpostUnseen.set(element, ${LOOKS});
})()`;

/** Scrolls to a position, and resolves when a frame is drawn there. */
export const stepTo = (top: number) => `(async () => {
  ${SCROLL_TO}(${top});
  await new Promise((resolve) => requestAnimationFrame(() => resolve()));
})()`;

/**
 * Records the looks of elements in the window that scripts have changed, and samples of the text there. Evaluates to
 * the height of the page.
 */
export const NOTE_SHOWN = `(() => {
  for (const [element, before] of signpostUnseen) {
    const { top, bottom } = ${ofElement('getBoundingClientRect')};
    if (bottom < 0 || top > innerHeight) continue;
    const looks = ${LOOKS};
    if (looks.some((look, at) => look !== before[at])) signpostShown.set(element, looks);
  }
  for (const share of [0.25, 0.5, 0.75]) {
    const element = document.elementFromPoint(innerWidth / 2, innerHeight * share);
    if (element !== null && !signpostSamples.has(element)) signpostSamples.set(element, ${SAMPLE});
  }
  const inner = globalThis.signpostScroller;
  return inner === null ? ${PAGE_HEIGHT} : inner.scrollHeight;
})()`;

/** Evaluates to whether the page only has elements for what is in its window, as long lists do. */
export const IS_VIRTUAL = `[...(globalThis.signpostSamples ?? [])].some(
  ([element, text]) => !element.isConnected || ${SAMPLE} !== text)`;

/** Scripts that follow the scrolling hide again what is no longer in the window. It gets back its looks there. */
export const SHOW_AGAIN = `for (const [element, looks] of globalThis.signpostShown ?? [])
  if (!${IS_SEEN})
    ['class', 'style'].forEach((name, at) => {
      if (looks[at] === null) ${ofElement('removeAttribute', 'name')};
      else ${ofElement('setAttribute', 'name', 'looks[at]')};
    });`;

/** Scrolls back to where the page stood, or to its top. */
export const endAt = (isTop: boolean) => `(async () => {
  ${SCROLL_TO}(${isTop ? 0 : 'globalThis.signpostStart'});
  await new Promise((resolve) => requestAnimationFrame(() => resolve()));
  ${SHOW_AGAIN}
})()`;

/** The share of the window in which scripts count an element as seen. Set by the script below. */
const sightShare = "window[Symbol.for('signpost.sightShare')]";
export const watchesScrolling = (maxShare: number) => `${sightShare} <= ${maxShare}`;
/** From now on scripts are not told that an element has left the window. */
export const KEEP_IN_SIGHT = "window[Symbol.for('signpost.keepsInSight')] = true";

/** From now on scripts get no event about the size of the window, and media queries keep their outcome. */
export const KEEP_SIZE = "window[Symbol.for('signpost.keepsSize')] = true";

/**
 * Runs before the page's own scripts. Notes whether they watch what is in the window, and in how much of it, and can
 * keep from them that something has left it.
 */
export const NOTE_SCROLL_WATCHERS = `(() => {
  const share = Symbol.for('signpost.sightShare');
  const note = (seen) => { window[share] = Math.min(window[share] ?? 1, seen); };
  const marginShare = (margin) => {
    const value = parseFloat(margin) || 0;
    return margin.endsWith('%') ? value / 100 : value / innerHeight;
  };
  const seenShare = (options) => {
    const [top, , bottom = top] = String(options?.rootMargin ?? '0px').trim().split(/\\s+/u);
    return 1 + marginShare(top) + marginShare(bottom);
  };
  const keeping = (callback) => typeof callback !== 'function' ? callback : function (entries, observer) {
    const told = window[Symbol.for('signpost.keepsInSight')] === true
      ? entries.filter(({ isIntersecting }) => isIntersecting)
      : entries;
    if (told.length > 0) callback.call(this, told, observer);
  };
  window.IntersectionObserver = new Proxy(window.IntersectionObserver, {
    construct(target, [callback, options, ...rest], newTarget) {
      const observer = Reflect.construct(target, [keeping(callback), options, ...rest], newTarget);
      note(seenShare(options));
      return observer;
    },
  });
  const keepsSize = () => window[Symbol.for('signpost.keepsSize')] === true;
  const mute = (event) => {
    if (keepsSize()) event.stopImmediatePropagation();
  };
  for (const target of [window, visualViewport]) target.addEventListener('resize', mute);
  const { get: matches } = Object.getOwnPropertyDescriptor(MediaQueryList.prototype, 'matches');
  const match = window.matchMedia;
  window.matchMedia = function matchMedia(...media) {
    const list = match.apply(window, media);
    let last;
    const now = () => (last = keepsSize() ? (last ?? matches.call(list)) : matches.call(list));
    now();
    list.addEventListener('change', (event) => {
      mute(event);
      now();
    });
    Object.defineProperty(list, 'matches', { configurable: true, get: now });
    return list;
  };
  const add = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function addEventListener(type, ...rest) {
    if (type === 'scroll') note(1);
    return add.call(this, type, ...rest);
  };
})()`;
