import { ServiceError } from '../../platform/errors.js';
import { settledWithin } from '../../platform/within-time.js';
import { type Browser, BrowserLost } from './browser.js';
import type { Lease } from './browser-supervisor.js';
import { SessionClosed } from './protocol/protocol-errors.js';

/** Where a whole browser ends, its pages close first; which of the two it was is known after so long. */
export const BROWSER_END_MS = 100;

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
    await settledWithin(this.browser.disconnected, BROWSER_END_MS);
  }
}

/** The error of a work in this browser: a BrowserGone where the browser is gone, and with it what the work used. */
export async function toBrowserGone(error: unknown, { browser, memory }: Lease): Promise<unknown> {
  // Whatever the work failed by, such as an answer that was cut off, came of its browser being ended.
  const isOvergrown = () => memory?.hasEndedBrowser === true;
  if (isOvergrown()) return new BrowserGone(browser, true, error);
  if (error instanceof ServiceError || !(error instanceof Error)) return error;
  // The pages of a browser that ends go a moment before the browser.
  if (error instanceof SessionClosed) await settledWithin(browser.disconnected, BROWSER_END_MS);
  return error instanceof BrowserLost || !browser.isConnected()
    ? new BrowserGone(browser, isOvergrown(), error)
    : error;
}
