import type { OpenPage } from './open-page.js';

/**
 * Puts fixed elements on the first sheet only: they become absolute. If an element around one is positioned, its place
 * there would count instead of the sheet's, so the element keeps the place that it has in the window.
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
    for (const [name, value] of Object.entries(values)) style?.setProperty(name, value, 'important');
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

/** Keeps the page's fixed elements from being repeated on each sheet. The page is shown as it is for paper. */
export async function printFixedOnce(open: OpenPage): Promise<void> {
  await open.evaluate(ON_FIRST_SHEET);
}
