import type {
  IncludePart,
  MissingPostcode,
  OutcodeRecord,
  PostcodeRecord,
  ValidatePostcodeResponse,
} from '@signpost/contract';
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
import { possibleKeys, postcodeOfKey } from './table/normalise-postcode.js';
import { EASTING, LATITUDE, LONGITUDE, NORTHING, type PackedDirectory } from './table/packed-directory.js';
import { incodeOfKey, NO_KEY, outcodeOfKey, outcodeText, sectorOfKey } from './table/postcode-key.js';
import { type KnownOutcode, type OutcodeRows, RowFinder } from './table/row-finder.js';

const degrees = (units: number) => (units === NO_COORDINATE ? null : units / UNITS_PER_DEGREE);
const metres = (value: number) => (value === NO_COORDINATE ? null : value);

/** The rows found by a bulk lookup, and the misses. */
export interface FoundRows {
  readonly rows: readonly number[];
  readonly missing: readonly MissingPostcode[];
}

/** Validation looks for a postcode inside a text only up to this length, which is enough for an address. */
const MAX_CHARACTERS_AROUND_POSTCODE = 200;

/**
 * The lookups in one edition of the directory, which never changes. Some return rows; callers read the records with
 * `record`, or write them from the table.
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

  /**
   * The row of a postcode, whatever its case and spacing, after removing stray characters and repairing typing errors;
   * 'malformed' if the text cannot be a postcode, undefined if the directory does not have it.
   */
  rowOf(input: string): number | 'malformed' | undefined {
    const row = this.#finder.rowOf(input);
    if (row >= 0) return row;
    return possibleKeys(input).length === 0 ? 'malformed' : undefined;
  }

  /** Finds the rows of many postcodes as `rowOf` does, in their order, and lists the texts without a row. */
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

  /** The postcode of a row in its canonical form. */
  postcodeOf(row: number): string {
    return postcodeOfKey(this.table.keys[row] ?? NO_KEY);
  }

  /** The position of the postcode in a row; undefined if it is not known. */
  pointOf(row: number): Point | undefined {
    const { rows } = this.table;
    const latitude = degrees(rows.coordinate(row, LATITUDE));
    const longitude = degrees(rows.coordinate(row, LONGITUDE));
    return latitude === null || longitude === null ? undefined : { latitude, longitude };
  }

  /**
   * Checks whether the directory has the postcode as written, ignoring only case and spacing. `postcode` is its
   * canonical form, or the input if that does not have the form of a postcode. If the directory does not have the
   * postcode, `suggestion` is the one that it has after stray characters are removed from the input and typing errors
   * repaired, or else the only one that it has within a short input. `suggestion` is left out if there is none.
   */
  validate(input: string): ValidatePostcodeResponse {
    const key = this.#finder.keyOf(input);
    const row = this.#finder.rowOfKey(key);
    const postcode = key === NO_KEY ? input : postcodeOfKey(key);
    if (row >= 0) return { postcode, isValid: true, isActive: this.table.rows.isActive(row) };
    const repaired = this.#finder.rowOf(input);
    const suggestion = repaired >= 0 ? this.postcodeOf(repaired) : this.#onlyOneIn(input);
    return { postcode, isValid: false, isActive: false, ...(suggestion === undefined ? {} : { suggestion }) };
  }

  /** The postcode in a short text such as "SW1A 1AA, UK", if the text has exactly one that the directory has. */
  #onlyOneIn(text: string): string | undefined {
    if (text.length > MAX_CHARACTERS_AROUND_POSTCODE) return undefined;
    const valid = this.findInText(text).filter(({ isValid }) => isValid);
    const [only, ...others] = new Set(valid.map(({ postcode }) => postcode));
    return others.length === 0 ? only : undefined;
  }

  /**
   * Finds texts in the form of a postcode, in order, and says of each whether the directory has it and whether it is
   * active.
   */
  findInText(text: string) {
    return keysInText(text, (key) => this.#finder.rowOfKey(key) >= 0).map(({ key, start, end }) => {
      const row = this.#finder.rowOfKey(key);
      const isValid = row >= 0;
      const isActive = isValid && this.table.rows.isActive(row);
      return { postcode: postcodeOfKey(key), start, end, isValid, isActive };
    });
  }

  /**
   * The rows of the active postcodes within the radius of a point, at most `limit`, each with its distance, nearest
   * first. Equal distances are in the order of postcodes.
   */
  nearest(query: NearestQuery): NearbyRow[] {
    return this.#search.find(query);
  }

  /** Like `nearest`, but skips `offset` results and also returns the total in range. */
  nearestPage(query: NearestQuery, offset: number): NearestPage {
    return this.#search.findPage(query, offset);
  }

  /**
   * At most `limit` active postcodes that begin with the text or, if none do, with the text after typing errors are
   * repaired. For "W1", lists first those of W1, then those of W1A and so on, then those of W10 and so on. Each of
   * these groups gets a fair share of the limit.
   */
  autocomplete(partial: string, limit: number): string[] {
    const rows = this.#finder.activeRowsStartingWith(partial, limit);
    return rows.map((row) => this.postcodeOf(row));
  }

  /**
   * The rows of an outcode, whatever its case, after removing stray characters and, if the directory has the repaired
   * outcode, repairing typing errors. No rows if the directory does not have the outcode; undefined if the text cannot
   * be an outcode.
   */
  rowsOfOutcode(input: string): OutcodeRows | undefined {
    return this.#finder.rowsOfOutcode(input);
  }

  /** All outcodes of the directory, in order. */
  get outcodes(): readonly KnownOutcode[] {
    return this.#finder.outcodes;
  }

  /** The digits of an outcode's sectors that have an active postcode. */
  liveSectors({ from, to }: OutcodeRows): number[] {
    const sectors = new Set<number>();
    for (let row = from; row < to; row += 1)
      if (this.table.rows.isActive(row)) sectors.add(sectorOfKey(this.table.keys[row] ?? 0));
    return [...sectors].sort();
  }

  /** Summarises an outcode from its rows. */
  describeOutcode(rows: OutcodeRows): OutcodeRecord {
    return describeOutcode(this.table, rows);
  }

  /** A page of an area's active postcodes, in order, and the number of all its active postcodes. */
  async postcodesOfArea(area: Area, offset: number, limit: number) {
    const { total, rows } = await this.#areaRows.page(area, offset, limit);
    return { total, postcodes: rows.map((row) => this.postcodeOf(row)) };
  }

  /**
   * A page of the active postcodes of a postcode area such as "JE", in order, and the number of all its active
   * postcodes.
   */
  postcodesOfPostcodeArea(postcodeArea: string, offset: number, limit: number) {
    const isIn = new RegExp(`^${postcodeArea}\\d`, 'u');
    const active: number[] = [];
    for (const { outcode, from, to } of this.#finder.outcodes)
      if (isIn.test(outcode))
        for (let row = from; row < to; row += 1) if (this.table.rows.isActive(row)) active.push(row);
    const page = active.slice(offset, offset + limit);
    return { total: active.length, postcodes: page.map((row) => this.postcodeOf(row)) };
  }

  /**
   * Describes where an area is by the outcode of its first active postcode, with the local authority if it is known;
   * undefined if the area has no active postcode.
   */
  async whereaboutsOf(area: Area): Promise<string | undefined> {
    const [row] = (await this.#areaRows.page(area, 0, 1)).rows;
    if (row === undefined) return undefined;
    const { localAuthority, outcode } = this.record(row);
    return localAuthority === null ? outcode : `${localAuthority}, ${outcode}`;
  }

  /**
   * The record of the postcode in a row, with the requested optional parts and the fields in the order of the contract.
   */
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
