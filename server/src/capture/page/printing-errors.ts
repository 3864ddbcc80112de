import { setTimeout as pause } from 'node:timers/promises';
import type { CapturePdfRequest } from '@signpost/contract';
import { ServiceError } from '../../platform/errors.js';
import { BROWSER_END_MS } from '../browser/browser.js';
import { ProtocolError } from '../browser/protocol/protocol-errors.js';
import type { CaptureDeadline } from './capture-deadline.js';
import { hasMovedOn } from './load-page.js';

const noSuchPages = (pageRanges: string) =>
  new ServiceError(
    'invalidRequest',
    `"pageRanges" asks for pages that the PDF does not have, or not in order: ${JSON.stringify(pageRanges)}. Leave it out for all of them.`,
  );

const noRoom = () =>
  new ServiceError(
    'invalidRequest',
    'The margins, which hold header and footer, leave no room on the paper: make marginTop, marginBottom, marginLeft or marginRight smaller.',
  );

export const cannotPrint = ({ tagged, outline }: Pick<CapturePdfRequest, 'tagged' | 'outline'>) =>
  new ServiceError(
    'invalidRequest',
    `The browser cannot print this page: it may have too many elements. Capture less of it${tagged || outline ? ', or set "tagged" and "outline" to false, which takes less memory' : ''}.`,
  );

/**
 * Returns the error for the caller after printing failed; `error` itself if the browser did not reject the printing, or
 * if the page has moved on. If the page crashes or the capture ends within BROWSER_END_MS, throws the reason for that
 * instead.
 */
export async function printingError(
  error: unknown,
  deadline: CaptureDeadline,
  request: CapturePdfRequest,
): Promise<unknown> {
  const message = String(error);
  if (/page range/iu.test(message)) return noSuchPages(request.pageRanges ?? '');
  if (message.includes('content area is empty')) return noRoom();
  if (!(error instanceof ProtocolError) || hasMovedOn(error)) return error;
  // If the page's process ends, printing may fail a moment before the end is reported. The deadline then throws the
  // reason why the process ended.
  await deadline.race(pause(BROWSER_END_MS));
  return cannotPrint(request);
}
