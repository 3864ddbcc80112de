import { ServiceError } from '../../platform/errors.js';
import { settledWithin } from '../../platform/within-time.js';
import { BROWSER_END_MS, BrowserGone } from './browser.js';
import type { Lease } from './browser-supervisor.js';
import { SessionClosed } from './protocol/protocol-errors.js';

/**
 * Returns a BrowserGone if the leased browser was ended because of its memory, or if it is gone and the error is not a
 * ServiceError. Otherwise returns the error unchanged.
 */
export async function toBrowserGone(error: unknown, { browser, memory }: Lease): Promise<unknown> {
  // If the browser was ended because of its memory, that is the cause, whatever the error says, such as "truncated
  // response".
  const isOvergrown = () => memory?.hasEndedBrowser === true;
  if (isOvergrown()) return new BrowserGone(browser, true, error);
  if (error instanceof BrowserGone || error instanceof ServiceError || !(error instanceof Error))
    return error;
  // When a browser ends, its pages close a moment before it, so wait for its end.
  if (error instanceof SessionClosed) await settledWithin(browser.disconnected, BROWSER_END_MS);
  return browser.isConnected() ? error : new BrowserGone(browser, isOvergrown(), error);
}
