import { operations } from '@signpost/contract';
import type { PostcodeDirectory } from '../postcodes/directory.js';
import type { Point } from '../postcodes/nearest/distance.js';
import type { DirectoryInfo } from '../postcodes/table/directory-data.js';
import { keysWithSlips, outcodeOfText, postcodeOfKey } from '../postcodes/table/normalise-postcode.js';
import { ServiceError } from '../platform/errors.js';

const { autocompletePostcode: autocomplete, getOutcode } = operations;

const SHOWN_CHARACTERS = 20;

const SAMPLE_HINT =
  ' This server has only the sample directory; its operator imports the whole one with "signpost postcodes import latest".';

/** The beginning of a text as it was sent, in quotes. */
export const shownText = (text: string, maxCharacters = SHOWN_CHARACTERS): string =>
  JSON.stringify(text.slice(0, maxCharacters));

/** The refusal of what the directory does not have, such as "postcode SW1A 1AA". */
export const notInDirectory = (what: string, { isSample }: Pick<DirectoryInfo, 'isSample'>) =>
  new ServiceError('notFound', `There is no ${what} in the directory.${isSample ? SAMPLE_HINT : ''}`);

/** The canonical form of what can be a postcode. */
const canonicalOf = (postcode: string) => keysWithSlips(postcode).map(postcodeOfKey)[0] ?? '';

/** The row of the postcode in a field of a request; throws a ServiceError that says why there is none, and what works `instead`. */
export function rowOfPostcode(
  directory: PostcodeDirectory,
  field: string,
  postcode: string,
  instead = '',
): number {
  const row = directory.rowOf(postcode);
  if (row === 'malformed') throw malformed(field, postcode, instead);
  if (row !== undefined) return row;
  throw notInDirectory(`postcode ${canonicalOf(postcode)}`, directory.info);
}

const OR_POINT = ' Of any other place send the latitude and longitude instead.';

/** Where the postcode in a field of a request is; throws a ServiceError that says why that is not known. */
export function pointOfPostcode(directory: PostcodeDirectory, field: string, postcode: string): Point {
  const point = directory.pointOf(rowOfPostcode(directory, field, postcode, OR_POINT));
  if (point !== undefined) return point;
  throw new ServiceError(
    'notFound',
    `The directory does not say where ${canonicalOf(postcode)} is. Send the latitude and longitude of the place instead.`,
  );
}

/** What is wrong with a text that cannot be a postcode. */
function malformed(field: string, text: string, instead: string): ServiceError {
  const outcode = outcodeOfText(text);
  return new ServiceError(
    'invalidRequest',
    outcode === undefined
      ? `"${field}" must be a UK postcode such as "SW1A 1AA", but is ${shownText(text)}.${instead}`
      : `"${field}" must be a whole UK postcode such as "SW1A 1AA", but ${outcode} is an outcode, the first half of one. Ask for it at ${getOutcode.method} ${getOutcode.path} with {"outcode": "${outcode}"}, for its postcodes at ${autocomplete.method} ${autocomplete.path} with {"partial": "${outcode} "}.`,
  );
}
