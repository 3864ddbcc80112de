import { setTimeout as pause } from 'node:timers/promises';
import type { PageStep } from '@signpost/contract';
import type { ElementHandle, Frame, Locator, Page } from 'playwright';
import { withinTime } from '../../platform/within-time.js';
import { coveringElement } from './page-functions.js';

/** A frame that does not respond in this time, for example because it is busy, is passed over. */
const FRAME_MS = 4_000;
const LOOK_EVERY_MS = 100;
const MAX_FRAMES = 50;
const MAX_NAME_CHARACTERS = 60;

/** The selector is not valid for Playwright. */
export class InvalidSelector extends Error {}

/** An element of a step, and the frame in which it was looked for. */
export interface StepTarget {
  readonly element: ElementHandle;
  readonly frame: Frame;
}

const withinFrameTime = <Result>(work: Promise<Result>): Promise<Result> => {
  work.catch(() => undefined);
  return withinTime(work, FRAME_MS, () => new Error('The frame does not answer.'));
};

/**
 * Matches Playwright's errors about selectors. An error that ABOUT_DOCUMENT matches too is not about the selector: the
 * document was replaced, or did not respond.
 */
const ABOUT_SELECTOR =
  /selector|Unknown engine|Unexpected|unsupported|Invalid (?:regular|role)|must|Error while parsing/iu;
const ABOUT_DOCUMENT = /context was destroyed|navigat|detached|closed|does not answer|Cannot find context/iu;

function toInvalidSelector(error: unknown): void {
  const words = error instanceof Error ? error.message : '';
  if (!ABOUT_DOCUMENT.test(words) && ABOUT_SELECTOR.test(words)) throw new InvalidSelector();
}

/**
 * Calls `look` for up to MAX_FRAMES of the page's frames, the main frame first, until it returns a result. Throws
 * InvalidSelector if Playwright rejects the selector.
 */
async function inFrames<Result>(
  page: Page,
  look: (frame: Frame) => Promise<Result | undefined>,
): Promise<Result | undefined> {
  for (const frame of page.frames().slice(0, MAX_FRAMES)) {
    const result = await withinFrameTime(look(frame)).catch(toInvalidSelector);
    if (result !== undefined) return result;
  }
  return undefined;
}

const visibleIn = (frame: Frame, selector: string): Locator =>
  frame.locator(selector).filter({ visible: true }).first();

/**
 * The first visible element that matches, in the main frame or in another frame of its process; undefined if
 * nothing matches yet. Throws InvalidSelector.
 */
const findVisible = (page: Page, selector: string): Promise<StepTarget | undefined> =>
  inFrames(page, async (frame) => {
    if ((await visibleIn(frame, selector).count()) === 0) return undefined;
    const element = await visibleIn(frame, selector).elementHandle({ timeout: FRAME_MS });
    return { element, frame };
  });

/**
 * Waits for a visible element that matches; returns undefined once `hasEnded` returns true. Throws InvalidSelector.
 */
export async function untilVisible(
  page: Page,
  selector: string,
  hasEnded: () => boolean,
): Promise<StepTarget | undefined> {
  while (!hasEnded()) {
    const target = await findVisible(page, selector);
    if (target !== undefined) return target;
    await pause(LOOK_EVERY_MS);
  }
  return undefined;
}

/**
 * Leaves of a text only ASCII letters, digits, "_", "#", "." and "-". Texts from the page and the typed values compared
 * with them are both reduced to these characters.
 */
const plainCharacters = (text: string) => text.replace(/[^\w#.-]+/gu, '');

/** Whether a text that the page chose contains a typed value. */
export function repeatsValue(typedValues: readonly string[], text: string): boolean {
  const plainText = plainCharacters(text).toLowerCase();
  return typedValues.some(
    (value) => plainCharacters(value) !== '' && plainText.includes(plainCharacters(value).toLowerCase()),
  );
}

/** The name of an element, without what the page may have built from a typed value. */
function nameWithoutValues(typedValues: readonly string[], element: string): string {
  const values = typedValues
    .map((value) => plainCharacters(value).toLowerCase())
    .filter((value) => value !== '');
  const repeats = (text: string) => {
    const name = text.toLowerCase();
    return values.some((value) => value.includes(name) || name.includes(value.slice(0, MAX_NAME_CHARACTERS)));
  };
  const [tag = '', ...names] = element.split(/[#.]/u);
  if (tag.includes('-') && repeats(tag)) return 'an element';
  return names.some(repeats) ? tag : element.slice(0, MAX_NAME_CHARACTERS);
}

/**
 * Says why a step could do nothing with its element, as the words after "failed: " in the error, without any typed
 * value.
 */
export async function describeProblem(
  page: Page,
  selector: string,
  step: PageStep,
  typedValues: readonly string[],
): Promise<string> {
  const target = await findVisible(page, selector).catch(() => undefined);
  if (target === undefined) {
    const hidden = await inFrames(
      page,
      async (frame) => (await frame.locator(selector).count()) || undefined,
    ).catch(() => undefined);
    return hidden === undefined
      ? 'no element matches it: it is missing'
      : `it is hidden: ${hidden === 1 ? 'one element matches' : `${hidden} elements match`}, and none is visible`;
  }
  const { element } = target;
  const ask = <Answer>(asking: Promise<Answer>, otherwise: Answer) =>
    withinFrameTime(asking).catch(() => otherwise);
  if (!(await ask(element.isEnabled(), true))) return 'it is disabled';
  const cover = plainCharacters(await ask(visibleIn(target.frame, selector).evaluate(coveringElement), ''));
  if (cover !== '') return `it is covered by "${nameWithoutValues(typedValues, cover)}"`;
  if (step.fill !== undefined && !(await ask(element.isEditable(), true))) return 'it is read-only';
  const last = step.select === undefined ? 'does not take this step' : 'has no such entry to choose';
  return `it is visible, but it moves, is out of the window, or ${last}`;
}
