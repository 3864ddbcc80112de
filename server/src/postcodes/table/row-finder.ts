import { cleanPostcode } from '@signpost/contract';
import { firstMeaning, keyOfText, keysWithSlips, outcodeWithin } from './normalise-postcode.js';
import type { PackedRows } from './packed-directory.js';
import {
  MAX_POSTCODE_LENGTH,
  INCODES,
  NO_KEY,
  OUTCODES,
  keysThatBegin,
  outcodeOfKey,
  outcodeText,
  type KeyRange,
} from './postcode-key.js';

/**
 * An outward code and its rows, from `from` up to, but not including, `to`; empty if the directory does not
 * have the code.
 */
export interface OutcodeRows {
  readonly outcode: string;
  readonly from: number;
  readonly to: number;
}

/** An outward code that the directory has. */
export interface KnownOutcode extends OutcodeRows {
  /** Whether any of its postcodes is active. */
  readonly isLive: boolean;
}

/** The number of characters before each white space in a text, ignoring leading white space. */
function spacesOf(text: string): number[] {
  let length = 0;
  const words = text.trimStart().split(/\s+/u).slice(0, -1);
  return words.map((word) => (length += word.length));
}

/** The index of the first sorted key that is not less than `key`, between `from` and `to`. */
function lowerBound(keys: Uint32Array, key: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? 0) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The outward codes of sorted keys, each with its first row. */
export function* outcodesIn(keys: Uint32Array): Generator<{ outcode: number; from: number }> {
  for (let from = 0; from < keys.length;) {
    const outcode = outcodeOfKey(keys[from] ?? 0);
    yield { outcode, from };
    from = lowerBound(keys, (outcode + 1) * INCODES, from, Math.min(from + INCODES, keys.length));
  }
}

/** The first row of each outward code, then the end of the last. */
function outcodeStarts(keys: Uint32Array): Uint32Array {
  const starts = new Uint32Array(OUTCODES + 1);
  let next = 0;
  for (const { outcode, from } of outcodesIn(keys)) {
    starts.fill(from, next, outcode + 1);
    next = outcode + 1;
  }
  return starts.fill(keys.length, next);
}

/** How many of each list to take, so that all share the limit evenly and none of it is left while a list has more. */
function fairShares(sizes: readonly number[], limit: number): number[] {
  const shares = sizes.map(() => 0);
  let left = Math.min(
    limit,
    sizes.reduce((sum, size) => sum + size, 0),
  );
  while (left > 0)
    for (const [list, size] of sizes.entries()) {
      const share = shares[list] ?? 0;
      if (share === size || left === 0) continue;
      shares[list] = share + 1;
      left -= 1;
    }
  return shares;
}

/** Finds the rows of postcodes as people write them. The keys of the rows must be sorted. */
export class RowFinder {
  readonly #keys: Uint32Array;
  readonly #rows: PackedRows;
  readonly #starts: Uint32Array;
  /** Listed at first use. */
  #outcodes: readonly KnownOutcode[] | undefined;
  /** Overwritten by every lookup, so that none needs an array of its own. */
  readonly #characters = new Uint8Array(MAX_POSTCODE_LENGTH);

  constructor(keys: Uint32Array, rows: PackedRows) {
    this.#keys = keys;
    this.#rows = rows;
    this.#starts = outcodeStarts(keys);
  }

