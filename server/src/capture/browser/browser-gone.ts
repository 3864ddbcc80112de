import { ServiceError } from '../../platform/errors.js';
import { settledWithin } from '../../platform/within-time.js';
import { type Browser, BrowserLost } from './browser.js';
import type { Lease } from './browser-supervisor.js';
import { SessionClosed } from './protocol/protocol-errors.js';

/**
 * When a whole browser ends, its pages close first. After this time it is known which of the two happened.
 */
export const BROWSER_END_MS = 100;

/** The work was lost because its browser went away. It may be repeated in another one. */
export class BrowserGone extends Error {
  constructor(
    readonly browser: Browser,
    /** Whether its pages together used too much memory. */
    readonly isOvergrown: boolean,
    cause: unknown,
  ) {
    super('The browser ended.', { cause });
    this.name = 'BrowserGone';
  }

  /** Resolves when the browser counts as ended everywhere, after a short time at most. */
  async settled(): Promise<void> {
    await settledWithin(this.browser.disconnected, BROWSER_END_MS);
  }
}

/** Converts an error of work in this browser: to a BrowserGone if the browser is gone. */
export async function toBrowserGone(error: unknown, { browser, memory }: Lease): Promise<unknown> {
  // Whatever the error is, such as a truncated response, it was caused by ending the browser.
  const isOvergrown = () => memory?.hasEndedBrowser === true;
  if (isOvergrown()) return new BrowserGone(browser, true, error);
  if (error instanceof ServiceError || !(error instanceof Error)) return error;
  // The pages of a browser that ends close a moment before it.
  if (error instanceof SessionClosed) await settledWithin(browser.disconnected, BROWSER_END_MS);
  return error instanceof BrowserLost || !browser.isConnected()
    ? new BrowserGone(browser, isOvergrown(), error)
    : error;
}
