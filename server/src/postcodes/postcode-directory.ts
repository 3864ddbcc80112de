import type { NearestPostcode, PostcodeRecord } from '@signpost/contract';
import { lowerBound, rowsThatBegin } from './autocomplete.js';
import { NO_COORDINATE, UNITS_PER_DEGREE, type DirectoryData, type NameValues } from './directory-data.js';
import type { DirectoryInfo } from './directory-info.js';
import { nearestRows, type NearestQuery } from './nearest.js';
import { keyOfText, keysWithSlips, postcodeOfKey } from './normalise-postcode.js';
import { INCODES, NO_KEY, OUTCODES, incodeOfKey, outcodeOfKey, outcodeText } from './postcode-key.js';

/** The look-ups of one edition of the directory; it never changes. */
export interface PostcodeDirectory {
  readonly info: DirectoryInfo;
  /** The record of a postcode in any case and spacing, slips of O for 0 and I for 1 repaired; 'malformed' for what cannot be one. */
  lookup(input: string): PostcodeRecord | 'malformed' | undefined;
  /** Whether the directory has the postcode as written but for case and spacing, which the answer puts right. */
  validate(input: string): { postcode: string; isValid: boolean };
  /** Active postcodes around a point (degrees, WGS84), nearest first, equal distances by postcode. */
  nearest(query: NearestQuery): NearestPostcode[];
  /** Active postcodes that begin so, case and spaces aside, in postcode order. */
  autocomplete(partial: string, limit: number): string[];
}

const degrees = (units: number) => (units === NO_COORDINATE ? null : units / UNITS_PER_DEGREE);
const metres = (value: number) => (value === NO_COORDINATE ? null : value);
const nameAt = ({ codes, values }: NameValues, row: number) => values[codes[row] ?? 0] ?? null;

class IndexedDirectory implements PostcodeDirectory {
  readonly #data: DirectoryData;
  /** Where the rows of each outward code begin, and the end after the last. */
  readonly #starts: Uint32Array;
  readonly #outcodes = new Map<number, string>();

  constructor(data: DirectoryData) {
    this.#data = data;
    this.#starts = new Uint32Array(OUTCODES + 1);
    let outcode = -1;
    for (let row = 0; row < data.keys.length; row += 1) {
      const next = outcodeOfKey(data.keys[row] ?? 0);
      if (next === outcode) continue;
      this.#starts.fill(row, outcode + 1, next + 1);
      this.#outcodes.set(next, outcodeText(next));
      outcode = next;
    }
    this.#starts.fill(data.keys.length, outcode + 1);
  }

  get info(): DirectoryInfo {
    return this.#data.info;
  }

  lookup(input: string): PostcodeRecord | 'malformed' | undefined {
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

  nearest(query: NearestQuery): NearestPostcode[] {
    return nearestRows(this.#data, query).map(({ row, distanceMetres }) =>
      Object.assign(this.#record(row), { distanceMetres }),
    );
  }

  autocomplete(partial: string, limit: number): string[] {
    return rowsThatBegin(this.#data, partial, limit).map((row) => postcodeOfKey(this.#data.keys[row] ?? 0));
  }

  #rowOf(key: number): number {
    if (key === NO_KEY) return -1;
    const { keys } = this.#data;
    const outcode = Math.trunc(key / INCODES);
    const end = this.#starts[outcode + 1] ?? 0;
    const row = lowerBound(keys, key, this.#starts[outcode] ?? 0, end);
    return row < end && keys[row] === key ? row : -1;
  }

  #record(row: number): PostcodeRecord {
    const { keys, active, latitude, longitude, easting, northing, names } = this.#data;
    const key = keys[row] ?? 0;
    const outcode = this.#outcodes.get(outcodeOfKey(key)) ?? '';
    const incode = incodeOfKey(key);
    return {
      postcode: `${outcode} ${incode}`,
      outcode,
      incode,
      latitude: degrees(latitude[row] ?? NO_COORDINATE),
      longitude: degrees(longitude[row] ?? NO_COORDINATE),
      easting: metres(easting[row] ?? NO_COORDINATE),
      northing: metres(northing[row] ?? NO_COORDINATE),
      country: nameAt(names.country, row),
      region: nameAt(names.region, row),
      localAuthority: nameAt(names.localAuthority, row),
      ward: nameAt(names.ward, row),
      constituency: nameAt(names.constituency, row),
      lsoa: nameAt(names.lsoa, row),
      msoa: nameAt(names.msoa, row),
      policeForce: nameAt(names.policeForce, row),
      icb: nameAt(names.icb, row),
      isActive: active[row] === 1,
    };
  }
}

/** Makes a directory's packed columns answer look-ups. */
export const indexDirectory = (data: DirectoryData): PostcodeDirectory => new IndexedDirectory(data);
