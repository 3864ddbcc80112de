import { z } from 'zod';
import type { OpenPage } from './open-page.js';
import { HAD_SCRIPTS } from './still-document.js';

/**
 * If an inner element scrolls and the document scrolls by less than this, the inner element counts as the one that
 * people scroll: many pages of apps are slightly too tall.
 */
const LITTLE_PIXELS = 100;
/** The share of the window that an inner element must fill to count as the one that people scroll. */
const MAIN_SHARE = 0.5;
const MAX_MEASURED = 20_000;

/** Calls an element's method through its prototype, because a field of a form can hide the form's own methods. */
const ofElement = (method: string, ...words: readonly string[]) =>
  `Element.prototype.${method}.call(${['element', ...words].join()})`;

/** An expression for all elements of the document and of its open shadow trees. */
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

/** A function that returns the parent of an element in the layout, through slots and shadow trees. */
export const LAID_OUT_PARENT =
  '((element) => element.assignedSlot ?? element.parentElement ?? element.getRootNode().host ?? null)';

/**
 * Finds what a person would scroll: the document or, if that does not scroll, an inner element that fills most of
 * the window. Stores it in `globalThis.signpostScroller`, or null for the document.
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

/** The height of the page in pixels, including what must be scrolled into view. */
export const pageHeight = async (open: Pick<OpenPage, 'evaluate'>): Promise<number> =>
  Math.ceil(z.number().parse(await open.evaluate(PAGE_HEIGHT)));

/** Evaluates to whether the page keeps visitors from scrolling, for example while it shows a splash screen. */
const IS_LOCKED = `[document.documentElement, document.body].some(
  (element) => element !== null && ['hidden', 'clip'].includes(getComputedStyle(element).overflowY))`;

/** Evaluates to the height of a page, and to whether anything on it appears only when it is scrolled into view. */
export const LOOK = `(() => {
  ${FIND_SCROLLER};
  const inner = globalThis.signpostScroller;
  const lazy = '[loading="lazy" i]';
  const height = inner === null ? ${PAGE_HEIGHT} : inner.scrollHeight;
  const windowHeight = inner === null ? innerHeight : inner.clientHeight;
  const isLocked = inner === null && ${IS_LOCKED};
  globalThis.signpostLook = { fits: height <= windowHeight, isLocked, least: windowHeight + ${LITTLE_PIXELS} };
  return {
    height,
    windowHeight,
    hadScripts: ${HAD_SCRIPTS},
    hasLazyElements: ${ALL_ELEMENTS}.some((element) => ${ofElement('matches', 'lazy')}),
    isInner: inner !== null,
  };
})()`;

/**
 * Evaluates to whether the page can be scrolled now although it could not when LOOK was evaluated: it is no longer
 * locked, or its content has outgrown its window since.
 */
export const CAN_SCROLL_NOW = `(() => {
  const { fits, isLocked, least } = globalThis.signpostLook ?? {};
  return (fits === true && ${PAGE_HEIGHT} > least) || (isLocked === true && !${IS_LOCKED});
})()`;

export const look = z.object({
  height: z.number(),
  windowHeight: z.number().positive(),
  hadScripts: z.boolean(),
  hasLazyElements: z.boolean(),
  /** Whether an inner element scrolls in place of the document. */
  isInner: z.boolean(),
});

const SCROLL_TO = `((top) => {
  const element = globalThis.signpostScroller ?? document.scrollingElement ?? document.documentElement;
  ${ofElement('scrollTo', "{ top, behavior: 'instant' }")};
})`;

const SAMPLE = 'element.textContent.slice(0, 100)';
const LOOKS = `['class', 'style'].map((name) => ${ofElement('getAttribute', 'name')})`;
const IS_SEEN = ofElement('checkVisibility', '{ opacityProperty: true, visibilityProperty: true }');

/**
 * Prepares for scrolling: records the scroll position, and which elements are not shown yet. Scripts show such
 * elements by changing their class or style.
 */
export const BEGIN = `(() => {
  const scroller = globalThis.signpostScroller ?? document.scrollingElement ?? document.documentElement;
  globalThis.signpostStart = scroller.scrollTop;
  globalThis.signpostUnseen = new Map();
  globalThis.signpostShown = new Map();
  globalThis.signpostSamples = new Map();
  for (const element of ${ALL_ELEMENTS}) if (!${IS_SEEN}) signpostUnseen.set(element, ${LOOKS});
})()`;

const NEXT_FRAME = 'await new Promise((resolve) => requestAnimationFrame(() => resolve()));';

/** Scrolls to a position, and resolves when a frame is drawn there. */
export const stepTo = (top: number) => `(async () => {
  ${SCROLL_TO}(${top});
  ${NEXT_FRAME}
})()`;

/**
 * Records how scripts have changed the elements in the window, and samples of the text there. Evaluates to the
 * height of the page.
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

/**
 * Notes what is seen, and then scrolls on by this many pixels as far as the page or `depth` reaches. Evaluates to the
 * height of the page, and to the new scroll position, which no longer changes once the end is reached.
 */
export const stepOn = (from: number, pixels: number, windowHeight: number, depth: number) => `(async () => {
  const height = ${NOTE_SHOWN};
  const top = Math.min(${from + pixels}, Math.min(height, ${depth}) - ${windowHeight});
  if (top <= ${from}) return { height, top: ${from} };
  ${SCROLL_TO}(top);
  ${NEXT_FRAME}
  return { height, top };
})()`;

