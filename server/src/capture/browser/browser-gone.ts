import { ServiceError } from '../../platform/errors.js';
import { settledWithin } from '../../platform/within-time.js';
import { BROWSER_END_MS, BrowserGone } from './browser.js';
import type { Lease } from './browser-supervisor.js';
import { SessionClosed } from './protocol/protocol-errors.js';

/** Converts an error of work in this browser: to a BrowserGone if the browser is gone. */
export async function toBrowserGone(error: unknown, { browser, memory }: Lease): Promise<unknown> {
  // Whatever the error is, such as a truncated response, it was caused by ending the browser.
  const isOvergrown = () => memory?.hasEndedBrowser === true;
  if (isOvergrown()) return new BrowserGone(browser, true, error);
  if (error instanceof BrowserGone || error instanceof ServiceError || !(error instanceof Error))
    return error;
  // The pages of a browser that ends close a moment before it.
  if (error instanceof SessionClosed) await settledWithin(browser.disconnected, BROWSER_END_MS);
  return browser.isConnected() ? error : new BrowserGone(browser, isOvergrown(), error);
}
