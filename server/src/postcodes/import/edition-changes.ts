import { stat } from 'node:fs/promises';
import { readDirectoryFile, readDirectoryInfo } from '../file/read-directory-file.js';
import { geodesicMetres, positionOf } from '../nearest/geodesic.js';
import { collectGarbage } from '../table/directory-builder.js';
import {
  byNameColumn,
  type ByNameColumn,
  type DirectoryInfo,
  NAME_COLUMNS,
  type NameColumn,
  NO_COORDINATE,
  UNITS_PER_DEGREE,
} from '../table/directory-data.js';
import { LATITUDE, LONGITUDE, type PackedDirectory } from '../table/packed-directory.js';

/** A postcode counts as moved if it moved by more than this. */
const MOVED_METRES = 10;
const MAX_NAMES = 100;

/** The changed names of one kind of area. Each list is cut after a hundred names; `counts` counts all of them. */
export interface AreaChanges {
  readonly counts: { readonly renamed: number; readonly new: number; readonly gone: number };
  readonly renamed: readonly { readonly before: string; readonly now: string }[];
  readonly new: readonly string[];
  readonly gone: readonly string[];
}

/** The differences between a directory and the one that was in use before it. */
export interface EditionChanges {
  readonly since: Pick<DirectoryInfo, 'source' | 'edition'>;
  /** Postcodes that the previous edition did not have. */
  readonly new: number;
  /** Postcodes that were in use and are terminated now. */
  readonly ended: number;
  /** Postcodes that were terminated and are in use now. */
  readonly inUseAgain: number;
  /** Postcodes that are missing now. */
  readonly gone: number;
  /** Postcodes in use that moved by more than `movedMetres`. */
  readonly moved: number;
  readonly movedMetres: number;
  readonly areas: ByNameColumn<AreaChanges>;
}

/** The parts of a directory that a comparison needs, so that two whole directories are not in memory at once. */
interface Outline {
  readonly info: DirectoryInfo;
  readonly keys: Uint32Array;
  readonly active: Uint8Array;
  readonly latitude: Int32Array;
  readonly longitude: Int32Array;
  readonly codes: ByNameColumn<Uint16Array | Uint32Array>;
  readonly names: ByNameColumn<readonly (string | null)[]>;
}

function outlineOf({ info, keys, rows, values }: PackedDirectory): Outline {
  const { length } = keys;
  const active = new Uint8Array(length);
  const latitude = new Int32Array(length);
  const longitude = new Int32Array(length);
  for (let row = 0; row < length; row += 1) {
    active[row] = Number(rows.isActive(row));
    latitude[row] = rows.coordinate(row, LATITUDE);
    longitude[row] = rows.coordinate(row, LONGITUDE);
  }
  const codes = byNameColumn((column) => {
    const narrow = values[column].length <= 2 ** 16 ? new Uint16Array(length) : new Uint32Array(length);
    const field = rows.names[column];
    for (let row = 0; row < length; row += 1) narrow[row] = rows.code(row, field);
    return narrow;
  });
  return { info, keys, active, latitude, longitude, codes, names: values };
}

function hasMoved(before: Outline, oldRow: number, { rows }: PackedDirectory, newRow: number): boolean {
  const [oldLatitude = 0, oldLongitude = 0] = [before.latitude[oldRow], before.longitude[oldRow]];
  const [latitude, longitude] = [rows.coordinate(newRow, LATITUDE), rows.coordinate(newRow, LONGITUDE)];
  if (oldLatitude === latitude && oldLongitude === longitude) return false;
  if (oldLatitude === NO_COORDINATE || latitude === NO_COORDINATE) return false;
  const from = positionOf(oldLatitude / UNITS_PER_DEGREE, oldLongitude / UNITS_PER_DEGREE);
  const to = positionOf(latitude / UNITS_PER_DEGREE, longitude / UNITS_PER_DEGREE);
  return geodesicMetres(from, to) > MOVED_METRES;
}

const namesWithout = (
  names: readonly (string | null)[],
  others: readonly (string | null)[],
): ReadonlySet<string> => {
  const known = new Set(others);
  return new Set(names.filter((name) => name !== null && !known.has(name)).map(String));
};

/**
 * Collects the changed names of one column: those removed, those added, and how many postcodes with a removed name now
 * have which name.
 */
class AreaNameChanges {
  readonly removed: ReadonlySet<string>;
  readonly added: ReadonlySet<string>;
  readonly #isRemoved: Uint8Array;
  readonly #successors = new Map<string, Map<string, number>>();

  constructor(
    readonly before: Outline,
    readonly now: PackedDirectory,
    readonly column: NameColumn,
  ) {
    const [old, current] = [before.names[column], now.values[column]];
    this.removed = namesWithout(old, current);
    this.added = namesWithout(current, old);
    this.#isRemoved = Uint8Array.from(old, (name) => Number(name !== null && this.removed.has(name)));
  }

