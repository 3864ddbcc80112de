import { ALL_ELEMENTS, LAID_OUT_PARENT } from './page-scroller.js';
import { NOTHING_TO_COME } from './still-document.js';

/**
 * A script that records the height of each element and the place of each fixed element. It also pauses those animations
 * of fixed and sticky elements, and inside them, that follow the scroll position, because a window as tall as its page
 * does not scroll.
 */
export const NOTE_HEIGHTS = `(() => {
  const all = ${ALL_ELEMENTS};
  globalThis.signpostHeights = new Map(all.map((element) => [element, element.offsetHeight]));
  globalThis.signpostFixed = all
    .filter((element) => element.offsetParent === null && getComputedStyle(element).position === 'fixed')
    .map((element) => [element, element.getBoundingClientRect(), innerHeight]);
  const isBar = (style) => /fixed|sticky/u.test(style.position);
  const isInBar = ({ target, pseudoElement }) => {
    if (isBar(getComputedStyle(target, pseudoElement))) return true;
    for (let at = target; at !== null; at = ${LAID_OUT_PARENT}(at)) if (isBar(getComputedStyle(at))) return true;
    return false;
  };
  for (const animation of document.getAnimations()) {
    const { timeline, effect, currentTime } = animation;
    if (!(timeline instanceof ScrollTimeline) || timeline instanceof ViewTimeline || currentTime === null) continue;
    if (!isInBar(effect)) continue;
    animation.pause();
    animation.currentTime = currentTime;
  }
})()`;
/**
 * A script that gives elements that have grown with the window their recorded height back. It moves fixed elements back
 * that stick to neither the top nor the bottom edge of the window, such as dialogs in its middle. Evaluates to whether
 * the page may still change once the larger window is drawn.
 */
export const KEEP_HEIGHTS = `(() => {
  const isBackdrop = (element) => getComputedStyle(element).position === 'fixed' && element.textContent.trim() === '';
  const grown = [...signpostHeights].filter(([element, height]) => element.offsetHeight > height);
  const backdrops = grown.filter(([element]) => isBackdrop(element)).map(([element]) => element);
  for (const [element, height] of grown) {
    // A fixed element without text may be the background of the whole page, and must cover all of it.
    if (backdrops.some((backdrop) => backdrop.contains(element))) continue;
    for (const [name, value] of [['height', height + 'px'], ['max-height', height + 'px'], ['min-height', '0']])
      element.style?.setProperty?.(name, value, 'important');
  }
  for (const [element, before, heightBefore] of signpostFixed) {
    const now = element.getBoundingClientRect();
    const moved = now.top - before.top;
    const isAtEdge = [moved, moved - (innerHeight - heightBefore)].some((distance) => Math.abs(distance) < 1);
    if (isAtEdge || element.style?.setProperty === undefined) continue;
    const [x, y = '0px'] = getComputedStyle(element).translate.replace('none', '0px').match(/calc\\([^)]*\\)|\\S+/gu);
    element.style.setProperty('transition', 'none', 'important');
    element.style.setProperty('translate', x + ' calc(' + y + ' - ' + moved + 'px)', 'important');
  }
  return !${NOTHING_TO_COME} ||
    [...signpostHeights.keys()].some((element) => getComputedStyle(element).contentVisibility !== 'visible');
})()`;
