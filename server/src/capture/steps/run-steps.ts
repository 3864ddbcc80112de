import { setTimeout as pause } from 'node:timers/promises';
import type { PageStep } from '@signpost/contract';
import type { Page } from 'playwright';
import { ServiceError } from '../../platform/errors.js';
import { settledWithin } from '../../platform/within-time.js';
import type { Browser } from '../browser/browser.js';
import type { MainDocument } from '../browser/main-document.js';
import { SessionClosed } from '../browser/protocol/protocol-errors.js';
import type { ProtocolSession } from '../browser/protocol/session.js';
import { connectPlaywright, type PlaywrightPage } from './connect-playwright.js';
import {
  describeProblem,
  InvalidSelector,
  repeatsValue,
  type StepTarget,
  untilVisible,
} from './step-target.js';
import { TypingOrigins } from './typing-origins.js';

/**
 * How long a step may take to find its element and act on it. If STEP_SHARE of the capture's remaining time is shorter,
 * the step may take only that long, so that time is left for an error that names the step.
 */
const STEP_MS = 10_000;
const STEP_SHARE = 0.5;
/** How long one try of an action may take before its element is looked for again. */
const TRY_MS = 2_000;
/**
 * How many times to ask which frame has the keyboard, if the document is replaced or does not say. After that, the step
 * fails.
 */
const MAX_FOCUS_TRIES = 20;
const LOOK_EVERY_MS = 100;
/** How long to wait for an announced navigation. */
const MAX_NAVIGATION_MS = 2_000;

/**
 * The name of a step in errors: its action and, except for `press` and `waitMs`, its argument. Leaves out the value
 * that the step fills in or selects.
 */
function nameOf(step: PageStep): string {
  const [action, argument] = Object.entries({ ...step, value: undefined }).find(
    ([, value]) => value !== undefined,
  ) ?? ['', ''];
  return action === 'press' || action === 'waitMs' ? action : `${action} ${JSON.stringify(argument)}`;
}

const failed = (number: number, step: PageStep, found: string) =>
  new ServiceError('invalidRequest', `Step ${number} (${nameOf(step)}) failed: ${found}.`);

/** The selector of a step; undefined if it has none. */
const selectorOf = ({ click, fill, select, hover, scrollTo, waitForSelector }: PageStep) =>
  click ?? fill ?? select ?? hover ?? scrollTo ?? waitForSelector;

/**
 * Does a step on its element. Before a click, a fill or a select, Playwright waits until the element is enabled, does
 * not move and is not covered. Throws the error of Playwright if it cannot act in time.
 */
async function performStep({ element }: StepTarget, step: PageStep): Promise<void> {
  const timeout = TRY_MS;
  const { value = '' } = step;
  if (step.click !== undefined) await element.click({ timeout, noWaitAfter: true });
  else if (step.hover !== undefined) await element.hover({ timeout });
  else if (step.scrollTo !== undefined) await element.scrollIntoViewIfNeeded({ timeout });
  else if (step.fill !== undefined) {
    // Tried as a click first, because Playwright would also fill fields that are covered, which no person could.
    await element.click({ timeout, trial: true });
    await element.fill(value, { timeout });
  } else if (step.select !== undefined) {
    await element.click({ timeout, trial: true });
    await element.selectOption(value, { timeout });
  }
}

/** The parts of a capture's page that steps need. */
interface StepsPage {
  readonly protocol: ProtocolSession;
  readonly document: MainDocument;
  readonly sessions: { readonly frames: readonly unknown[] };
  /** Waits, and lets other captures work meanwhile if the page is idle. */
  readonly yieldDuring: <Result>(waiting: Promise<Result>) => Promise<Result>;
  readonly deadline: { readonly leftMs: number; race<Result>(work: Promise<Result>): Promise<Result> };
}

/**
 * Navigates to an address. Returns whether another document comes, and not only another part of the current one (a
 * #fragment). Throws a ServiceError that says why the address cannot be loaded.
 */
type GoTo = (url: string) => Promise<boolean>;

/** Runs the steps of one capture, each at most once. */
export class StepRun {
  readonly #steps: readonly PageStep[];
  readonly #browser: Browser;
  readonly #goTo: GoTo;
  readonly #origins = new TypingOrigins();
  #connected: PlaywrightPage | undefined;
  #next = 0;
  #hasNavigated = false;

  constructor(steps: readonly PageStep[] | undefined, browser: Browser, goTo: GoTo) {
    this.#steps = steps ?? [];
    this.#browser = browser;
    this.#goTo = goTo;
  }

  /** Whether a step was begun, which another attempt at the page would repeat. */
  get hasBegun(): boolean {
    return this.#next > 0;
  }

  /**
   * Does the remaining steps, up to the first that leads to another document or is a "goto". Returns whether there was
   * such a step. If a step fails, throws a ServiceError, which names the step unless it is a "goto".
   */
  async leadsAway(open: StepsPage): Promise<boolean> {
    if (this.#next >= this.#steps.length) {
      await this.end();
      return false;
    }
    const { document, deadline } = open;
    this.#connected ??= await deadline.race(connectPlaywright(this.#browser, document.frameId));
    const { page } = this.#connected;
    if (this.#next === 0 || this.#hasNavigated) {
      // Playwright may not have noticed yet that the page has navigated.
      const { frameTree } = await deadline.race(open.protocol.send('Page.getFrameTree'));
      this.#origins.allow(frameTree.frame.url);
    }
    this.#hasNavigated = false;
    while (this.#next < this.#steps.length) {
      const step = this.#steps[this.#next];
      this.#next += 1;
      if (step === undefined) break;
      const before = document.count;
      await this.#run(open, page, step, this.#next);
      const isMoving = await deadline.race(document.movesOnWithin(MAX_NAVIGATION_MS));
      if (isMoving || document.count !== before || step.goto !== undefined) return true;
    }
    await this.end();
    return false;
  }

