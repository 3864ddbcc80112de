import type { DirectoryData } from './directory-data.js';
import { readCharacters } from './normalise-postcode.js';
import { keysThatBegin } from './postcode-key.js';

const LONGEST = 7;
const scratch = new Uint8Array(LONGEST);

/** Where in the sorted keys the first one not less than `key` is, looked for between `from` and `to`. */
export function lowerBound(keys: Uint32Array, key: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? 0) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The active rows whose postcode begins with `partial` when neither is spaced, in the order of the directory.
 * "M11" begins both "M1 1AA" and "M11 1AA".
 */
export function rowsThatBegin(
  { keys, active }: Pick<DirectoryData, 'keys' | 'active'>,
  partial: string,
  limit: number,
): number[] {
  const length = readCharacters(partial, scratch);
  const rows: number[] = [];
  for (const { start, end } of length < 1 ? [] : keysThatBegin(scratch, length)) {
    const last = lowerBound(keys, end, 0, keys.length);
    for (let row = lowerBound(keys, start, 0, last); row < last && rows.length < limit; row += 1) {
      if (active[row] === 1) rows.push(row);
    }
  }
  return rows;
}