  /** The key of a postcode in any case and spacing, exactly as written; NO_KEY if it cannot be a postcode. */
  keyOf(text: string): number {
    return keyOfText(text, this.#characters);
  }

  /** The row with this key; -1 if no row has it, or for NO_KEY. */
  rowOfKey(key: number): number {
    if (key === NO_KEY) return -1;
    const outcode = outcodeOfKey(key);
    const end = this.#starts[outcode + 1] ?? 0;
    const row = lowerBound(this.#keys, key, this.#starts[outcode] ?? 0, end);
    return row < end && this.#keys[row] === key ? row : -1;
  }

  /** The row of a text as written, or else after removing dirt and repairing slips; -1 if no row has it. */
  rowOf(text: string): number {
    const row = this.rowOfKey(this.keyOf(text));
    if (row >= 0) return row;
    for (const key of keysWithSlips(text)) {
      const repaired = this.rowOfKey(key);
      if (repaired >= 0) return repaired;
    }
    return -1;
  }

  /**
   * The active rows whose postcode begins with `partial`, by the rules of `keysThatBegin`. If none match,
   * slips are repaired.
   */
  activeRowsThatBegin(partial: string, limit: number): number[] {
    const text = cleanPostcode(partial);
    const spaces = spacesOf(text);
    const rows = firstMeaning(text, (characters, length) => {
      if (length === 0) return undefined;
      for (const ranges of keysThatBegin(characters, length, spaces)) {
        const found = this.#sharedRows(ranges, limit);
        if (found.length > 0) return found;
      }
      return undefined;
    });
    return rows ?? [];
  }

  /**
   * The rows of an outward code, after removing dirt and repairing slips if the directory has the repaired one;
   * undefined if it cannot be one, such as "E1 6" or "SO".
   */
  rowsOfOutcode(text: string): OutcodeRows | undefined {
    let written: OutcodeRows | undefined;
    let readings = 0;
    const found = firstMeaning(cleanPostcode(text), (characters, length, boundaries) => {
      readings += 1;
      const outcode = outcodeWithin(characters, length, boundaries);
      if (outcode === NO_KEY) return undefined;
      const [from = 0, to = 0] = this.#starts.subarray(outcode, outcode + 2);
      const rows = { outcode: outcodeText(outcode), from, to };
      if (readings === 1) written = rows;
      return from < to ? rows : undefined;
    });
    return found ?? written;
  }

  /** All outward codes of the directory, in order. */
  get outcodes(): readonly KnownOutcode[] {
    this.#outcodes ??= [...outcodesIn(this.#keys)].map(({ outcode }) => {
      const [from = 0, to = 0] = this.#starts.subarray(outcode, outcode + 2);
      let active = from;
      while (active < to && !this.#rows.isActive(active)) active += 1;
      return { outcode: outcodeText(outcode), from, to, isLive: active < to };
    });
    return this.#outcodes;
  }

  /** The first active rows of each range. The ranges share the limit, and so do the outcodes of a shared one. */
  #sharedRows(ranges: readonly KeyRange[], limit: number): number[] {
    const groups = ranges.map((range) => this.#listsOf(range, limit));
    const sizes = groups.map((lists) => lists.reduce((sum, { length }) => sum + length, 0));
    const shares = fairShares(sizes, limit);
    return groups.flatMap((lists, group) => {
      const parts = fairShares(
        lists.map(({ length }) => length),
        shares[group] ?? 0,
      );
      return lists.flatMap((rows, list) => rows.slice(0, parts[list]));
    });
  }

  #listsOf(range: KeyRange, limit: number): number[][] {
    if (range.isShared !== true) return [this.#activeRows(range, limit)];
    const lists: number[][] = [];
    for (let { start } = range; start < range.end; start += INCODES)
      lists.push(this.#activeRows({ start, end: start + INCODES }, limit));
    return lists;
  }

  #activeRows({ start, end }: KeyRange, limit: number): number[] {
    const keys = this.#keys;
    const found: number[] = [];
    for (let row = this.#firstFrom(start); row < keys.length && found.length < limit; row += 1) {
      if ((keys[row] ?? 0) >= end) break;
      if (this.#rows.isActive(row)) found.push(row);
    }
    return found;
  }

  /** The first row whose key is not less than `key`; the number of rows if there isn't one. */
  #firstFrom(key: number): number {
    const outcode = outcodeOfKey(key);
    if (outcode >= OUTCODES) return this.#keys.length;
    return lowerBound(this.#keys, key, this.#starts[outcode] ?? 0, this.#starts[outcode + 1] ?? 0);
  }
}
