import type { OpenPage } from './open-page.js';

/**
 * A script that puts fixed elements on the first sheet only, by making them absolute. If an element around one is
 * positioned, an absolute position would be relative to that element and not to the sheet, so the script computes a
 * position at which the element stays where it is in the window.
 */
const ON_FIRST_SHEET = `(() => {
  scrollTo({ left: 0, top: 0, behavior: 'instant' });
  const fixed = [];
  const collect = (root) => {
    for (const element of root.querySelectorAll('*')) {
      const styles = getComputedStyle(element);
      if (styles.position === 'fixed' && styles.display !== 'none') fixed.push([element, element.getBoundingClientRect()]);
      if (element.shadowRoot !== null) collect(element.shadowRoot);
    }
  };
  collect(document);
  const set = ({ style }, values) => {
    for (const [name, value] of Object.entries(values)) style?.setProperty?.(name, value, 'important');
  };
  for (const [element, before] of fixed) {
    set(element, { position: 'absolute' });
    const around = element.offsetParent;
    const isOfPage = around === null || (around === document.body && getComputedStyle(around).position === 'static');
    if (isOfPage) continue;
    const box = around.getBoundingClientRect();
    set(element, {
      top: before.top - box.top - around.clientTop + around.scrollTop + 'px',
      left: before.left - box.left - around.clientLeft + around.scrollLeft + 'px',
      bottom: 'auto', right: 'auto', margin: '0', width: before.width + 'px', 'box-sizing': 'border-box',
    });
  }
})()`;

/** Keeps the page's fixed elements from being repeated on each sheet. The page must already be laid out for paper. */
export async function printFixedOnce(open: OpenPage): Promise<void> {
  await open.evaluate(ON_FIRST_SHEET);
}
