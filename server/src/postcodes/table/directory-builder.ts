import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  byNameColumn,
  type ByNameColumn,
  type CodeArray,
  type DirectoryData,
  type DirectoryInfo,
  type FillPercent,
  MAX_ROWS,
  type NameColumn,
  NO_COORDINATE,
} from './directory-data.js';
import { buildGrid } from './grid.js';
import { CodeColumn, CodeRows, IntegerRows } from './growing-columns.js';

/**
 * For at least this many rows, it is worth freeing what packing a column leaves behind before packing the next one.
 */
const MANY_ROWS = 500_000;

/**
 * Runs the garbage collector if there were many rows. Large buffers are outside of the heap, so the collector sees
 * little reason to run while they add up: without this call, packing a whole directory needs far more memory at its
 * peak.
 */
export function collectGarbage(rows: number): void {
  if (rows < MANY_ROWS) return;
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') Reflect.apply(collect, undefined, []);
}

const PERCENT_STEP = 100;

interface Coordinates {
  /** In millionths of a degree, or NO_COORDINATE. */
  readonly latitude: number;
  readonly longitude: number;
  /** In metres, or NO_COORDINATE. */
  readonly easting: number;
  readonly northing: number;
}

type Description = Pick<
  DirectoryInfo,
  'edition' | 'source' | 'isSample' | 'withoutNorthernIreland' | 'importedAt'
> &
  Partial<Pick<DirectoryInfo, 'vintages'>>;
type NameOf = (column: NameColumn, code: string) => string | null;

/**
 * Collects rows in any order into packed columns. Of several rows with the same postcode, the last active one is
 * kept, or the last one if none is active.
 */
export class DirectoryBuilder {
  /** The codes of each name column. Rows refer to them by their number. */
  readonly codes: ByNameColumn<CodeColumn> = byNameColumn(() => new CodeColumn());
  readonly #keys = new CodeRows();
  readonly #active = new CodeRows();
  readonly #latitude = new IntegerRows();
  readonly #longitude = new IntegerRows();
  readonly #easting = new IntegerRows();
  readonly #northing = new IntegerRows();
  readonly #names: ByNameColumn<CodeRows> = byNameColumn(() => new CodeRows());
  #rows = 0;
  #lastKey = -1;
  #isSorted = true;
  #duplicates = 0;

  get rows(): number {
    return this.#rows;
  }

  /** How many rows were dropped because another has the same postcode. Known once `build` has run. */
  get duplicates(): number {
    return this.#duplicates;
  }

  /** Sets the code of a column for the row that is added next, by the number of the code in `codes`. */
  setCode(column: NameColumn, number: number): void {
    this.#names[column].set(this.#rows, number);
  }

  /** Adds a row, whose codes must all be set before. Throws a RangeError if there are too many rows. */
  add(key: number, isActive: boolean, coordinates: Coordinates): void {
    const row = this.#rows;
    if (row === MAX_ROWS) throw new RangeError(`more than ${MAX_ROWS} rows`);
    this.#keys.set(row, key);
    this.#active.set(row, isActive ? 1 : 0);
    this.#latitude.set(row, coordinates.latitude);
    this.#longitude.set(row, coordinates.longitude);
    this.#easting.set(row, coordinates.easting);
    this.#northing.set(row, coordinates.northing);
    if (key <= this.#lastKey) this.#isSorted = false;
    this.#lastKey = key;
    this.#rows += 1;
  }

  /**
   * Sorts and packs the added rows. No rows may be added afterwards. `nameOf` returns the name of a code, the code
   * itself if it has no name, or null if the code means that there is no area.
   */
  build(description: Description, nameOf: NameOf): DirectoryData {
    const rows = this.#rows;
    collectGarbage(rows);
    const unordered = toUint32Array(this.#keys.take(rows, undefined));
    const active = new Uint8Array(this.#active.take(rows, undefined));
    const order = this.#isSorted ? undefined : orderOf(unordered, active);
    this.#duplicates = order === undefined ? 0 : rows - order.length;
    const keys = order === undefined ? unordered : order.map((row) => unordered[row] ?? 0);
    const take = (column: IntegerRows) => {
      const values = column.take(rows, order);
      collectGarbage(rows);
      return values;
    };
    const packed = {
      keys,
      active: order === undefined ? active : Uint8Array.from(order, (row) => active[row] ?? 0),
      latitude: take(this.#latitude),
      longitude: take(this.#longitude),
      easting: take(this.#easting),
      northing: take(this.#northing),
      names: byNameColumn((column) => {
        const codes = this.#names[column].take(rows, order);
        const values = this.codes[column].codes.map((code) => (code === null ? null : nameOf(column, code)));
        return { codes, values };
      }),
    };
    const live = packed.active.reduce((sum, active) => sum + active, 0);
    const withoutCoordinates = countOf(packed.latitude, NO_COORDINATE);
    const fill = (blank: number) =>
      keys.length === 0
        ? 0
        : Math.round(((keys.length - blank) / keys.length) * 100 * PERCENT_STEP) / PERCENT_STEP;
    const fillPercent: FillPercent = {
      coordinates: fill(withoutCoordinates),
      ...byNameColumn((column) => fill(countOf(packed.names[column].codes, 0))),
    };
    const counts = { rows: keys.length, live, terminated: keys.length - live, withoutCoordinates };
    return {
      ...packed,
      areaCodes: byNameColumn((column) => {
        const { values } = packed.names[column];
        return this.codes[column].codes.map((code, index) =>
          (values[index] ?? null) === null ? null : code,
        );
      }),
      info: { vintages: null, ...description, ...counts, fillPercent, hasDetails: !description.isSample },
      grid: buildGrid(packed),
      order,
    };
  }
}

function countOf(values: CodeArray | Int32Array, value: number): number {
  let count = 0;
  // A loop over indexes takes a third of the time that an iterator takes.
  for (let row = 0; row < values.length; row += 1) if (values[row] === value) count += 1;
  return count;
}

const toUint32Array = (values: CodeArray) =>
  values instanceof Uint32Array ? values : new Uint32Array(values);

/**
 * The order of the rows by ascending key. Of several rows with the same key, it has only the last active one, or the
 * last if none is active.
 */
function orderOf(keys: Uint32Array, active: Uint8Array): Uint32Array {
  // Filled in a loop, because `Float64Array.from` would hold all rows as a list as well.
  const sorted = new Float64Array(keys.length);
  for (let row = 0; row < keys.length; row += 1) sorted[row] = (keys[row] ?? 0) * MAX_ROWS + row;
  sorted.sort();
  const order = new Uint32Array(sorted.length);
  let count = 0;
  let previousKey = -1;
  for (let index = 0; index < sorted.length; index += 1) {
    const value = sorted[index] ?? 0;
    const key = Math.floor(value / MAX_ROWS);
    const row = value - key * MAX_ROWS;
    if (key !== previousKey) count += 1;
    // Rows with the same key are neighbours, in the order in which they were added.
    else if (active[row] !== 1 && active[order[count - 1] ?? 0] === 1) continue;
    order[count - 1] = row;
    previousKey = key;
  }
  return order.subarray(0, count);
}
