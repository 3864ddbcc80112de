import { z } from 'zod';
import { ProtocolError } from '../browser/protocol/protocol-errors.js';
import { FREEZE_RULES } from './freeze-styles.js';
import { KEEP_HEIGHTS, NOTE_HEIGHTS } from './kept-heights.js';
import { OWN_WORLD, type OpenPage } from './open-page.js';
import { FIND_SCROLLER, LAID_OUT_PARENT, MAIN_SHARE, PAGE_HEIGHT } from './page-scroller.js';

/** An expression for the frame that fills at least half of the window of a page that does not scroll, or undefined. */
const FIND_FRAME = `((root) => root !== null && root.scrollHeight > innerHeight + 1 ? undefined :
  [...document.querySelectorAll('iframe')].find((frame) =>
    frame.clientWidth * frame.clientHeight >= ${MAIN_SHARE} * innerWidth * innerHeight && frame.checkVisibility())
)(document.scrollingElement)`;

/**
 * A script that shows all of an inner element that scrolls, as if the document scrolled: the element and everything
 * around it become as tall as their content. With `keepsRoom`, bars keep their room below the element. The element's
 * children and grandchildren become no lower. If no inner element scrolls, evaluates to whether FIND_FRAME finds a
 * frame.
 */
const unrolling = (keepsRoom: boolean) => `(() => {
  ${FIND_SCROLLER};
  const scroller = globalThis.signpostScroller;
  if (scroller === null) return ${FIND_FRAME} !== undefined;
  scroller.scrollTop = 0;
  const parentOf = ${LAID_OUT_PARENT};
  const bottomOf = (element) => element.getBoundingClientRect().bottom;
  const inside = [...Element.prototype.querySelectorAll.call(scroller, ':scope > *, :scope > * > *')];
  const heights = new Map(inside.slice(0, 5_000).map((element) => [element, element.offsetHeight]));
  const { scrollHeight } = scroller;
  const set = (element, styles) => {
    for (const [name, value] of Object.entries(styles)) element.style?.setProperty?.(name, value, 'important');
  };
  const isWide = scroller.scrollWidth > scroller.clientWidth && getComputedStyle(scroller).overflowX !== 'hidden';
  const placed = [];
  for (let element = scroller; element instanceof Element; element = parentOf(element)) {
    const { position, overflowX } = getComputedStyle(element);
    if (position === 'absolute' && element.offsetParent !== null)
      placed.push({ element, outer: element.offsetParent, below: bottomOf(element.offsetParent) - bottomOf(element) });
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
  if (${keepsRoom}) for (const { element, outer, below } of placed) {
    const missing = bottomOf(element) + below - bottomOf(outer);
    if (below >= 0 && missing > 1)
      set(outer, { 'min-height': outer.offsetHeight + missing + 'px', 'box-sizing': 'border-box' });
  }
  globalThis.signpostUnrolled = scroller;
})()`;

/**
 * A script that prepares a frame's document for a frame as tall as its content, as a full page is prepared for a tall
 * window. Evaluates to the height of that content.
 */
const PREPARE_FRAME = `(${unrolling(true)}, ${FREEZE_RULES}, ${NOTE_HEIGHTS}, ${PAGE_HEIGHT})`;
const FINISH_FRAME = `(${KEEP_HEIGHTS}, dispatchEvent(new Event('scroll')), true)`;
const height = z.number();

/**
 * A script that makes the frame of FIND_FRAME this many pixels tall, and the elements around it as tall as their
 * content. Does nothing if there is no such frame, or if it is at least that tall.
 */
const growFrame = (pixels: number) => `(() => {
  const frame = ${FIND_FRAME};
  if (frame === undefined || ${pixels} <= frame.clientHeight) return;
  const parentOf = ${LAID_OUT_PARENT};
  const set = ({ style }, name, value) => style?.setProperty?.(name, value, 'important');
  for (let element = parentOf(frame); element !== null; element = parentOf(element)) {
    if (getComputedStyle(element).position === 'fixed') set(element, 'position', 'absolute');
    for (const [name, value] of [['height', 'auto'], ['max-height', 'none'], ['bottom', 'auto'], ['overflow', 'visible']])
      set(element, name, value);
  }
  if (getComputedStyle(frame).position === 'fixed') set(frame, 'position', 'absolute');
  for (const name of ['height', 'min-height', 'max-height']) set(frame, name, '${pixels}px');
})()`;

/** Shows all of a frame that fills the window and scrolls in place of its page, unless it is in another process. */
async function unrollFrame(open: OpenPage): Promise<void> {
  const { protocol, deadline, document } = open;
  const worldOf = (frameId: string) =>
    deadline.race(protocol.send('Page.createIsolatedWorld', { frameId, worldName: OWN_WORLD }));
  const run = async (contextId: number, expression: string, returnByValue = true) =>
    (await deadline.race(protocol.send('Runtime.evaluate', { expression, contextId, returnByValue }))).result;
  try {
    const { executionContextId: parentContextId } = await worldOf(document.frameId);
    const { objectId } = await run(parentContextId, FIND_FRAME, false);
    if (objectId === undefined) return;
    const { node } = await deadline.race(protocol.send('DOM.describeNode', { objectId }));
    if (node.frameId === undefined) return;
    const { executionContextId } = await worldOf(node.frameId);
    const prepared = await run(executionContextId, PREPARE_FRAME);
    await run(parentContextId, growFrame(height.parse(prepared.value)));
    await run(executionContextId, FINISH_FRAME);
  } catch (error) {
    // The frame is in another process, or has changed meanwhile. Then it is shown as it is.
    if (!(error instanceof ProtocolError) && !(error instanceof z.ZodError)) throw error;
  }
}

/**
 * Shows all of an inner element or of a frame that scrolls in place of the document. `keepsRoom` says whether the room
 * for bars below it is kept: on paper, where styles differ, it would become blank sheets.
 */
export async function unroll(open: OpenPage, keepsRoom = true): Promise<void> {
  if ((await open.evaluate(unrolling(keepsRoom))) === true) await unrollFrame(open);
}
