import type { IncludePart, MissingPostcode, OutcodeRecord, PostcodeRecord } from '@signpost/contract';
import { AreaRows } from './areas/area-rows.js';
import { describeOutcode } from './areas/describe-outcode.js';
import type { Area } from './areas/find-areas.js';
import { includedOf } from './included.js';
import type { Point } from './nearest/distance.js';
import {
  NearestSearch,
  type NearbyRow,
  type NearestPage,
  type NearestQuery,
} from './nearest/nearest-rows.js';
import { byNameColumn, NO_COORDINATE, UNITS_PER_DEGREE, type DirectoryInfo } from './table/directory-data.js';
import { keysInText } from './table/find-in-text.js';
import { keysWithSlips, postcodeOfKey } from './table/normalise-postcode.js';
import { EASTING, LATITUDE, LONGITUDE, NORTHING, type PackedDirectory } from './table/packed-directory.js';
import { incodeOfKey, NO_KEY, outcodeOfKey, outcodeText } from './table/postcode-key.js';
import { type OutcodeRows, RowFinder } from './table/row-finder.js';

const degrees = (units: number) => (units === NO_COORDINATE ? null : units / UNITS_PER_DEGREE);
const metres = (value: number) => (value === NO_COORDINATE ? null : value);

/** What looking up many postcodes found, and what it did not. */
export interface FoundRows {
  readonly rows: readonly number[];
  readonly missing: readonly MissingPostcode[];
}

/**
 * The lookups of one edition of the directory, which never changes. They find rows, whose records the caller takes
 * from here or writes from the table.
 */
export class PostcodeDirectory {
  readonly table: PackedDirectory;
  readonly #finder: RowFinder;
  readonly #search: NearestSearch;
  readonly #areaRows: AreaRows;

  constructor(table: PackedDirectory) {
    this.table = table;
    this.#finder = new RowFinder(table.keys, table.rows);
    this.#search = new NearestSearch(table.grid);
    this.#areaRows = new AreaRows(table);
  }

  get info(): DirectoryInfo {
    return this.table.info;
  }

  /** The row of a postcode in any case and spacing, dirt and slips repaired; 'malformed' for what cannot be one. */
  rowOf(input: string): number | 'malformed' | undefined {
    const row = this.#finder.rowOf(input);
    if (row >= 0) return row;
    return keysWithSlips(input).length === 0 ? 'malformed' : undefined;
  }

  /** The rows of many postcodes, found as `rowOf` does, in their order. */
  rowsOf(inputs: readonly string[]): FoundRows {
    const rows: number[] = [];
    const missing: MissingPostcode[] = [];
    for (const [index, postcode] of inputs.entries()) {
      const row = this.rowOf(postcode);
      if (typeof row === 'number') rows.push(row);
      else missing.push({ index, postcode, reason: row ?? 'unknown' });
    }
    return { rows, missing };
  }

  /** Where the postcode in a row is; undefined for those whose place is not known. */
  pointOf(row: number): Point | undefined {
    const { rows } = this.table;
    const latitude = degrees(rows.coordinate(row, LATITUDE));
    const longitude = degrees(rows.coordinate(row, LONGITUDE));
    return latitude === null || longitude === null ? undefined : { latitude, longitude };
  }

  /** Whether the directory has the postcode as written but for case and spacing, which the answer puts right. */
  validate(input: string): { postcode: string; isValid: boolean; isActive: boolean } {
    const key = this.#finder.keyOf(input);
    const row = this.#finder.rowOfKey(key);
    const isValid = row >= 0;
    return {
      postcode: key === NO_KEY ? input : postcodeOfKey(key),
      isValid,
      isActive: isValid && this.table.rows.isActive(row),
    };
  }

  /** What has the form of a postcode in a text, in its order, and whether the directory has it. */
  findInText(text: string) {
    return keysInText(text).map(({ key, start, end }) => ({
      postcode: postcodeOfKey(key),
      start,
      end,
      isValid: this.#finder.rowOfKey(key) >= 0,
    }));
  }

  /** Active postcodes around a point (degrees, WGS84), nearest first, equal distances by postcode. */
  nearest(query: NearestQuery): NearbyRow[] {
    return this.#search.find(query);
  }

  /** As `nearest`, without so many of the first, and with how many there are in range. */
  nearestPage(query: NearestQuery, offset: number): NearestPage {
    return this.#search.findPage(query, offset);
  }

  /** Active postcodes that begin so: those of the outcode that was typed, then the others, each in postcode order. */
  autocomplete(partial: string, limit: number): string[] {
    const rows = this.#finder.activeRowsThatBegin(partial, limit);
    return rows.map((row) => postcodeOfKey(this.table.keys[row] ?? NO_KEY));
  }

  /** The rows of an outcode in any case, dirt and slips repaired; undefined for what cannot be one. */
  rowsOfOutcode(input: string): OutcodeRows | undefined {
    return this.#finder.rowsOfOutcode(input);
  }

  /** What the directory knows of an outcode by its rows. */
  describeOutcode(rows: OutcodeRows): OutcodeRecord {
    return describeOutcode(this.table, rows);
  }

  /** The active postcodes of an area in their order, from an offset on, and how many there are in all. */
  async postcodesOfArea(area: Area, offset: number, limit: number) {
    const { total, rows } = await this.#areaRows.page(area, offset, limit);
    return { total, postcodes: rows.map((row) => postcodeOfKey(this.table.keys[row] ?? NO_KEY)) };
  }

  /** Where the first active postcode of an area is, by local authority and outcode; undefined where there is none. */
  async whereaboutsOf(area: Area): Promise<string | undefined> {
    const [row] = (await this.#areaRows.page(area, 0, 1)).rows;
    if (row === undefined) return undefined;
    const { localAuthority, outcode } = this.record(row);
    return localAuthority === null ? outcode : `${localAuthority}, ${outcode}`;
  }

  /** What the directory knows of the postcode in a row, with the parts asked for, in the order of the contract. */
  record(row: number, include: readonly IncludePart[] = []): PostcodeRecord {
    const { keys, rows, values } = this.table;
    const key = keys[row] ?? NO_KEY;
    const outcode = outcodeText(outcodeOfKey(key));
    const incode = incodeOfKey(key);
    return {
      postcode: `${outcode} ${incode}`,
      outcode,
      incode,
      latitude: degrees(rows.coordinate(row, LATITUDE)),
      longitude: degrees(rows.coordinate(row, LONGITUDE)),
      easting: metres(rows.coordinate(row, EASTING)),
      northing: metres(rows.coordinate(row, NORTHING)),
      ...byNameColumn((column) => values[column][rows.code(row, rows.names[column])] ?? null),
      isActive: rows.isActive(row),
      ...includedOf(this.table, row, include),
    };
  }
}
