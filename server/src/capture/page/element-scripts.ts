/**
 * A function in JavaScript that returns the elements that match a selector: those of the document or, if there are
 * none, those of its open shadow trees. In a shadow tree, "a b" also matches if "a" is outside of it. Throws if the
 * selector is not valid.
 */
const FIND = String.raw`(selector) => {
  const inDocument = [...document.querySelectorAll(selector)];
  if (inDocument.length > 0) return inDocument;
  const trees = [];
  const enter = (root) => {
    for (const { shadowRoot } of root.querySelectorAll('*'))
      if (shadowRoot !== null) {
        trees.push(shadowRoot);
        enter(shadowRoot);
      }
  };
  enter(document);
  if (trees.length === 0) return [];
  const sheet = new CSSStyleSheet();
  sheet.insertRule(':not(*) {}');
  sheet.cssRules[0].selectorText = selector;
  // In the form in which the browser writes selectors, only a space without ">", "+" or "~" beside it means "inside
  // of".
  const split = (text, separator) => {
    const parts = [''];
    let depth = 0;
    let quote = '';
    for (const [character] of text.matchAll(/\\[^]|[^]/gu)) {
      if (quote === '' && /["']/u.test(character)) quote = character;
      else if (character === quote) quote = '';
      if (quote === '' && /[([]/u.test(character)) depth += 1;
      if (quote === '' && /[)\]]/u.test(character)) depth -= 1;
      if (quote === '' && depth === 0 && character === separator) parts.push('');
      else parts[parts.length - 1] += character;
    }
    return parts;
  };
  const chains = split(sheet.cssRules[0].selectorText, ',').map((text) =>
    split(text.trim(), ' ').reduce((chain, part) => {
      const last = chain.length - 1;
      if (last >= 0 && (/^[>+~]$/u.test(part) || / [>+~]$/u.test(chain[last]))) chain[last] += ' ' + part;
      else chain.push(part);
      return chain;
    }, []),
  );
  const matches = (element, chain) => {
    let at = chain.length - 1;
    if (!element.matches(chain[at])) return false;
    for (let outer = element; at > 0 && outer !== null; ) {
      outer = outer.parentElement ?? outer.getRootNode().host ?? null;
      if (outer?.matches(chain[at - 1])) at -= 1;
    }
    return at === 0;
  };
  return trees.flatMap((tree) =>
    [...tree.querySelectorAll(chains.map((chain) => chain.at(-1)).join())].filter((element) =>
      chains.some((chain) => matches(element, chain)),
    ),
  );
}`;

/** An expression for the elements that match a selector. It throws if the selector is invalid. */
export const allMatches = (selector: string): string => `(${FIND})(${JSON.stringify(selector)})`;

/** An expression for the first element that matches a selector, or null. It throws if the selector is invalid. */
export const firstMatch = (selector: string): string => `(${allMatches(selector)}[0] ?? null)`;

/**
 * Functions for the scripts below. They find an element's parents in the layout, find its visible part, and scroll to
 * it.
 */
const HELPERS = `
  const around = (node) => node.assignedSlot ?? node.parentElement ?? node.getRootNode().host ?? null;
  const ancestors = (node) => {
    const all = [];
    for (let outer = around(node); outer !== null; outer = around(outer)) all.push(outer);
    return all;
  };
  const seen = (element, rootMargin) => new Promise((resolve) => {
    const observer = new IntersectionObserver(([{ intersectionRect }]) => {
      observer.disconnect();
      resolve(intersectionRect);
    }, { root: document, rootMargin });
    observer.observe(element);
  });
  const bringIntoView = async (element) => {
    const box = element.getBoundingClientRect();
    const { width, height } = await seen(element, '0px');
    const fitsX = box.width <= innerWidth;
    const fitsY = box.height <= innerHeight;
    // If an element is larger than the window, the browser also draws its parts outside of the window, except content
    // that it skips there.
    if (!fitsX || !fitsY) for (const inner of element.querySelectorAll('*'))
      if (getComputedStyle(inner).contentVisibility === 'auto')
        inner.style?.setProperty?.('content-visibility', 'visible', 'important');
    if (width + 1 >= (fitsX ? box.width : innerWidth) && height + 1 >= (fitsY ? box.height : innerHeight)) return;
    for (const outer of ancestors(element))
      if (getComputedStyle(outer).scrollSnapType !== 'none')
        outer.style?.setProperty?.('scroll-snap-type', 'none', 'important');
    element.scrollIntoView({
      block: fitsY ? 'center' : 'start', inline: fitsX ? 'center' : 'start', behavior: 'instant',
    });
    await new Promise((resolve) => requestAnimationFrame(() => resolve()));
  };`;

/**
 * A script that evaluates to the state of the first match and, if it is hidden, the reason. Scrolls the match into
 * view, unless it takes no space or another style than its opacity hides it.
 */
