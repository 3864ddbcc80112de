import { ServiceError } from '../../platform/errors.js';
import { BrowserGone } from '../browser/browser.js';
import { toBrowserGone } from '../browser/browser-gone.js';
import type { Lease } from '../browser/browser-supervisor.js';
import { tooMuchMemory } from '../browser/memory-watch.js';
import { SessionClosed } from '../browser/protocol/protocol-errors.js';
import { FileArrived, LeadsToFile } from './incoming-file.js';
import { closedItself } from './open-page.js';
import { NeverRests } from './settle.js';

export const browserCrashed = (cause: unknown) =>
  new ServiceError('internal', 'The browser crashed while it captured this page.', {
    cause,
    reason: 'browser',
  });

const stepsLeadToFile = () =>
  new ServiceError(
    'invalidRequest',
    'The steps lead to a file, not to a page. Leave out the step that leads there, or capture the address of the file without steps.',
  );

const tooBusy = () =>
  new ServiceError(
    'invalidRequest',
    'The page that the steps lead to cannot be captured: its scripts are too busy for it to come to rest.',
  );

/**
 * Converts an error of an attempt to the one for the caller, or to a BrowserGone if another attempt may succeed.
 * Returns an error that needs no conversion unchanged.
 */
export async function toPageError(error: unknown, lease: Lease): Promise<unknown> {
  const pageError = await toBrowserGone(error, lease);
  if (pageError instanceof SessionClosed) return closedItself();
  const isToBlame = lease.isSingleUse && pageError instanceof BrowserGone && pageError.isOvergrown;
  return isToBlame && lease.memory !== undefined ? tooMuchMemory(lease.memory.maxBytes) : pageError;
}

/**
 * Once a step has begun, converts an error that would otherwise lead to another attempt, which would run the steps
 * again, or to the reading of a file. Returns any other error unchanged.
 */
export function toErrorAfterSteps(error: unknown): unknown {
  if (error instanceof BrowserGone) return browserCrashed(error);
  if (error instanceof LeadsToFile || error instanceof FileArrived) return stepsLeadToFile();
  return error instanceof NeverRests ? tooBusy() : error;
}
