import { z } from 'zod';
import type { OpenPage } from './open-page.js';
import { HAD_SCRIPTS } from './still-document.js';

/**
 * If the document is taller than its window by at most this, it does not count as scrolling, because many pages of apps
 * are slightly too tall. An inner element may then be the one that people scroll.
 */
const LITTLE_PIXELS = 100;
/** The share of the window that an inner element or a frame must fill to count as the one that people scroll. */
export const MAIN_SHARE = 0.5;
const MAX_MEASURED = 20_000;

/**
 * An expression that calls a method of `element` through its prototype, because a field can hide a form's own methods.
 */
const ofElement = (method: string, ...words: readonly string[]) =>
  `Element.prototype.${method}.call(${['element', ...words].join()})`;

/** An expression for the elements of the document and of its open shadow trees, up to MAX_MEASURED. */
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

/** Evaluates to whether the document cuts off what is beside its window, so that nobody can scroll there. */
export const IS_CUT_SIDEWAYS = `[document.documentElement, document.body].some(
  (element) => element !== null && ['hidden', 'clip'].includes(getComputedStyle(element).overflowX))`;

/**
 * Evaluates to whether the body cuts off more than LITTLE_PIXELS of its content's height, and the document does not
 * scroll in its place.
 */
const IS_BODY_CUT = `(document.body !== null && document.scrollingElement !== document.body &&
  ['hidden', 'clip'].includes(getComputedStyle(document.body).overflowY) &&
  getComputedStyle(document.documentElement).overflowY !== 'visible' &&
  document.body.scrollHeight > document.body.clientHeight + ${LITTLE_PIXELS})`;

/**
 * A script that finds what a person would scroll: the document or, if that scrolls by at most LITTLE_PIXELS, an inner
 * element that fills at least half of the window, or a body that cuts its content off. Stores it in
 * `globalThis.signpostScroller`, or null for the document.
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
  // Scripts can move what such a body cuts off into view.
  if (signpostScroller === null && ${IS_BODY_CUT}) globalThis.signpostScroller = document.body;
})()`;

/**
 * An expression for the height of the page. The body's height is in its own pixels, which styles can make larger or
 * smaller.
 */
export const PAGE_HEIGHT = `Math.max(
  document.documentElement?.scrollHeight ?? 0,
  (document.body?.scrollHeight ?? 0) * (document.body?.currentCSSZoom ?? 1),
  document.scrollingElement?.scrollHeight ?? 0,
)`;

/** The height of the page in pixels, including what must be scrolled into view. */
export const pageHeight = async (open: Pick<OpenPage, 'evaluate'>): Promise<number> =>
  Math.ceil(z.number().parse(await open.evaluate(PAGE_HEIGHT)));

/** Evaluates to whether the page keeps visitors from scrolling, for example while it shows a splash screen. */
const IS_LOCKED = `[document.documentElement, document.body].some(
  (element) => element !== null && ['hidden', 'clip'].includes(getComputedStyle(element).overflowY))`;

/**
 * Evaluates to the height of the page and of its window or, if an inner element scrolls in place of the document, of
 * that element's content and of its visible part. Also evaluates to facts that tell whether the page must be scrolled,
 * and stores others for CAN_SCROLL_NOW.
 */
