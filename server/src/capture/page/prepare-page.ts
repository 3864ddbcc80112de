import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError } from '../../platform/errors.js';
import { settledWithin } from '../../platform/within-time.js';
import { allMatches } from './element-scripts.js';
import { notASelector } from './find-element.js';
import { isLoadedByStyles, NetworkIdle } from './network-idle.js';
import type { OpenPage } from './open-page.js';
import type { PageRequest } from './page-request.js';
import { FETCHES } from './still-document.js';

const LOOK_EVERY_MS = 50;
/** How long to wait at most for what the request's `css` loads. Then the capture goes on. */
const MAX_FETCHING_MS = 3_000;
/** In how many documents at most to wait for the resources of added styles, if the page keeps navigating. */
const MAX_FETCHING_DOCUMENTS = 3;
/** An expression that lays the page out, because styles fetch their resources only when the page is laid out. */
const LAY_OUT = 'void document.documentElement?.getBoundingClientRect()';

const noElement = (field: string, selector: string, timeoutMs: number) =>
  new ServiceError(
    'invalidRequest',
    `No element matched "${selector}" of "${field}" and was visible within ${timeoutMs / 1_000} s. Look at the selector, or leave it out.`,
  );

/** An expression for the first visible element that matches the selector. */
const firstVisible = (selector: string) =>
  `${allMatches(selector)}.find((element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && element.getClientRects().length > 0)`;

/** Evaluates to whether a visible element matches the selector; to null if the selector is not valid. */
const isVisible = (selector: string) => `(() => {
  try {
    return ${firstVisible(selector)} !== undefined;
  } catch {
    return null;
  }
})()`;

/**
 * A script that clicks the first visible match. It dispatches an event to an SVG element, which has no click method.
 */
const clickFirst = (selector: string) => `{
  const element = ${firstVisible(selector)};
  if (element instanceof HTMLElement) HTMLElement.prototype.click.call(element);
  else element?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, composed: true }));
}`;

/**
 * A script that hides all matches. Brackets and quotes that a selector leaves open at its end are closed, as browsers
 * do.
 */
const hideAll = (selectors: readonly string[]) => `(() => {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  for (const selector of ${JSON.stringify(selectors)}) {
    // Elements inside may set their own visibility, even as important, but an important rule in a layer overrides
    // them.
    sheet.insertRule('@layer { :not(*) { visibility: hidden !important; } }');
    const [rule] = sheet.cssRules[0].cssRules;
    rule.selectorText = selector;
    rule.selectorText += ', :is(' + rule.selectorText + ') *';
    // An important style attribute, or an important rule in one of the page's layers, would still override that
    // rule.
    for (const element of document.querySelectorAll(rule.selectorText))
      if (getComputedStyle(element).visibility !== 'hidden')
        element.style?.setProperty?.('visibility', 'hidden', 'important');
  }
})()`;

async function pollUntilVisible(
  open: OpenPage,
  field: string,
  selector: string,
  hasEnded: () => boolean,
): Promise<void> {
  while (!hasEnded()) {
    const isShown = await open.evaluate(isVisible(selector));
    if (isShown === null) throw notASelector(field, selector);
    if (isShown === true) return;
    await pause(LOOK_EVERY_MS);
  }
}

/**
 * Resolves when an element that matches the selector is visible. Throws a ServiceError if that does not happen in time,
 * or if the selector is not valid.
 */
async function untilVisible(open: OpenPage, field: string, selector: string): Promise<void> {
  let hasEnded = false;
  try {
    await open.yieldDuring(
      open.deadline.raceExplained(
        pollUntilVisible(open, field, selector, () => hasEnded),
        (timeoutMs) => noElement(field, selector, timeoutMs),
      ),
    );
  } finally {
    hasEnded = true;
  }
}

/** Clicks the first visible element that matches a selector, as soon as there is one. */
export async function click(open: OpenPage, selector: string): Promise<void> {
  await untilVisible(open, 'clickSelectors', selector);
  await open.evaluate(clickFirst(selector));
}

/**
 * Adds a style sheet. The page's own policy cannot block it, because it is adopted by the document and not in its
 * markup.
 */
export const addStyles = (open: Pick<OpenPage, 'evaluate'>, css: string): Promise<unknown> =>
  open.evaluate(`(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(${JSON.stringify(css)});
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  })()`);

async function hide(open: OpenPage, selectors: readonly string[]): Promise<void> {
  for (const selector of selectors)
    if ((await open.evaluate(isVisible(selector))) === null) throw notASelector('hideSelectors', selector);
  await open.evaluate(hideAll(selectors));
}

/** Makes the changes to a loaded page that the request asks for. */
export async function changePage(open: OpenPage, { css, hideSelectors }: PageRequest): Promise<void> {
  if (css !== undefined) await addStyles(open, css);
  if (hideSelectors !== undefined) await hide(open, hideSelectors);
}

/**
 * Makes the changes to a loaded page that the request asks for, waits for the resources of added styles, and then for
 * `waitForSelector`. `times` is the number of earlier calls: after MAX_FETCHING_DOCUMENTS of them, no longer waits for
 * resources.
 */
export async function preparePage(open: OpenPage, request: PageRequest, times: number): Promise<void> {
  const { sessions, deadline, yieldDuring } = open;
  const { css = '', waitForSelector } = request;
  const isFetching = FETCHES.test(css) && times < MAX_FETCHING_DOCUMENTS;
  const network = isFetching ? await NetworkIdle.follow(sessions, 0, isLoadedByStyles) : undefined;
  await changePage(open, request);
  if (network !== undefined) {
    await open.evaluate(LAY_OUT);
    await yieldDuring(deadline.race(settledWithin(network.untilIdle(), MAX_FETCHING_MS)));
  }
  if (waitForSelector !== undefined) await untilVisible(open, 'waitForSelector', waitForSelector);
}

/** Waits for as long as the request says, only the first time (`times` is 0). */
export async function waitAfter(
  { deadline, yieldDuring }: OpenPage,
  { waitMs = 0 }: PageRequest,
  times: number,
): Promise<void> {
  if (waitMs > 0 && times === 0) await yieldDuring(deadline.race(pause(waitMs)));
}
