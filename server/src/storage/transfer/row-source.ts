import { ServiceError } from '../../platform/errors.js';
import type { Database } from '../storage.js';

/** The kinds of columns, named alike for both engines. */
export const COLUMN_KINDS = ['boolean', 'integer', 'number', 'text'] as const;
type ColumnKind = (typeof COLUMN_KINDS)[number];

interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
}

export interface TableShape {
  readonly name: string;
  readonly columns: readonly Column[];
}

/** A value that every engine and JSON can store. */
export type Value = string | number | boolean | null;

/** The values of a row in the order of its table's columns. */
export type Values = readonly Value[];

const KIND_OF_TYPE: Readonly<Record<string, ColumnKind>> = {
  boolean: 'boolean',
  integer: 'integer',
  bigint: 'integer',
  float: 'number',
  'double precision': 'number',
  varchar: 'text',
  'character varying': 'text',
  text: 'text',
};

function kindOf(table: string, column: string, type: string): ColumnKind {
  const kind = KIND_OF_TYPE[type];
  if (kind === undefined) throw new Error(`The column ${table}.${column} is of an unknown type, ${type}.`);
  return kind;
}

/** The columns of a table in the order of their names, the same on all engines; none if the table does not exist. */
export async function readTableShape(db: Database, name: string): Promise<TableShape> {
  const columns = Object.entries(await db(name).columnInfo())
    .map(([column, { type }]) => ({ name: column, kind: kindOf(name, column, type) }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  return { name, columns };
}

function portable(kind: ColumnKind, value: unknown): Value | undefined {
  if (value === null) return null;
  switch (kind) {
    case 'boolean':
      if (value === 0 || value === 1) return value === 1;
      return typeof value === 'boolean' ? value : undefined;
    case 'integer':
      return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
    case 'text':
      return typeof value === 'string' ? value : undefined;
  }
}

/**
 * Converts a stored value to the form in which rows are copied, the same for both engines: for example, a boolean that
 * SQLite stored as 1 becomes true. Throws a ServiceError that names the column if the value has the wrong type.
 */
export function portableValue(table: string, { name, kind }: Column, value: unknown): Value {
  const result = portable(kind, value);
  if (result !== undefined) return result;
  throw new ServiceError(
    'internal',
    `The column ${table}.${name} holds a value that is not of the kind ${kind}: it was changed by another program. Put it ` +
      'right there first.',
  );
}

/** Some rows of one table. */
export interface RowBatch {
  readonly table: TableShape;
  readonly rows: readonly Values[];
}

/** A consistent set of rows, from a database or a file. */
export interface RowSource {
  /** In the order in which their rows are read. */
  readonly tables: readonly TableShape[];
  /** The highest id that an API key ever had, including deleted keys. */
  readonly highestKeyId: number;
  /** All rows, table by table. May be called more than once. */
  batches(): AsyncIterable<RowBatch>;
}
