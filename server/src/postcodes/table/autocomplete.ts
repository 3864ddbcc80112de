import { cleanPostcode } from '@signpost/contract';
import { type KeyIndex, type KeyRange, keysThatBegin } from './postcode-key.js';
import { firstMeaning, readCharacters } from './normalise-postcode.js';
import type { PackedRows } from './packed-directory.js';

const MAX_POSTCODE_LENGTH = 7;
const typed = new Uint8Array(MAX_POSTCODE_LENGTH);

/** After how many characters of a text white space stands, but for what it begins with. */
function spacesOf(text: string): number[] {
  let length = 0;
  const words = text.trimStart().split(/\s+/u).slice(0, -1);
  return words.map((word) => (length += word.length));
}

function activeRows(
  index: KeyIndex,
  active: PackedRows,
  ranges: readonly KeyRange[],
  limit: number,
): number[] {
  const { keys } = index;
  const found: number[] = [];
  for (const { start, end } of ranges) {
    for (let row = index.firstFrom(start); row < keys.length && found.length < limit; row += 1) {
      if ((keys[row] ?? 0) >= end) break;
      if (active.isActive(row)) found.push(row);
    }
  }
  return found;
}

/** The active rows whose postcode begins with `partial`, as `keysThatBegin` says; slips are repaired where none does. */
export function rowsThatBegin(index: KeyIndex, active: PackedRows, partial: string, limit: number): number[] {
  const text = cleanPostcode(partial);
  const length = readCharacters(text, typed);
  if (length < 1) return [];
  const spaces = text.length === length ? [] : spacesOf(text);
  const rows = firstMeaning(typed, length, () => {
    for (const ranges of keysThatBegin(typed, length, spaces)) {
      const found = activeRows(index, active, ranges, limit);
      if (found.length > 0) return found;
    }
    return undefined;
  });
  return rows ?? [];
}
