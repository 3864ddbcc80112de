import { cleanPostcode } from '@signpost/contract';
import type { PostcodeDirectory } from '../postcodes/directory.js';
import { describeMissing } from '../postcodes/hints/describe-missing.js';
import { describeText } from '../postcodes/hints/describe-text.js';
import { shownText } from '../postcodes/hints/helpful-request.js';
import type { Point } from '../postcodes/nearest/distance.js';
import type { DirectoryInfo } from '../postcodes/table/directory-data.js';
import { keyOfText, postcodeOfKey } from '../postcodes/table/normalise-postcode.js';
import { NO_KEY } from '../postcodes/table/postcode-key.js';
import { ServiceError } from '../platform/errors.js';

const SAMPLE_HINT =
  'This server has only the sample directory; its operator imports the whole one with "signpost postcodes import latest".';

/** A sentence that names the edition that was searched, or says that this server has only the sample. */
const searchedEdition = ({ edition, isSample, source }: DirectoryInfo) =>
  isSample
    ? SAMPLE_HINT
    : `The directory is the ${source} ${edition === 'unknown' ? 'of an unknown month' : `of ${edition}`}.`;

/**
 * The rejection of something that is not in the directory; `subject` names it, such as "postcode SW1A 1AA". `nearby`
 * describes what the directory has instead.
 */
export const notInDirectory = (
  subject: string,
  info: DirectoryInfo,
  nearby = '',
  fields: Readonly<Record<string, unknown>> = {},
) =>
  new ServiceError(
    'notInDirectory',
    [`There is no ${subject} in the directory.`, nearby, searchedEdition(info)]
      .filter((sentence) => sentence !== '')
      .join(' '),
    { fields },
  );

/**
 * Names a postcode in a message: in its canonical form or, if the text is a postcode only after typing errors are
 * repaired, by the beginning of the text in quotes.
 */
function writtenPostcode(text: string): string {
  const key = keyOfText(cleanPostcode(text));
  return key === NO_KEY ? shownText(text) : postcodeOfKey(key);
}

/**
 * The row of the postcode in a request field. Throws a ServiceError with the reason if there is no row. `instead` is
 * added to the message about a text that cannot be a postcode.
 */
export function rowOfPostcode(
  directory: PostcodeDirectory,
  field: string,
  postcode: string,
  instead = '',
): number {
  const row = directory.rowOf(postcode);
  if (row === 'malformed') throw malformed(directory, field, postcode, instead);
  if (row !== undefined) return row;
  throw notInDirectory(
    `postcode ${writtenPostcode(postcode)}`,
    directory.info,
    describeMissing(directory, postcode),
  );
}

const OR_POINT = ' Of any other place send the latitude and longitude instead.';

/**
 * The position of the postcode in a request field. Throws a ServiceError if its position is not known, with the
 * reason.
 */
export function pointOfPostcode(directory: PostcodeDirectory, field: string, postcode: string): Point {
  const row = rowOfPostcode(directory, field, postcode, OR_POINT);
  const point = directory.pointOf(row);
  if (point !== undefined) return point;
  throw new ServiceError(
    'notInDirectory',
    `The directory does not say where ${directory.postcodeOf(row)} is. Send the latitude and longitude of the place instead.`,
  );
}

/** The rejection of a text that cannot be a postcode. */
function malformed(directory: PostcodeDirectory, field: string, text: string, instead: string): ServiceError {
  const words = describeText(directory, field, text);
  return new ServiceError(
    'invalidRequest',
    words === undefined
      ? `"${field}" must be a UK postcode such as "SW1A 1AA", but is ${shownText(text)}.${instead}`
      : `"${field}" must be a whole UK postcode such as "SW1A 1AA", but ${words}${instead}`,
  );
}