export const stepped = z.object({ height: z.number(), top: z.number() });

/** Evaluates to whether the page only has elements for what is in its window, as long lists do. */
export const IS_VIRTUAL = `[...(globalThis.signpostSamples ?? [])].some(
  ([element, text]) => !element.isConnected || ${SAMPLE} !== text)`;

/** Some scripts hide elements again that have left the window. Gives these elements back the recorded look. */
export const SHOW_AGAIN = `for (const [element, looks] of globalThis.signpostShown ?? [])
  if (!${IS_SEEN})
    ['class', 'style'].forEach((name, at) => {
      if (looks[at] === null) ${ofElement('removeAttribute', 'name')};
      else ${ofElement('setAttribute', 'name', 'looks[at]')};
    });`;

/** Scrolls back to the recorded position, or to the top. */
export const endAt = (isTop: boolean) => `(async () => {
  ${SCROLL_TO}(${isTop ? 0 : 'globalThis.signpostStart'});
  ${NEXT_FRAME}
  ${SHOW_AGAIN}
})()`;

/** The share of the window in which an element must be for scripts to count it as seen. The script below sets it. */
const sightShare = "window[Symbol.for('signpost.sightShare')]";
export const watchesScrolling = (maxShare: number) => `${sightShare} <= ${maxShare}`;
/** If no timer or animation frame was requested for this page time, no script checks the scroll position repeatedly. */
const LOOKS_AGAIN_MS = 1_500;
/**
 * Evaluates to whether no script can notice that the document scrolls: none listens to scrolling or observes which
 * elements are in the window, and none runs in a timer or animation frame. False for a page with frames or closed
 * shadow trees, because their scripts are unknown.
 */
export const NONE_NOTICES_SCROLLING = `(() => {
  const { intervals, lastMs, hasClosedTrees } = window[Symbol.for('signpost.scripts')];
  return ${sightShare} === undefined && intervals.size === 0 && performance.now() - lastMs > ${LOOKS_AGAIN_MS} &&
    window.length === 0 && !hasClosedTrees &&
    [window, document, document.documentElement].every(({ onscroll, onscrollend }) => !onscroll && !onscrollend);
})()`;
/** Set so that scripts are no longer told that an element has left the window. */
export const KEEP_IN_SIGHT = "window[Symbol.for('signpost.keepsInSight')] = true";

/**
 * Set so that scripts are no longer told about changes of the window's size, and media queries keep their results.
 */
export const KEEP_SIZE = "window[Symbol.for('signpost.keepsSize')] = true";

/**
 * A script that runs before the page's own scripts. It records whether they watch which elements are in the window,
 * and in which share of it, and can hide from them that an element has left it. Frames of the page's own origin record
 * this at the page. Also records timers, frames and closed shadow trees, in which other scripts may check the scroll
 * position.
 */
export const NOTE_SCROLL_WATCHERS = `(() => {
  const share = Symbol.for('signpost.sightShare');
  const page = () => {
    try {
      top[share];
      return top;
    } catch {
      return window;
    }
  };
  const note = (target, seen) => { target[share] = Math.min(target[share] ?? 1, seen); };
  const marginShare = (margin) => {
    const value = parseFloat(margin) || 0;
    return margin.endsWith('%') ? value / 100 : value / page().innerHeight;
  };
  const seenShare = (options) => {
    const [top, , bottom = top] = String(options?.rootMargin ?? '0px').trim().split(/\\s+/u);
    return 1 + marginShare(top) + marginShare(bottom);
  };
  const keeping = (callback) => typeof callback !== 'function' ? callback : function (entries, observer) {
    const told = page()[Symbol.for('signpost.keepsInSight')] === true
      ? entries.filter(({ isIntersecting }) => isIntersecting)
      : entries;
    if (told.length > 0) callback.call(this, told, observer);
  };
  window.IntersectionObserver = new Proxy(window.IntersectionObserver, {
    construct(target, [callback, options, ...rest], newTarget) {
      const observer = Reflect.construct(target, [keeping(callback), options, ...rest], newTarget);
      note(page(), seenShare(options));
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
    if (type === 'scroll' || type === 'scrollend') note(window, 1);
    return add.call(this, type, ...rest);
  };
  const clock = performance;
  const scripts = { intervals: new Set(), lastMs: -Infinity, hasClosedTrees: false };
  window[Symbol.for('signpost.scripts')] = scripts;
  const following = (target, name, onCall) => {
    target[name] = new Proxy(target[name], {
      apply(method, self, words) {
        const result = Reflect.apply(method, self, words);
        onCall(result, words[0]);
        return result;
      },
    });
  };
  for (const name of ['setTimeout', 'requestAnimationFrame', 'requestIdleCallback'])
    following(window, name, () => { scripts.lastMs = clock.now(); });
  following(window, 'setInterval', (id) => scripts.intervals.add(id));
  for (const name of ['clearInterval', 'clearTimeout'])
    following(window, name, (_, id) => scripts.intervals.delete(id));
  following(Element.prototype, 'attachShadow', ({ mode }) => { scripts.hasClosedTrees ||= mode === 'closed'; });
})()`;
