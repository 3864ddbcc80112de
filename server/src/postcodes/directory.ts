import type { WrittenJson } from '../platform/written-json.js';
import { rowsThatBegin } from './table/autocomplete.js';
import type { DirectoryInfo } from './table/directory-data.js';
import { KeyIndex, NO_KEY } from './table/postcode-key.js';
import { nearestRows, type NearestQuery } from './nearest/nearest-rows.js';
import { keyOfText, keysWithSlips, postcodeOfKey } from './table/normalise-postcode.js';
import type { PackedDirectory } from './table/packed-directory.js';
import { RecordWriter } from './wire/record-writer.js';

/** An answer of the contract, as JSON. */
interface WrittenAnswer {
  readonly json: string;
}

/** The look-ups of one edition of the directory, which never changes. They answer with the JSON that the contract wants. */
export interface PostcodeDirectory {
  readonly info: DirectoryInfo;
  /** The record of a postcode in any case and spacing, dirt and slips repaired; 'malformed' for what cannot be one. */
  lookup(input: string): WrittenAnswer | 'malformed' | undefined;
  /** The records of many, found as `lookup` does, in their order; those that are not found are counted. */
  lookupAll(inputs: readonly string[]): WrittenJson;
  /** Whether the directory has the postcode as written but for case and spacing, which the answer puts right. */
  validate(input: string): string;
  /** Active postcodes around a point (degrees, WGS84), nearest first, equal distances by postcode. */
  nearest(query: NearestQuery): WrittenJson;
  /** Active postcodes that begin so: those of the outcode that was typed, then the others, each in postcode order. */
  autocomplete(partial: string, limit: number): string;
}

class IndexedDirectory implements PostcodeDirectory {
  readonly #data: PackedDirectory;
  readonly #index: KeyIndex;
  readonly #writer: RecordWriter;

  constructor(data: PackedDirectory) {
    this.#data = data;
    this.#index = new KeyIndex(data.keys);
    this.#writer = new RecordWriter(this.#index, data);
  }

  get info(): DirectoryInfo {
    return this.#data.info;
  }

  lookup(input: string): WrittenAnswer | 'malformed' | undefined {
    const row = this.#rowOf(input);
    if (row >= 0) return { json: this.#writer.lookup(row) };
    return keysWithSlips(input).length === 0 ? 'malformed' : undefined;
  }

  lookupAll(inputs: readonly string[]): WrittenJson {
    const rows: number[] = [];
    for (const input of inputs) {
      const row = this.#rowOf(input);
      if (row >= 0) rows.push(row);
    }
    return this.#writer.lookupAll(rows, inputs.length);
  }

  validate(input: string): string {
    const key = keyOfText(input);
    if (key === NO_KEY) return `{"postcode":${JSON.stringify(input)},"isValid":false}`;
    return `{"postcode":"${postcodeOfKey(key)}","isValid":${this.#index.rowOf(key) >= 0}}`;
  }

  nearest(query: NearestQuery): WrittenJson {
    return this.#writer.nearest(nearestRows(this.#data.grid, query));
  }

  autocomplete(partial: string, limit: number): string {
    return this.#writer.autocomplete(rowsThatBegin(this.#index, this.#data.rows, partial, limit));
  }

  /** The row of a text as it is written, else with dirt and slips repaired; -1 where there is none. */
  #rowOf(input: string): number {
    const row = this.#index.rowOf(keyOfText(input));
    if (row >= 0) return row;
    for (const key of keysWithSlips(input)) {
      const repaired = this.#index.rowOf(key);
      if (repaired >= 0) return repaired;
    }
    return -1;
  }
}

/** Makes a packed directory answer look-ups. */
export const indexDirectory = (data: PackedDirectory): PostcodeDirectory => new IndexedDirectory(data);
