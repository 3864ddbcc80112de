import type { KeyObject } from 'node:crypto';
import { ServiceError } from '../platform/errors.js';
import {
  portableValue,
  type RowBatch,
  type RowSource,
  type TableShape,
  type Values,
} from '../storage/transfer/row-source.js';
import { changedBackup, truncatedBackup, notABackup, readLines } from './backup-file.js';
import {
  type BackupHeader,
  footerLine,
  FORMAT_VERSION,
  headerLine,
  identityLine,
  LineChecksum,
  tableLine,
} from './backup-format.js';

/** Checks the lines of a backup against its last line. */
class BackupCheck {
  readonly #checksum = new LineChecksum();
  readonly #shapes: ReadonlyMap<string, TableShape>;
  readonly #counts: Map<string, number>;
  #current: TableShape | undefined;
  /** Whether the last line was read and is correct. */
  isEnded = false;

  readonly #path: string;
  readonly #key: KeyObject;

  constructor(path: string, header: BackupHeader, key: KeyObject) {
    this.#path = path;
    this.#key = key;
    this.#shapes = new Map(header.tables.map((table) => [table.name, table]));
    this.#counts = new Map(header.tables.map(({ name }) => [name, 0]));
  }

  /** The table whose rows are being read. Throws a ServiceError if no known table has begun. */
  get table(): TableShape {
    if (this.#current === undefined) throw changedBackup(this.#path);
    return this.#current;
  }

  /**
   * Adds a line, given without its line end, to the checksum. Do not add the last line, which contains the checksum.
   * Throws a ServiceError if the last line was already read.
   */
  add(line: string): void {
    if (this.isEnded) throw changedBackup(this.#path);
    this.#checksum.add(`${line}\n`);
  }

  /**
   * Reads a row of the current table: a line that is an array. Throws a ServiceError if the values do not fit the
   * columns of the table.
   */
  readRow(values: readonly unknown[]): Values {
    const { name, columns } = this.table;
    if (columns.length !== values.length) throw changedBackup(this.#path);
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    try {
      return columns.map((column, index) => portableValue(name, column, values[index]));
    } catch (error) {
      throw changedBackup(this.#path, error);
    }
  }

  /**
   * Reads a line that is not an array. Returns false for the line before the rows of a table. Takes any other line as
   * the last one: returns true, or throws a ServiceError if it does not match the lines before it or was not written
   * with the key.
   */
  readMarker(value: unknown): boolean {
    const begun = tableLine.safeParse(value).data;
    if (begun === undefined) {
      this.#end(value);
      return true;
    }
    this.#current = this.#shapes.get(begun.table);
    return false;
  }

  #end(value: unknown): void {
    const footer = footerLine.safeParse(value).data;
    const { sha256, mac } = this.#checksum.end(this.#key);
    const isWhole =
      footer?.sha256 === sha256 &&
      Object.keys(footer.rows).length === this.#counts.size &&
      [...this.#counts].every(([table, rows]) => footer.rows[table] === rows);
    if (!isWhole) throw changedBackup(this.#path);
    if (footer.mac !== mac) {
      throw new ServiceError(
        'invalidRequest',
        `The backup ${this.#path} was not written with this installation's secret, although it says so: somebody made ` +
          'or changed it. Use a backup from a place that only you can write to.',
      );
    }
    this.isEnded = true;
  }
}

const ROWS_PER_BATCH = 1_000;

function parseJson(path: string, line: string, toError: typeof changedBackup): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw toError(path, error);
  }
}

function parseHeader(path: string, line: string): BackupHeader {
  const value = parseJson(path, line, notABackup);
  const identity = identityLine.safeParse(value);
  if (!identity.success) throw notABackup(path);
  if (identity.data.formatVersion !== FORMAT_VERSION) {
    throw new ServiceError(
      'invalidRequest',
      `The backup ${path} was written by Signpost ${identity.data.program} in a newer format. Restore it with that ` +
        'version or a newer one.',
    );
  }
  const header = headerLine.safeParse(value);
  if (!header.success) throw changedBackup(path, header.error);
  return header.data;
}

/**
 * Reads the first line of a backup. Throws a ServiceError if the file cannot be read, or if its first line is not that
 * of a backup in the format of this version.
 */
export async function readBackupHeader(path: string): Promise<BackupHeader> {
  for await (const line of readLines(path)) return parseHeader(path, line);
  throw notABackup(path);
}

async function* readBatches(path: string, key: KeyObject, header: BackupHeader): AsyncGenerator<RowBatch> {
  const check = new BackupCheck(path, header, key);
  let rows: Values[] = [];
  let isFirst = true;
  for await (const line of readLines(path)) {
    const value = isFirst ? undefined : parseJson(path, line, changedBackup);
    if (isFirst) {
      if (JSON.stringify(parseHeader(path, line)) !== JSON.stringify(header)) throw changedBackup(path);
      isFirst = false;
    } else if (Array.isArray(value)) {
      rows.push(check.readRow(value));
    } else {
      if (rows.length > 0) yield { table: check.table, rows };
      rows = [];
      if (check.readMarker(value)) continue;
    }
    check.add(line);
    if (rows.length < ROWS_PER_BATCH) continue;
    yield { table: check.table, rows };
    rows = [];
  }
  if (!check.isEnded) throw truncatedBackup(path);
}

/**
 * The rows of a backup. Reading them to the end checks the whole file with `key`, and throws a ServiceError if the file
 * is cut off, was changed, or was not written with the secret that the key is derived from.
 */
export const rowsOfBackup = (path: string, key: KeyObject, header: BackupHeader): RowSource => ({
  tables: header.tables,
  highestKeyId: header.highestKeyId,
  batches: () => readBatches(path, key, header),
});