  countRow(oldRow: number, newRow: number): void {
    const code = this.before.codes[this.column][oldRow] ?? 0;
    if (this.#isRemoved[code] !== 1) return;
    const name = this.before.names[this.column][code] ?? '';
    const { rows, values } = this.now;
    const successor = values[this.column][rows.code(newRow, rows.names[this.column])] ?? '';
    const successors = this.#successors.get(name) ?? new Map<string, number>();
    this.#successors.set(name, successors.set(successor, (successors.get(successor) ?? 0) + 1));
  }

  /**
   * Returns the changes. A removed name counts as renamed if most of its remaining postcodes now have the same added
   * name, and no other removed name also leads to that one.
   */
  changes(): AreaChanges {
    const claims = new Map<string, string[]>();
    for (const [before, successors] of this.#successors) {
      const total = [...successors.values()].reduce((sum, count) => sum + count, 0);
      const [successor] = [...successors].filter(([now, count]) => 2 * count > total && this.added.has(now));
      if (successor !== undefined) claims.set(successor[0], [...(claims.get(successor[0]) ?? []), before]);
    }
    const renamed = [...claims].flatMap(([now, names]) =>
      names.length === 1 ? names.map((before) => ({ before, now })) : [],
    );
    renamed.sort((one, other) => one.before.localeCompare(other.before));
    const others = (names: ReadonlySet<string>, taken: readonly string[]) =>
      [...namesWithout([...names], taken)].sort((one, other) => one.localeCompare(other));
    const added = others(
      this.added,
      renamed.map(({ now }) => now),
    );
    const removed = others(
      this.removed,
      renamed.map(({ before }) => before),
    );
    return {
      counts: { renamed: renamed.length, new: added.length, gone: removed.length },
      renamed: renamed.slice(0, MAX_NAMES),
      new: added.slice(0, MAX_NAMES),
      gone: removed.slice(0, MAX_NAMES),
    };
  }
}

function compare(before: Outline, now: PackedDirectory): EditionChanges {
  const areaNameChanges = byNameColumn((column) => new AreaNameChanges(before, now, column));
  const changed = NAME_COLUMNS.map((column) => areaNameChanges[column]).filter(
    ({ removed }) => removed.size > 0,
  );
  const counts = { new: 0, ended: 0, inUseAgain: 0, gone: 0, moved: 0 };
  let oldRow = 0;
  let newRow = 0;
  while (oldRow < before.keys.length || newRow < now.keys.length) {
    const [oldKey, key] = [before.keys[oldRow] ?? Infinity, now.keys[newRow] ?? Infinity];
    if (oldKey === key) {
      const [wasActive, isActive] = [before.active[oldRow] === 1, now.rows.isActive(newRow)];
      if (wasActive && !isActive) counts.ended += 1;
      if (!wasActive && isActive) counts.inUseAgain += 1;
      if (isActive && hasMoved(before, oldRow, now, newRow)) counts.moved += 1;
      for (const renames of changed) renames.countRow(oldRow, newRow);
    } else if (oldKey < key) counts.gone += 1;
    else counts.new += 1;
    if (oldKey <= key) oldRow += 1;
    if (key <= oldKey) newRow += 1;
  }
  const { source, edition } = before.info;
  return {
    since: { source, edition },
    ...counts,
    movedMetres: MOVED_METRES,
    areas: byNameColumn((column) => areaNameChanges[column].changes()),
  };
}

/** Reads a directory file and closes its details, which comparisons do not need. */
async function readTable(path: string): Promise<PackedDirectory> {
  const table = await readDirectoryFile(path);
  table.details?.close();
  return table;
}

async function readOutline(path: string): Promise<Outline> {
  const outline = outlineOf(await readTable(path));
  collectGarbage(outline.keys.length);
  return outline;
}

/** Compares two directory files. The first is read, reduced to an outline and freed before the second is read. */
export async function compareDirectoryFiles(
  before: string,
  now: string,
  onBytes: (doneBytes: number, totalBytes: number) => void = () => undefined,
): Promise<EditionChanges> {
  const [beforeBytes, nowBytes] = await Promise.all(
    [before, now].map(async (path) => (await stat(path)).size),
  );
  const totalBytes = (beforeBytes ?? 0) + (nowBytes ?? 0);
  collectGarbage((await readDirectoryInfo(now)).rows);
  const outline = await readOutline(before);
  onBytes(beforeBytes ?? 0, totalBytes);
  const table = await readTable(now);
  // Reading the second file and comparing count for half of its bytes each, because they take about as long.
  onBytes(totalBytes - (nowBytes ?? 0) / 2, totalBytes);
  const changes = compare(outline, table);
  onBytes(totalBytes, totalBytes);
  return changes;
}
