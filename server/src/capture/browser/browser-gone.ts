import { setTimeout as delay } from 'node:timers/promises';
import type { Browser } from 'playwright';
import { ServiceError } from '../../platform/errors.js';
import { settledWithin } from '../../platform/within-time.js';
import type { Lease } from './browser-supervisor.js';

/** Where a whole browser ends, its pages close first; which of the two it was is known after so long. */
export const BROWSER_END_MS = 100;

const CLOSED_MESSAGES =
  /has been closed|Target closed|Browser closed|browser has disconnected|Connection closed/iu;

/** The work was lost with its browser, and may be done again in another one. */
export class BrowserGone extends Error {
  constructor(
    readonly browser: Browser,
    /** Whether its pages together took too much memory. */
    readonly isOvergrown: boolean,
    cause: unknown,
  ) {
    super('The browser ended.', { cause });
    this.name = 'BrowserGone';
  }

  /** Resolves when the browser counts as ended everywhere, after a short time at the latest. */
  async settled(): Promise<void> {
    const { browser } = this;
    if (!browser.isConnected()) return;
    const ended = new Promise<void>((resolve) => browser.once('disconnected', () => resolve()));
    await settledWithin(ended, BROWSER_END_MS);
  }
}

/** The error of a work in this browser: a BrowserGone where the browser, or all that the work used of it, is gone. */
export async function toBrowserGone(error: unknown, { browser, memory }: Lease): Promise<unknown> {
  // Whatever the work failed by, such as an answer that was cut off, came of its browser being ended.
  const isOvergrown = () => memory?.hasEndedBrowser === true;
  if (isOvergrown()) return new BrowserGone(browser, true, error);
  if (error instanceof ServiceError || !(error instanceof Error)) return error;
  // Playwright fails what is under way a moment before it says that the connection is gone.
  await delay(1);
  return CLOSED_MESSAGES.test(error.message) || !browser.isConnected()
    ? new BrowserGone(browser, isOvergrown(), error)
    : error;
}
