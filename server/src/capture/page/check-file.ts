import { ServiceError } from '../../platform/errors.js';
import { AnswerTooLong } from '../browser/protocol/protocol-errors.js';
import type { CaptureLimits } from './capture-page.js';

const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1);

const tooLarge = (size: string, maxBytes: number) =>
  new ServiceError(
    'invalidRequest',
    `The result has ${size}more than the ${megabytes(maxBytes)} MB that an answer may have. Ask for less of the page, or a smaller format.`,
  );

/** The file that the browser made of a page. Throws a ServiceError if it is empty or too large. */
export async function checkFile(
  making: Promise<Buffer>,
  { maxResultBytes }: Pick<CaptureLimits, 'maxResultBytes'>,
): Promise<Buffer> {
  const body = await making.catch((error: unknown) => {
    throw error instanceof AnswerTooLong ? tooLarge('far ', maxResultBytes) : error;
  });
  if (body.length === 0) throw new ServiceError('internal', 'The browser gave an empty file for this page.');
  if (body.length > maxResultBytes) throw tooLarge(`${megabytes(body.length)} MB, `, maxResultBytes);
  return body;
}
