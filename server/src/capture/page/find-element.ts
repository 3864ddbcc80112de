import { setTimeout as pause } from 'node:timers/promises';
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.js';
import { z } from 'zod';
import { ServiceError } from '../../platform/errors.js';
import { AnswerTooLong, ProtocolError } from '../browser/protocol/protocol-errors.js';
import { lookAtElement, measureElement } from './element-scripts.js';
import type { OpenPage } from './open-page.js';

const MAX_WAIT_MS = 5_000;
/** The share of the remaining time for waiting for an element. The rest is needed to make the file. */
const WAIT_SHARE = 0.5;
const LOOK_EVERY_MS = 50;
/** At most this many closed shadow trees, and as many frames, are searched to explain why an element is missing. */
const MAX_TREES = 500;

const invalidRequest = (message: string) => new ServiceError('invalidRequest', message);

export const notASelector = (field: string, selector: string) =>
  invalidRequest(
    `"${field}" must be a CSS selector such as "#chart" or ".price", but is ${JSON.stringify(selector)}.`,
  );

const elementState = z.discriminatedUnion('state', [
  z.object({ state: z.enum(['invalid', 'missing', 'shown', 'loading']) }),
  z.object({ state: z.literal('hidden'), reason: z.string(), isReadable: z.boolean() }),
  z.object({ state: z.literal('empty'), width: z.number(), height: z.number(), isReadable: z.boolean() }),
]);
type ElementState = z.output<typeof elementState>;

const measured = z.union([
  z.object({
    x: z.number(),
    y: z.number(),
    width: z.number(),
    height: z.number(),
    isInWindow: z.boolean(),
  }),
  z.null(),
]);

/** The visible part of an element, in CSS pixels of the page, and whether the window shows all of it. */
export type ElementBox = Exclude<z.output<typeof measured>, null>;

type PageNode = ProtocolMapping.Commands['DOM.getDocument']['returnType']['root'];

interface Trees {
  readonly closed: readonly number[];
  readonly frames: readonly number[];
}

/** Collects the node ids of the closed shadow trees and of the frames' documents. */
function treesIn(node: PageNode): Trees {
  const { shadowRoots = [], children = [], contentDocument } = node;
  const inner = [...shadowRoots, ...children, ...(contentDocument === undefined ? [] : [contentDocument])];
  const trees = inner.map(treesIn);
  const closedRoots = shadowRoots.filter(({ shadowRootType }) => shadowRootType === 'closed');
  return {
    closed: [...closedRoots.map(({ nodeId }) => nodeId), ...trees.flatMap(({ closed }) => closed)],
    frames: [
      ...(contentDocument === undefined ? [] : [contentDocument.nodeId]),
      ...trees.flatMap(({ frames }) => frames),
    ],
  };
}

/** Evaluates to whether the page is small enough to search all of it quickly. */
export const IS_SMALL =
  'document.getElementsByTagName("*").length < 20000 && document.documentElement.outerHTML.length < 2000000';

/**
 * Returns "a closed shadow tree" or "a frame" if a match is found in one, which the selector cannot reach; otherwise
 * undefined, also if the page is too large to search.
 */
async function unreachableContainer(open: OpenPage, selector: string): Promise<string | undefined> {
  const { protocol, deadline } = open;
  const hasMatch = async (nodeIds: readonly number[]) => {
    for (const nodeId of nodeIds.slice(0, MAX_TREES)) {
      const found = await deadline.race(protocol.send('DOM.querySelector', { nodeId, selector }));
      if (found.nodeId !== 0) return true;
    }
    return false;
  };
  try {
    if ((await open.evaluate(IS_SMALL)) !== true) return undefined;
    const { root } = await deadline.race(protocol.send('DOM.getDocument', { depth: -1, pierce: true }));
    const { closed, frames } = treesIn(root);
    if (await hasMatch(closed)) return 'a closed shadow tree';
    return (await hasMatch(frames)) ? 'a frame' : undefined;
  } catch (error) {
    if ([ProtocolError, AnswerTooLong, RangeError].some((kind) => error instanceof kind)) return undefined;
    throw error;
  }
}

