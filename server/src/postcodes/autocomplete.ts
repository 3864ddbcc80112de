import type { KeyIndex } from './key-index.js';
import { readCharacters } from './normalise-postcode.js';
import type { PackedRows } from './packed-rows.js';
import { keysThatBegin } from './postcode-key.js';

const LONGEST = 7;
const scratch = new Uint8Array(LONGEST);

/**
 * The active rows whose postcode begins with `partial` when neither is spaced, in the order of the directory.
 * "M11" begins both "M1 1AA" and "M11 1AA".
 */
export function rowsThatBegin(index: KeyIndex, active: PackedRows, partial: string, limit: number): number[] {
  const length = readCharacters(partial, scratch);
  const found: number[] = [];
  for (const { start, end } of length < 1 ? [] : keysThatBegin(scratch, length)) {
    const { keys } = index;
    for (let row = index.firstFrom(start); row < keys.length && found.length < limit; row += 1) {
      if ((keys[row] ?? 0) >= end) break;
      if (active.isActive(row)) found.push(row);
    }
  }
  return found;
}
