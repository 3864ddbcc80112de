import { lowerBound, rowsThatBegin } from './autocomplete.js';
import type { DirectoryData } from './directory-data.js';
import type { DirectoryInfo } from './directory-info.js';
import { nearestRows, type NearestQuery } from './nearest.js';
import { keyOfText, keysWithSlips, postcodeOfKey } from './normalise-postcode.js';
import { INCODES, NO_KEY, OUTCODES, outcodeOfKey } from './postcode-key.js';
import { RecordWriter } from './record-writer.js';

/** A postcode record of the contract, as JSON. */
interface WrittenRecord {
  readonly json: string;
}

/** The look-ups of one edition of the directory; it never changes. */
export interface PostcodeDirectory {
  readonly info: DirectoryInfo;
  /** The record of a postcode in any case and spacing, slips of O for 0 and I for 1 repaired; 'malformed' for what cannot be one. */
  lookup(input: string): WrittenRecord | 'malformed' | undefined;
  /** Whether the directory has the postcode as written but for case and spacing, which the answer puts right. */
  validate(input: string): { postcode: string; isValid: boolean };
  /** Active postcodes around a point (degrees, WGS84), nearest first, equal distances by postcode: a list in JSON. */
  nearest(query: NearestQuery): string;
  /** Active postcodes that begin so, case and spaces aside, in postcode order. */
  autocomplete(partial: string, limit: number): string[];
}

class IndexedDirectory implements PostcodeDirectory {
  readonly #data: DirectoryData;
  /** Where the rows of each outward code begin, and the end after the last. */
  readonly #starts: Uint32Array;
  readonly #writer: RecordWriter;

  constructor(data: DirectoryData) {
    this.#data = data;
    this.#writer = new RecordWriter(data);
    this.#starts = new Uint32Array(OUTCODES + 1);
    let outcode = -1;
    for (let row = 0; row < data.keys.length; row += 1) {
      const next = outcodeOfKey(data.keys[row] ?? 0);
      if (next === outcode) continue;
      this.#starts.fill(row, outcode + 1, next + 1);
      outcode = next;
    }
    this.#starts.fill(data.keys.length, outcode + 1);
  }

  get info(): DirectoryInfo {
    return this.#data.info;
  }

  lookup(input: string): WrittenRecord | 'malformed' | undefined {
    const key = keyOfText(input);
    const row = this.#rowOf(key);
    if (row >= 0) return this.#record(row);
    const keys = keysWithSlips(input);
    for (const repaired of keys) {
      const repairedRow = this.#rowOf(repaired);
      if (repairedRow >= 0) return this.#record(repairedRow);
    }
    return keys.length === 0 ? 'malformed' : undefined;
  }

  validate(input: string): { postcode: string; isValid: boolean } {
    const key = keyOfText(input);
    if (key === NO_KEY) return { postcode: input, isValid: false };
    return { postcode: postcodeOfKey(key), isValid: this.#rowOf(key) >= 0 };
  }

  nearest(query: NearestQuery): string {
    let records = '';
    for (const { row, distanceMetres } of nearestRows(this.#data, query)) {
      if (records !== '') records += ',';
      records += `{${this.#writer.members(row)},"distanceMetres":${distanceMetres}}`;
    }
    return `[${records}]`;
  }

  autocomplete(partial: string, limit: number): string[] {
    return rowsThatBegin(this.#data, partial, limit).map((row) => this.#writer.postcode(row));
  }

  #rowOf(key: number): number {
    if (key === NO_KEY) return -1;
    const { keys } = this.#data;
    const outcode = Math.trunc(key / INCODES);
    const end = this.#starts[outcode + 1] ?? 0;
    const row = lowerBound(keys, key, this.#starts[outcode] ?? 0, end);
    return row < end && keys[row] === key ? row : -1;
  }

  #record(row: number): WrittenRecord {
    return { json: `{${this.#writer.members(row)}}` };
  }
}

/** Makes a directory's packed columns answer look-ups. */
export const indexDirectory = (data: DirectoryData): PostcodeDirectory => new IndexedDirectory(data);
