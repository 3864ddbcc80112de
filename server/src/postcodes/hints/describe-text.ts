import { LIMITS, whereIsPoint } from '@signpost/contract';
import { areaOfCode, areasOfName, crownDependencyNamed } from '../areas/find-areas.js';
import type { PostcodeDirectory } from '../directory.js';
import { NAME_COLUMNS } from '../table/directory-data.js';
import { describeBeginning, describeDeadOutcode, describeSector, liveOutcode } from './describe-beginning.js';
import { foreignCode } from './foreign-codes.js';
import { areaRequest, FIND, LOOKUP, nearestRequest, shownFields, shownText } from './helpful-request.js';
import { describeMissing } from './describe-missing.js';
import { possibleKeys } from '../table/normalise-postcode.js';
import { outcodeOfKey, outcodeText } from '../table/postcode-key.js';

const NUMBER = String.raw`[+-]?\d{1,3}(?:\.\d+)?`;
const POINT = new RegExp(`^\\s*(${NUMBER})\\s*[,; ]\\s*(${NUMBER})\\s*$`, 'u');
const METRES_PER_KM = 1_000;
const MAX_LISTED = 5;
const SHOWN_ADDRESS = 60;
const MAX_NAME_CHARACTERS = 200;

function describePoint(directory: PostcodeDirectory, text: string): string | undefined {
  const [, first, second] = POINT.exec(text)?.map(Number) ?? [];
  if (first === undefined || second === undefined || !text.includes('.')) return undefined;
  const where = whereIsPoint(first, second);
  if (where === 'elsewhere') return `${shownText(text)} has the form of a point, but of none in the UK.`;
  const [latitude, longitude] = where === 'exchanged' ? [second, first] : [first, second];
  const query = { latitude, longitude, limit: 1, radiusMetres: LIMITS.nearestRadiusMetres.default };
  if (directory.nearest(query).length === 0)
    return `${shownText(text)} is a point, and the directory has no postcode within ${query.radiusMetres / METRES_PER_KM} km of it.`;
  return `${shownText(text)} is a point. For the postcodes around it ask ${nearestRequest(latitude, longitude)}.`;
}

/** Says which postcodes of the directory are in a longer text, such as an address. Undefined if none are. */
function describeAddress(directory: PostcodeDirectory, text: string, field: string): string | undefined {
  const valid = directory.findInText(text).filter(({ isValid }) => isValid);
  const found = [...new Set(valid.map(({ postcode }) => postcode))];
  const [first] = found;
  if (first === undefined) return undefined;
  if (found.length === 1) {
    const value = field === 'outcode' ? (first.split(' ')[0] ?? '') : first;
    return `${shownText(text, SHOWN_ADDRESS)} is longer. The postcode in it is ${first}: send ${shownFields({ [field]: value })}.`;
  }
  const names = found.slice(0, MAX_LISTED);
  return `${shownText(text, SHOWN_ADDRESS)} is longer. In it are ${names.join(', ')}${found.length > MAX_LISTED ? ' and more' : ''}: send one of them, or the text to ${FIND}.`;
}

/** Says that a text is the code or the name of an area. Undefined if it is neither. */
function describeNamedArea({ table }: PostcodeDirectory, text: string): string | undefined {
  const name = text.trim();
  if (name === '' || name.length > MAX_NAME_CHARACTERS) return undefined;
  const code = name.toUpperCase();
  const area = areaOfCode(table, code);
  if (area !== undefined)
    return `${shownText(text)} is the code of an area, ${area.name} (${area.kind}). For its postcodes ask ${areaRequest({ code })}.`;
  const kind =
    NAME_COLUMNS.find((column) => areasOfName(table, column, name).length > 0) ??
    (crownDependencyNamed(name) === undefined ? undefined : 'country');
  return kind === undefined
    ? undefined
    : `${shownText(text)} is the name of an area (${kind}). For its postcodes ask ${areaRequest({ kind, name })}.`;
}

function describeForeign(text: string): string | undefined {
  if (/^\s*\d{1,2}\s*$/u.test(text))
    return `${shownText(text)} has no letter, and every outcode begins with one.`;
  const foreign = foreignCode(text);
  return foreign === undefined ? undefined : `${shownText(text)} ${foreign}`;
}

/**
 * Explains a text that was sent as a postcode or outcode but cannot be one, and says which request helps, if there is
 * one. Each autocomplete request that it names finds a postcode. Undefined if nothing is known about the text.
 */
export const describeText = (directory: PostcodeDirectory, field: string, text: string): string | undefined =>
  describeForeign(text) ??
  describeBeginning(directory, text) ??
  describePoint(directory, text) ??
  describeAddress(directory, text, field) ??
  describeNamedArea(directory, text);

/**
 * Says that a text is a whole postcode and not an outcode, and what to request instead, if anything helps. Undefined if
 * it cannot be a postcode, or if it looks like a foreign code and the directory does not have it.
 */
export function describeWholePostcode(directory: PostcodeDirectory, text: string): string | undefined {
  const row = directory.rowOf(text);
  if (typeof row === 'number') {
    const postcode = directory.postcodeOf(row);
    const [outcode = ''] = postcode.split(' ');
    return `${postcode} is a whole one. Send ${shownFields({ outcode })}, or look the postcode up at ${LOOKUP}.`;
  }
  if (row === 'malformed' || foreignCode(text) !== undefined) return undefined;
  const [outcode] = possibleKeys(text).map((key) => outcodeText(outcodeOfKey(key)));
  return outcode !== undefined && liveOutcode(directory, outcode) !== undefined
    ? `${shownText(text)} is a whole one. Send ${shownFields({ outcode })}.`
    : `${shownText(text)} has the form of a whole one. ${describeMissing(directory, text)}`.trimEnd();
}

/**
 * Says what the directory has instead of an outcode that it does not have, or which foreign code the text looks like.
 * Empty if there is nothing to say.
 */
export const describeUnknownOutcode = (
  directory: PostcodeDirectory,
  text: string,
  outcode: string,
): string => {
  const foreign = foreignCode(text);
  return foreign === undefined
    ? (describeSector(directory, text) ?? describeDeadOutcode(directory, outcode))
    : `It ${foreign}`;
};