export const lookAtElement = (selector: string): string => `(async () => {
  ${HELPERS}
  let element;
  try {
    element = ${firstMatch(selector)};
  } catch {
    return { state: 'invalid' };
  }
  if (element === null) return { state: 'missing' };
  const has = (name, value) => [element, ...ancestors(element)].some((node) => getComputedStyle(node)[name] === value);
  if (!element.checkVisibility({ visibilityProperty: true }) && getComputedStyle(element).display !== 'contents') {
    const reason = has('display', 'none') ? 'display: none'
      : getComputedStyle(element).visibility === 'visible' ? 'content-visibility: hidden' : 'visibility: hidden';
    const isInClosedDetails = reason.startsWith('content') && ancestors(element).some((node) => node.matches('details:not([open])'));
    return { state: 'hidden', reason, isReadable: isInClosedDetails };
  }
  const { width, height } = element.getBoundingClientRect();
  if (width === 0 || height === 0) {
    const range = new Range();
    range.selectNodeContents(element);
    const content = range.getBoundingClientRect();
    return { state: 'empty', width, height, isReadable: content.width > 0 && content.height > 0 };
  }
  await bringIntoView(element);
  if (has('opacity', '0')) return { state: 'hidden', reason: 'opacity: 0', isReadable: false };
  const images = [element, ...element.querySelectorAll('img')].filter((node) => node instanceof HTMLImageElement);
  return { state: images.every((image) => image.complete || !image.checkVisibility()) ? 'shown' : 'loading' };
})()`;

/** A margin around the window, large enough that the parts of the page outside of the window count as visible. */
const EVERYWHERE = '10000000px';
/** How many points of an element are checked in each direction to find what covers it. */
const GRID = 8;

/**
 * A script that scrolls the first match into view, enlarges scrolling elements around it until they show all of it,
 * and hides bars and dialogs that cover it. Returns the box of its visible part in CSS pixels of the page, and whether
 * the window shows all of that box; null if nothing matches.
 */
export const measureElement = (selector: string): string => `(async () => {
  ${HELPERS}
  const element = ${firstMatch(selector)};
  if (element === null) return null;
  await bringIntoView(element);
  const needed = element.getBoundingClientRect();
  let isGrowing = false;
  for (const outer of ancestors(element)) {
    if (outer === document.body || outer === document.documentElement) break;
    const { overflowX, overflowY } = getComputedStyle(outer);
    isGrowing ||= /auto|scroll/u.test(overflowX + overflowY) &&
      (outer.clientHeight < Math.floor(needed.height) || outer.clientWidth < Math.floor(needed.width));
    if (!isGrowing || (overflowX === 'visible' && overflowY === 'visible')) continue;
    const grow = (side, by) => {
      if (by <= 0) return;
      const size = outer.getBoundingClientRect()[side] + Math.ceil(by) + 'px';
      for (const name of [side, 'min-' + side, 'max-' + side]) outer.style?.setProperty?.(name, size, 'important');
    };
    outer.style?.setProperty?.('box-sizing', 'border-box', 'important');
    grow('height', needed.height - outer.clientHeight);
    grow('width', needed.width - outer.clientWidth);
  }
  if (isGrowing) element.scrollIntoView({ block: 'start', inline: 'start', behavior: 'instant' });
  const shown = await seen(element, '0px');
  const family = new Set([element, ...ancestors(element)]);
  for (let step = 0; step < ${GRID * GRID}; step += 1) {
    const x = shown.x + (shown.width * ((step % ${GRID}) + 0.5)) / ${GRID};
    const y = shown.y + (shown.height * (Math.floor(step / ${GRID}) + 0.5)) / ${GRID};
    for (const other of document.elementsFromPoint(x, y)) {
      if (family.has(other) || element.contains(other)) break;
      const bar = [other, ...ancestors(other)].find((node) =>
        !family.has(node) && /fixed|sticky/u.test(getComputedStyle(node).position));
      for (const node of bar === undefined ? [] : [bar, ...bar.querySelectorAll('*')])
        node.style?.setProperty?.('visibility', 'hidden', 'important');
    }
  }
  const isOutside = ({ left, top, right, bottom }) =>
    right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight;
  // Whether the element is beside the page, such as a menu that has not been opened: nothing scrolls to it. Some pages
  // scroll back at once, or fix their body, to keep visitors from scrolling: what they have further down is not beside
  // them.
  const isBeside = () => {
    element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    const place = element.getBoundingClientRect();
    const fixed = [...family].find((node) => getComputedStyle(node).position === 'fixed');
    const isOpen = fixed !== undefined && !isOutside(fixed.getBoundingClientRect());
    return isOutside(place) && !(isOpen && place.right > 0 && place.bottom > 0);
  };
  let box = shown.width * shown.height === 0 && isBeside() ? shown : await seen(element, '${EVERYWHERE}');
  const isInWindow = box.x >= 0 && box.y >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
  if (!isInWindow) {
    scrollTo({ left: 0, top: 0, behavior: 'instant' });
    box = await seen(element, '${EVERYWHERE}');
  }
  return { x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: box.height, isInWindow };
})()`;
