import { cleanPostcode } from '@signpost/contract';
import type { PostcodeDirectory } from '../directory.js';
import { beginningsOfText, possibleOutcodes, type PostcodeBeginning } from '../table/normalise-postcode.js';
import type { KnownOutcode } from '../table/row-finder.js';
import { autocompleteRequest, outcodeRequest, shownText } from './helpful-request.js';

const MAX_LISTED = 10;

const clean = (text: string) => cleanPostcode(text).replace(/\s/gu, '').toUpperCase();

/** Lists the first of some names and the number of others, such as "SO14, SO15 and 20 more". */
function listNames(names: readonly string[]): string {
  const more = names.length - MAX_LISTED;
  return names.slice(0, MAX_LISTED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** The directory's entry for this outcode, if the outcode has an active postcode. */
export const liveOutcode = ({ outcodes }: PostcodeDirectory, outcode: string): KnownOutcode | undefined =>
  outcodes.find((entry) => entry.isLive && entry.outcode === outcode);

const liveOutcodes = ({ outcodes }: PostcodeDirectory, pattern: RegExp) =>
  outcodes.filter(({ isLive, outcode }) => isLive && pattern.test(outcode)).map(({ outcode }) => outcode);

/** The outcodes with active postcodes that consist of this one and a letter: EC1A, EC1M and so on for EC1. */
const letteredOutcodes = (directory: PostcodeDirectory, outcode: string) =>
  liveOutcodes(directory, new RegExp(`^${outcode}[A-Z]$`, 'u'));

/**
 * Of an outcode's sectors with active postcodes, finds the one whose number is nearest to `sector`, the lower one of
 * two. Undefined if there are none.
 */
export function nearestLiveSector(
  directory: PostcodeDirectory,
  outcode: string,
  sector: number,
): string | undefined {
  const rows = liveOutcode(directory, outcode);
  if (rows === undefined) return undefined;
  const [nearest] = directory
    .liveSectors(rows)
    .sort((one, other) => Math.abs(one - sector) - Math.abs(other - sector) || one - other);
  return nearest === undefined ? undefined : `${outcode} ${nearest}`;
}

/**
 * Describes an outcode without active postcodes: it stands for a group of outcodes, is terminated, or is unknown. Empty
 * if the directory is the sample, unless the outcode stands for a group.
 */
export function describeDeadOutcode(directory: PostcodeDirectory, outcode: string): string {
  const lettered = letteredOutcodes(directory, outcode);
  if (lettered.length > 0)
    return `${outcode} stands for the outcodes ${listNames(lettered)}. For their postcodes ask ${autocompleteRequest(outcode)}.`;
  // Nothing can be said, because the sample lacks most outcodes.
  if (directory.info.isSample) return '';
  const isKnown = directory.outcodes.some((one) => one.outcode === outcode);
  if (isKnown) return `All postcodes of the outcode ${outcode} are terminated.`;
  const area = /^[A-Z]{1,2}/u.exec(outcode)?.[0] ?? '';
  const ofArea = liveOutcodes(directory, new RegExp(`^${area}\\d`, 'u'));
  return ofArea.length === 0
    ? `No outcode begins with ${area}.`
    : `There is no outcode ${outcode}. The directory has ${listNames(ofArea)} of the area ${area}.`;
}

/**
 * Describes the beginning of a postcode such as "E1 6" or "E1-6A", and says how to list the postcodes that begin
 * with it, or else those of the nearest sector of its outcode, if there is one. Undefined if the text is not such a
 * beginning.
 */
export function describeSector(directory: PostcodeDirectory, text: string): string | undefined {
  const beginnings = beginningsOfText(text);
  const isLive = ({ outcode }: PostcodeBeginning) => liveOutcode(directory, outcode) !== undefined;
  // If no reading has an outcode with active postcodes, only the reading as typed is described: a repaired one would be
  // a guess.
  const beginning =
    beginnings.find(isLive) ?? beginnings.find(({ outcode }) => clean(text).startsWith(outcode));
  if (beginning === undefined) return undefined;
  const { outcode, text: partial, isSector } = beginning;
  const description = `${shownText(text)} is ${isSector ? `a sector of ${outcode}` : `the beginning of postcodes of ${outcode}`}.`;
  if (directory.autocomplete(partial, 1).length > 0)
    return `${description} For its postcodes ask ${autocompleteRequest(partial)}.`;
  const sector = nearestLiveSector(
    directory,
    outcode,
    Number(partial.slice(outcode.length + 1, outcode.length + 2)),
  );
  return sector === undefined
    ? `${description} ${describeDeadOutcode(directory, outcode)}`.trimEnd()
    : `${description} No postcode in use begins like that. The nearest sector in use is ${sector}: for its postcodes ask ${autocompleteRequest(sector)}.`;
}

/**
 * Says that a text is a postcode area, such as "SO", and lists its outcodes. Undefined unless the directory has active
 * postcodes of the area.
 */
function describeArea(directory: PostcodeDirectory, text: string, clean: string): string | undefined {
  if (!/^[A-Z]{1,2}$/u.test(clean)) return undefined;
  const outcodes = liveOutcodes(directory, new RegExp(`^${clean}\\d`, 'u'));
  if (outcodes.length === 0) return undefined;
  const how = clean.length > 1 ? ` For postcodes of the area ask ${autocompleteRequest(clean)}.` : '';
  return `${shownText(text)} is a postcode area. The directory has its outcodes ${listNames(outcodes)}: send one of them.${how}`;
}

/**
 * Says what the directory has for a text in the form of an outcode. Undefined for any other text, and for one that is
 * an outcode only after repairs, if the directory has nothing for the repaired outcode.
 */
function describeOutcode(directory: PostcodeDirectory, text: string): string | undefined {
  const outcodes = possibleOutcodes(text);
  const live = outcodes.find((outcode) => liveOutcode(directory, outcode) !== undefined);
  if (live !== undefined)
    return `${live} is an outcode, the first half of one. Ask for it at ${outcodeRequest(live)}, for its postcodes at ${autocompleteRequest(`${live} `)}.`;
  const group = outcodes.find((outcode) => letteredOutcodes(directory, outcode).length > 0);
  if (group !== undefined) return describeDeadOutcode(directory, group);
  const terminated = outcodes.find((outcode) =>
    directory.outcodes.some((entry) => entry.outcode === outcode),
  );
  if (terminated !== undefined)
    return `${terminated} is an outcode, and all of its postcodes are terminated. Ask for it at ${outcodeRequest(terminated)}.`;
  const [written] = outcodes;
  return written !== undefined && written === clean(text)
    ? `${written} has the form of an outcode. ${describeDeadOutcode(directory, written)}`.trimEnd()
    : undefined;
}

/**
 * Says that a text such as "SW1A1" is only the beginning of postcodes. Undefined if it has no digit, or autocompletion
 * finds nothing for it.
 */
function describeUnspaced(directory: PostcodeDirectory, text: string): string | undefined {
  if (!/\d/u.test(text) || directory.autocomplete(text, 1).length === 0) return undefined;
  return `${shownText(text)} is only the beginning of one. For the postcodes that begin like that ask ${autocompleteRequest(clean(text))}.`;
}

/**
 * Says which part of a postcode a text is (an area, a group of outcodes, an outcode, a sector or another beginning),
 * and what to request instead. Undefined for any other text.
 */
export const describeBeginning = (directory: PostcodeDirectory, text: string): string | undefined =>
  describeSector(directory, text) ??
  describeArea(directory, text, clean(text)) ??
  describeOutcode(directory, text) ??
  describeUnspaced(directory, text);
