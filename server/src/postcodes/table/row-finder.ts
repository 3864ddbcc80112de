import { cleanPostcode } from '@signpost/contract';
import { firstRepairedReading, keyOfText, possibleKeys, outcodeWithin } from './normalise-postcode.js';
import type { PackedRows } from './packed-directory.js';
import {
  MAX_POSTCODE_LENGTH,
  INCODES,
  NO_KEY,
  OUTCODES,
  keyRangesStartingWith,
  outcodeOfKey,
  outcodeText,
  type KeyRange,
} from './postcode-key.js';

/**
 * An outward code and its rows: from `from` up to, but not including, `to`. Empty if the directory does not have the
 * code.
 */
export interface OutcodeRows {
  readonly outcode: string;
  readonly from: number;
  readonly to: number;
}

/** An outward code that the directory has. */
export interface KnownOutcode extends OutcodeRows {
  /** Whether at least one of its postcodes is active. */
  readonly isLive: boolean;
}

/**
 * For each white space in a text, the number of other characters before it, ignoring leading white space. Consecutive
 * white space counts once.
 */
function spacesOf(text: string): number[] {
  let length = 0;
  const words = text.trimStart().split(/\s+/u).slice(0, -1);
  return words.map((word) => (length += word.length));
}

/** The index of the first sorted key that is not less than `key`, between `from` and `to`; `to` if there is none. */
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

/**
 * For the number of each outward code, its first row or, if it has no rows, the next row after where they would be.
 * Ends with the number of rows.
 */
function outcodeStarts(keys: Uint32Array): Uint32Array {
  const starts = new Uint32Array(OUTCODES + 1);
  let next = 0;
  for (const { outcode, from } of outcodesIn(keys)) {
    starts.fill(from, next, outcode + 1);
    next = outcode + 1;
  }
  return starts.fill(keys.length, next);
}

/** A list of rows to take from: the next row to look at, the end, and the active ones taken so far. */
interface RowList {
  next: number;
  readonly to: number;
  readonly taken: number[];
}

/**
 * The lists of one range. Those in `open` may have more rows, and take turns. The lists of the outward codes from
 * `outcode` up to, but not including, `endOutcode` are added when needed.
 */
interface RowGroup {
  readonly lists: RowList[];
  readonly open: RowList[];
  turn: number;
  outcode: number;
  readonly endOutcode: number;
}

/** Finds the rows of postcodes as people write them. The keys of the rows must be sorted. */
export class RowFinder {
  readonly #keys: Uint32Array;
  readonly #rows: PackedRows;
  readonly #starts: Uint32Array;
  /** All outward codes, listed at first use. */
  #outcodes: readonly KnownOutcode[] | undefined;
  /** An array that `keyOf` reuses. */
  readonly #characters = new Uint8Array(MAX_POSTCODE_LENGTH);

  constructor(keys: Uint32Array, rows: PackedRows) {
    this.#keys = keys;
    this.#rows = rows;
    this.#starts = outcodeStarts(keys);
  }

  /** The key of a postcode, whatever its case and spacing, without repairs; NO_KEY if it cannot be a postcode. */
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

  /**
   * The row of a text as written, or otherwise after removing stray characters and repairing typing errors; -1 if no
   * row has it.
   */
  rowOf(text: string): number {
    const row = this.rowOfKey(this.keyOf(text));
    if (row >= 0) return row;
    for (const key of possibleKeys(text)) {
      const repaired = this.rowOfKey(key);
      if (repaired >= 0) return repaired;
    }
    return -1;
  }

  /**
   * At most `limit` active rows whose postcode begins with `partial` after removing stray characters, by the rules of
   * `keyRangesStartingWith`. If none match, repairs typing errors.
   */
  activeRowsStartingWith(partial: string, limit: number): number[] {
    const text = cleanPostcode(partial);
    const spaces = spacesOf(text);
    const rows = firstRepairedReading(text, (characters, length) => {
      if (length === 0) return undefined;
      for (const ranges of keyRangesStartingWith(characters, length, spaces)) {
        const found = this.#sharedRows(ranges, limit);
        if (found.length > 0) return found;
      }
      return undefined;
    });
    return rows ?? [];
  }

  /**
   * The rows of an outward code, after removing stray characters. If the directory does not have the code as written,
   * uses the first repair of typing errors that it has. If there is none, returns the code as written without rows;
   * undefined if the text is no outward code as written, such as "E1 6" or "SO".
   */
  rowsOfOutcode(text: string): OutcodeRows | undefined {
    let written: OutcodeRows | undefined;
    let readings = 0;
    const found = firstRepairedReading(cleanPostcode(text), (characters, length, boundaries) => {
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

  /**
   * The first active rows of the ranges. The ranges share the limit evenly, and so do the outcodes in a shared
   * range: they take turns, and what one does not need is left for the others.
   */
  #sharedRows(ranges: readonly KeyRange[], limit: number): number[] {
    const groups = ranges.map((range) => this.#groupOf(range));
    const open = [...groups];
    let remaining = limit;
    for (let turn = 0; remaining > 0 && open.length > 0; turn += 1) {
      if (turn >= open.length) turn = 0;
      const group = open[turn];
      if (group !== undefined && this.#takeNext(group)) remaining -= 1;
      else {
        open.splice(turn, 1);
        turn -= 1;
      }
    }
    const rows: number[] = [];
    for (const { lists } of groups) for (const { taken } of lists) rows.push(...taken);
    return rows;
  }

  /** Takes the next active row of the list whose turn it is. Returns false if the group has none left. */
  #takeNext(group: RowGroup): boolean {
    for (;;) {
      if (group.turn >= group.open.length && !this.#addList(group)) group.turn = 0;
      const list = group.open[group.turn];
      if (list === undefined) return false;
      while (list.next < list.to && !this.#rows.isActive(list.next)) list.next += 1;
      if (list.next < list.to) {
        list.taken.push(list.next);
        list.next += 1;
        group.turn += 1;
        return true;
      }
      group.open.splice(group.turn, 1);
    }
  }

  #groupOf({ start, end, isShared }: KeyRange): RowGroup {
    if (isShared)
      return { lists: [], open: [], turn: 0, outcode: outcodeOfKey(start), endOutcode: outcodeOfKey(end) };
    const list: RowList = { next: this.#firstFrom(start), to: this.#firstFrom(end), taken: [] };
    return { lists: [list], open: [list], turn: 0, outcode: 0, endOutcode: 0 };
  }

  /** Adds the list of the next outward code that has rows. Returns false if there is none. */
  #addList(group: RowGroup): boolean {
    while (group.outcode < group.endOutcode) {
      const next = this.#starts[group.outcode] ?? 0;
      const to = this.#starts[group.outcode + 1] ?? 0;
      group.outcode += 1;
      if (next === to) continue;
      const list: RowList = { next, to, taken: [] };
      group.lists.push(list);
      group.open.push(list);
      return true;
    }
    return false;
  }

  /** The first row whose key is not less than `key`; the number of rows if there is none. */
  #firstFrom(key: number): number {
    const outcode = outcodeOfKey(key);
    if (outcode >= OUTCODES) return this.#keys.length;
    return lowerBound(this.#keys, key, this.#starts[outcode] ?? 0, this.#starts[outcode + 1] ?? 0);
  }
}