const WAIT_LONGER = 'If it comes later, wait for it with "waitForSelector".';

/**
 * The error for an element that is missing or not visible. It says which of these is the case, and why an element is
 * not visible.
 */
function notShown(field: string, selector: string, found: ElementState, waitMs: number): ServiceError {
  const element = `The element that matched "${selector}" of "${field}"`;
  const time = `after ${waitMs / 1_000} s`;
  if ('reason' in found)
    return invalidRequest(
      `${element} is still hidden ${time}, by "${found.reason}" of itself or around it. Choose another one, or show it with "clickSelectors" or "css". ${WAIT_LONGER}`,
    );
  if ('width' in found)
    return invalidRequest(
      `${element} takes no room on the page: it still has zero size (${Math.ceil(found.width)} × ${Math.ceil(found.height)} pixels) ${time}. Choose another one, such as one inside it. ${WAIT_LONGER}`,
    );
  return invalidRequest(
    `No element matched "${selector}" of "${field}" within ${waitMs / 1_000} s. Look at the selector, or leave it out. ${WAIT_LONGER}`,
  );
}

async function explainNotShown(
  open: OpenPage,
  field: string,
  selector: string,
  last: ElementState,
  waitMs: number,
): Promise<ServiceError> {
  const container = last.state === 'missing' ? await unreachableContainer(open, selector) : undefined;
  if (container === undefined) return notShown(field, selector, last, waitMs);
  return invalidRequest(
    `The element that matches "${selector}" of "${field}" is in ${container}, which selectors do not reach. Choose the element around it. "waitForSelector" does not reach it either.`,
  );
}

/**
 * How an element is used. Only text can be taken from a closed `<details>` element, or from an element whose own box is
 * empty.
 */
type ElementUse = 'picture' | 'text';

/**
 * Waits until the first match of a selector is visible and its images are loaded, and scrolls it into view. After 5 s
 * or half of the capture's remaining time, whichever is less, no longer waits for images, and throws a ServiceError if
 * the match is still not visible. Throws one at once if the selector is not valid.
 */
export const waitForElement = (
  open: OpenPage,
  field: string,
  selector: string,
  use: ElementUse = 'picture',
): Promise<void> => open.yieldDuring(lookUntilShown(open, field, selector, use));

async function lookUntilShown(
  open: OpenPage,
  field: string,
  selector: string,
  use: ElementUse,
): Promise<void> {
  const waitMs = Math.min(MAX_WAIT_MS, Math.max(0, Math.floor(open.deadline.leftMs * WAIT_SHARE)));
  const startedMs = performance.now();
  for (;;) {
    const found = elementState.parse(await open.evaluate(lookAtElement(selector)));
    const { state } = found;
    if (state === 'invalid') throw notASelector(field, selector);
    if (state === 'shown' || (use === 'text' && 'isReadable' in found && found.isReadable)) return;
    if (performance.now() - startedMs >= waitMs) {
      if (state === 'loading') return;
      throw await explainNotShown(open, field, selector, found, waitMs);
    }
    await open.deadline.race(pause(LOOK_EVERY_MS));
  }
}

/**
 * Scrolls the first match of a selector into view and measures its visible part; undefined if it has none. Throws a
 * ServiceError if nothing matches.
 */
export async function measureVisible(
  open: OpenPage,
  field: string,
  selector: string,
): Promise<ElementBox | undefined> {
  const box = measured.parse(await open.evaluate(measureElement(selector)));
  if (box === null)
    throw invalidRequest(
      `The element that matched "${selector}" of "${field}" went away before the picture was taken. Choose another one, or wait until the page is at rest with "waitMs".`,
    );
  return box.width > 0 && box.height > 0 ? box : undefined;
}

/** Like `measureVisible`, but also throws a ServiceError if the match has no visible part. */
export async function measureMatch(open: OpenPage, field: string, selector: string): Promise<ElementBox> {
  const box = await measureVisible(open, field, selector);
  if (box !== undefined) return box;
  throw invalidRequest(
    `The element that matched "${selector}" of "${field}" is hidden: an element around it cuts it off, or its place is outside of the page. Choose another one, or wait for it with "waitForSelector".`,
  );
}
