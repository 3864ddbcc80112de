import { operations } from '@signpost/contract';
import type { PostcodeDirectory } from '../postcodes/directory.js';
import type { Point } from '../postcodes/nearest/distance.js';
import type { DirectoryInfo } from '../postcodes/table/directory-data.js';
import { beginningOfText, keysWithSlips, postcodeOfKey } from '../postcodes/table/normalise-postcode.js';
import { ServiceError } from '../platform/errors.js';

const { autocompletePostcode: autocomplete, getOutcode } = operations;

const SHOWN_CHARACTERS = 20;

const SAMPLE_HINT =
  ' This server has only the sample directory; its operator imports the whole one with "signpost postcodes import latest".';

/** The beginning of a text from a request, in quotes. */
export const shownText = (text: string, maxCharacters = SHOWN_CHARACTERS): string =>
  JSON.stringify(text.slice(0, maxCharacters));

/** The rejection of something that is not in the directory, such as "postcode SW1A 1AA". */
export const notInDirectory = (what: string, { isSample }: Pick<DirectoryInfo, 'isSample'>) =>
  new ServiceError('notInDirectory', `There is no ${what} in the directory.${isSample ? SAMPLE_HINT : ''}`);

/** The canonical form of a text that can be a postcode. */
const canonicalOf = (postcode: string) => keysWithSlips(postcode).map(postcodeOfKey)[0] ?? '';

/**
 * The row of the postcode in a request field. Throws a ServiceError that says why there isn't one, and what
 * works `instead`.
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
  throw notInDirectory(`postcode ${canonicalOf(postcode)}`, directory.info);
}

const OR_POINT = ' Of any other place send the latitude and longitude instead.';

/** The position of the postcode in a request field. Throws a ServiceError that says why it is not known. */
export function pointOfPostcode(directory: PostcodeDirectory, field: string, postcode: string): Point {
  const point = directory.pointOf(rowOfPostcode(directory, field, postcode, OR_POINT));
  if (point !== undefined) return point;
  throw new ServiceError(
    'notInDirectory',
    `The directory does not say where ${canonicalOf(postcode)} is. Send the latitude and longitude of the place instead.`,
  );
}

/**
 * Says what a text such as "E1 6" or "E1-6A" is, and how to list its postcodes; undefined for any other text.
 */
export function describeBeginning(text: string): string | undefined {
  const beginning = beginningOfText(text);
  if (beginning === undefined) return undefined;
  const { outcode, text: partial, isSector } = beginning;
  const what = isSector ? `a sector of ${outcode}` : `the beginning of postcodes of ${outcode}`;
  return `${shownText(text)} is ${what}. For its postcodes ask ${autocomplete.method} ${autocomplete.path} with {"partial": "${partial}"}`;
}

/** The rejection of a text that cannot be a postcode. */
function malformed(directory: PostcodeDirectory, field: string, text: string, instead: string): ServiceError {
  const must = `"${field}" must be a whole UK postcode such as "SW1A 1AA", but`;
  const beginning = describeBeginning(text);
  if (beginning !== undefined) return new ServiceError('invalidRequest', `${must} ${beginning}.${instead}`);
  const rows = directory.rowsOfOutcode(text);
  return new ServiceError(
    'invalidRequest',
    rows === undefined || rows.from === rows.to
      ? `"${field}" must be a UK postcode such as "SW1A 1AA", but is ${shownText(text)}.${instead}`
      : `${must} ${rows.outcode} is an outcode, the first half of one. Ask for it at ${getOutcode.method} ${getOutcode.path} with {"outcode": "${rows.outcode}"}, for its postcodes at ${autocomplete.method} ${autocomplete.path} with {"partial": "${rows.outcode} "}.`,
  );
}