export const LOOK = `(() => {
  ${FIND_SCROLLER};
  const inner = globalThis.signpostScroller;
  const lazy = '[loading="lazy" i]';
  const height = inner === null ? ${PAGE_HEIGHT} : inner.scrollHeight;
  const windowHeight = inner === null ? innerHeight : inner.clientHeight;
  const isLocked = (inner === null || ${IS_BODY_CUT}) && ${IS_LOCKED};
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

/**
 * A script that tells the page that the wheel has turned by this many pixels, as when a person scrolls; empty for 0.
 */
const turnWheel = (pixels: number) =>
  pixels === 0
    ? ''
    : `EventTarget.prototype.dispatchEvent.call(
  globalThis.signpostScroller ?? document.body ?? document.documentElement,
  new WheelEvent('wheel', { deltaY: ${pixels}, bubbles: true, cancelable: true, composed: true }))`;

const SAMPLE = 'element.textContent.slice(0, 100)';
const LOOKS = `['class', 'style'].map((name) => ${ofElement('getAttribute', 'name')})`;
const IS_SEEN = ofElement('checkVisibility', '{ opacityProperty: true, visibilityProperty: true }');
const OPACITY = 'Number(getComputedStyle(element).opacity)';
/** An expression: whether an element keeps its place in the window while the page is scrolled. */
const IS_BAR = '/fixed|sticky/u.test(getComputedStyle(element).position)';
const IS_MOVED = `(({ transform, translate, rotate, scale }) =>
  [transform, translate, rotate, scale].some((value) => value !== 'none'))(getComputedStyle(element))`;
const IS_ABOVE_OR_BELOW = `(({ top, bottom }) => bottom < 0 || top > innerHeight)(${ofElement('getBoundingClientRect')})`;

/**
 * A script that prepares for scrolling: it records the scroll position, and which elements are not shown yet, are
 * faint, or are moved away. The page's scripts may show such elements by changing their class or style.
 */
export const BEGIN = `(() => {
  const scroller = globalThis.signpostScroller ?? document.scrollingElement ?? document.documentElement;
  globalThis.signpostStart = scroller.scrollTop;
  globalThis.signpostUnseen = new Map();
  globalThis.signpostShown = new Map();
  globalThis.signpostSamples = new Map();
  for (const element of ${ALL_ELEMENTS}) {
    const isFaint = !${IS_SEEN} || ${OPACITY} < 1;
    if (isFaint || ${IS_MOVED}) signpostUnseen.set(element, { before: ${LOOKS}, isFaint });
  }
})()`;

const NEXT_FRAME = 'await new Promise((resolve) => requestAnimationFrame(() => resolve()));';

/** A script that scrolls to a position after a turn of the wheel, and resolves when a frame is drawn there. */
export const stepTo = (top: number, wheelPixels: number) => `(async () => {
  ${turnWheel(wheelPixels)};
  ${SCROLL_TO}(${top});
  ${NEXT_FRAME}
})()`;

/**
 * A script that records how the page's scripts have changed elements that BEGIN recorded and the window now shows. Bars
 * are left out, because they appear and disappear as the page is scrolled. Also records samples of the text in the
 * window. Evaluates to the height of the page, or of the content of an inner element that scrolls in its place.
 */
export const NOTE_SHOWN = `(() => {
  for (const [element, { before, isFaint }] of signpostUnseen) {
    if (${IS_ABOVE_OR_BELOW}) continue;
    const looks = ${LOOKS};
    // The style attribute of an element that moves may depend on its place in the window. Its class does not.
    const isSame = (look, at) => look === before[at] || (!isFaint && at === 1);
    if (looks.every(isSame) || ${IS_BAR}) continue;
    const opacity = ${OPACITY};
    if (opacity >= (signpostShown.get(element)?.opacity ?? 0)) signpostShown.set(element, { looks, opacity, isFaint });
  }
  for (const share of [0.25, 0.5, 0.75]) {
    const element = document.elementFromPoint(innerWidth / 2, innerHeight * share);
    if (element !== null && !signpostSamples.has(element)) signpostSamples.set(element, ${SAMPLE});
  }
  const inner = globalThis.signpostScroller;
  return inner === null ? ${PAGE_HEIGHT} : inner.scrollHeight;
})()`;

/**
 * A script that records what is seen, and then scrolls on by this many pixels as far as the page or `depth` reaches.
 * Evaluates to the height of the page, and to the new scroll position, which no longer changes once the end is
 * reached.
 */
export const stepOn = (
  from: number,
  pixels: number,
  windowHeight: number,
  depth: number,
  wheelPixels: number,
) => `(async () => {
  const height = ${NOTE_SHOWN};
  const top = Math.min(${from + pixels}, Math.min(height, ${depth}) - ${windowHeight});
  if (top <= ${from}) return { height, top: ${from} };
  ${turnWheel(wheelPixels)};
  ${SCROLL_TO}(top);
  ${NEXT_FRAME}
  return { height, top };
})()`;

export const stepped = z.object({ height: z.number(), top: z.number() });

/** Evaluates to whether the page has removed or changed a sampled element since it was seen, as virtual lists do. */
export const IS_VIRTUAL = `[...(globalThis.signpostSamples ?? [])].some(
  ([element, text]) => !element.isConnected || ${SAMPLE} !== text)`;

/**
 * A script that gives elements back the look that was recorded when they were in the window, unless they are in a bar.
 * Some pages hide elements again, make them faint or move them away once they have left the window.
 */
export const SHOW_AGAIN = `for (const [first, { looks, opacity, isFaint }] of globalThis.signpostShown ?? []) {
  let element = first;
  if (isFaint ? ${IS_SEEN} && ${OPACITY} >= opacity : ${LOOKS}[0] === looks[0]) continue;
  while (element !== null && !${IS_BAR}) element = ${LAID_OUT_PARENT}(element);
  if (element !== null) continue;
  element = first;
  (isFaint ? ['class', 'style'] : ['class']).forEach((name, at) => {
    if (looks[at] === null) ${ofElement('removeAttribute', 'name')};
    else ${ofElement('setAttribute', 'name', 'looks[at]')};
  });
}`;

/**
 * A script that scrolls back to the recorded position, or to the top. Elements that scripts move keep their present
 * look if the window shows them there.
 */
export const endAt = (isTop: boolean, wheelPixels: number) => `(async () => {
  ${turnWheel(-wheelPixels)};
  ${SCROLL_TO}(${isTop ? 0 : 'globalThis.signpostStart'});
  ${NEXT_FRAME}
  for (const [element, { isFaint }] of signpostShown)
    if (!isFaint && !${IS_ABOVE_OR_BELOW}) signpostShown.delete(element);
  ${SHOW_AGAIN}
})()`;