  /** Ends Playwright's session, if there is one. */
  async end(): Promise<void> {
    const connected = this.#connected;
    this.#connected = undefined;
    await connected?.disconnect();
  }

  async #run(open: StepsPage, page: Page, step: PageStep, number: number): Promise<void> {
    const { deadline } = open;
    if (step.goto !== undefined) {
      this.#hasNavigated = true;
      const before = open.document.count;
      const replaces = await this.#goTo(step.goto);
      // Waits, because the browser may report the new document only after `#goTo` has returned.
      if (replaces && open.document.count === before)
        await deadline.race(settledWithin(open.document.untilReplaced(), MAX_NAVIGATION_MS));
    } else if (step.waitMs !== undefined) await open.yieldDuring(deadline.race(pause(step.waitMs)));
    else if (step.press !== undefined) await deadline.race(this.#press(open, page, step, number));
    else await this.#actInTime(open, page, step, number);
  }

  async #press(open: StepsPage, page: Page, step: PageStep, number: number): Promise<void> {
    const { press: key = '' } = step;
    const origin = await this.#foreignFocus(open, page, step, number);
    if (origin !== undefined) throw this.#typesElsewhere(number, step, origin);
    try {
      await page.keyboard.press(key);
    } catch (error) {
      if (!(error instanceof Error && error.message.includes('Unknown key')))
        throw new SessionClosed('press');
      // Playwright knows only the keys of a US keyboard. Any other single character is sent without Playwright.
      if ([...key].length !== 1) throw failed(number, step, 'there is no such key');
      await open.protocol.send('Input.dispatchKeyEvent', { type: 'keyDown', key, text: key });
      await open.protocol.send('Input.dispatchKeyEvent', { type: 'keyUp', key });
    }
  }

  /**
   * The origin with the keyboard, if steps must not type into it; otherwise undefined. If the document was replaced or
   * does not say which frame has the keyboard, asks again, and throws a ServiceError after MAX_FOCUS_TRIES tries.
   */
  async #foreignFocus(
    { sessions }: StepsPage,
    page: Page,
    step: PageStep,
    number: number,
  ): Promise<string | undefined> {
    for (let tries = 0; tries < MAX_FOCUS_TRIES; tries += 1) {
      try {
        return await this.#origins.foreignFocus(page, sessions.frames.length);
      } catch {
        // The error message is not used, because the page controls Playwright's messages.
        await pause(LOOK_EVERY_MS);
      }
    }
    throw failed(number, step, 'the page does not say which of its frames gets the keys');
  }

  #typesElsewhere(number: number, step: PageStep, origin: string): ServiceError {
    // The page chose the address, and may have built it from a typed value.
    const destination = repeatsValue(this.#typedValues, origin) ? 'another site' : origin;
    return failed(
      number,
      step,
      `it would type into ${destination}, but steps type only into the site on which they began. Add a step "goto" that leads there first, if that is what you want`,
    );
  }

  /** The values of all steps, which errors must not repeat. */
  get #typedValues(): readonly string[] {
    return this.#steps.flatMap(({ value }) => value ?? []);
  }

  async #actInTime(open: StepsPage, page: Page, step: PageStep, number: number): Promise<void> {
    const { deadline } = open;
    const selector = selectorOf(step) ?? '';
    const endMs = performance.now() + Math.min(STEP_MS, deadline.leftMs * STEP_SHARE);
    let hasEnded = false;
    const isOver = () => hasEnded || performance.now() >= endMs;
    try {
      const trying = this.#tryUntil(isOver, page, step, selector, number);
      const isDone = await open.yieldDuring(deadline.race(trying));
      if (!isDone) {
        throw failed(
          number,
          step,
          await deadline.race(describeProblem(page, selector, step, this.#typedValues)),
        );
      }
    } catch (error) {
      throw error instanceof InvalidSelector
        ? failed(number, step, 'this is not a selector that Playwright understands')
        : error;
    } finally {
      hasEnded = true;
    }
  }

  /**
   * Looks for the element and does the step on it, again and again, until that works or the time is over. Returns
   * whether it worked. Throws a ServiceError if the step would type into a foreign origin.
   */
  async #tryUntil(
    isOver: () => boolean,
    page: Page,
    step: PageStep,
    selector: string,
    number: number,
  ): Promise<boolean> {
    for (;;) {
      const target = await untilVisible(page, selector, isOver);
      if (target === undefined) return false;
      try {
        // Checks the frame of the element, because a selector of Playwright can lead into a frame inside the one that
        // was searched. The result stays valid, because Playwright cannot use the element in a later document.
        const origin =
          step.value === undefined
            ? undefined
            : this.#origins.foreignOrigin(await target.element.ownerFrame());
        if (origin !== undefined) throw this.#typesElsewhere(number, step, origin);
        await performStep(target, step);
        return true;
      } catch (error) {
        if (error instanceof ServiceError) throw error;
        // The error is dropped, because Playwright's message repeats the value. `describeProblem` finds the problem
        // later.
        if (isOver()) return false;
      } finally {
        target.element.dispose().catch(() => undefined);
      }
    }
  }
}
