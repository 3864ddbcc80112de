import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError } from '../../platform/errors.js';
import type { OpenPage } from './open-page.js';
import type { PageRequest } from './page-request.js';

const LOOK_EVERY_MS = 50;

export const notASelector = (field: string, selector: string) =>
  new ServiceError(
    'invalidRequest',
    `"${field}" must be a CSS selector such as "#chart" or ".price", but is ${JSON.stringify(selector)}.`,
  );

const noElement = (field: string, selector: string, timeoutMs: number) =>
  new ServiceError(
    'invalidRequest',
    `No element matched "${selector}" of "${field}" and was visible within ${timeoutMs / 1_000} s. Look at the selector, or leave it out.`,
  );

/** Whether an element of the selector can be seen; null where it is no selector. */
const isVisible = (selector: string) => `(() => {
  try {
    return [...document.querySelectorAll(${JSON.stringify(selector)})].some((element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && element.getClientRects().length > 0);
  } catch {
    return null;
  }
})()`;

async function look(open: OpenPage, field: string, selector: string, hasEnded: () => boolean): Promise<void> {
  while (!hasEnded()) {
    const isSo = await open.evaluate(isVisible(selector));
    if (isSo === null) throw notASelector(field, selector);
    if (isSo === true) return;
    await pause(LOOK_EVERY_MS);
  }
}

/** Resolves when an element of the selector can be seen; throws a ServiceError where that is not in time. */
async function untilVisible(open: OpenPage, field: string, selector: string): Promise<void> {
  let hasEnded = false;
  try {
    await open.deadline.raceExplained(
      look(open, field, selector, () => hasEnded),
      (timeoutMs) => noElement(field, selector, timeoutMs),
    );
  } finally {
    hasEnded = true;
  }
}

/** Clicks the first element of a selector as soon as it can be seen. */
export async function click(open: OpenPage, selector: string): Promise<void> {
  await untilVisible(open, 'clickSelectors', selector);
  await open.evaluate(`document.querySelector(${JSON.stringify(selector)})?.click()`);
}

/** Adds a sheet of styles that the page's own policy has no say in, as it is the document's and not in it. */
export const addStyles = (open: OpenPage, css: string): Promise<unknown> =>
  open.evaluate(`(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(${JSON.stringify(css)});
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  })()`);

async function hide(open: OpenPage, selectors: readonly string[]): Promise<void> {
  for (const selector of selectors)
    if ((await open.evaluate(isVisible(selector))) === null) throw notASelector('hideSelectors', selector);
  const all = selectors.join(', ');
  // What is inside may say of itself that it is visible, however strongly: what is important in a layer wins.
  await addStyles(open, `@layer { ${all}, :is(${all}) * { visibility: hidden !important; } }`);
}

/** Does to a loaded page what its request says: styles, then what is waited for. */
export async function preparePage(
  open: OpenPage,
  { css, hideSelectors, waitForSelector, waitMs = 0 }: PageRequest,
): Promise<void> {
  if (css !== undefined) await addStyles(open, css);
  if (hideSelectors !== undefined) await hide(open, hideSelectors);
  if (waitForSelector !== undefined) await untilVisible(open, 'waitForSelector', waitForSelector);
  if (waitMs > 0) await open.deadline.race(pause(waitMs));
}
