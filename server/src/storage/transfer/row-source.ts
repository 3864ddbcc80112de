import { ServiceError } from '../../platform/errors.js';
import type { Database } from '../storage.js';

/** What a column holds, told apart as far as all engines and JSON can. */
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

/** A value as every engine and JSON hold it. */
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

/** The columns of a table, by their names, which are the same on all engines; none where there is no such table. */
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

/** The value as all engines hold it; throws a ServiceError that names the column where it is not of its kind. */
export function portableValue(table: string, { name, kind }: Column, value: unknown): Value {
  const result = portable(kind, value);
  if (result !== undefined) return result;
  throw new ServiceError(
    'internal',
    `The column ${table}.${name} holds something that is no ${kind}: it was changed by another program. Put it ` +
      'right there first.',
  );
}

/** Some rows of one table. */
export interface RowBatch {
  readonly table: TableShape;
  readonly rows: readonly Values[];
}

/** The rows of one moment, wherever they lie: a database or a file. */
export interface RowSource {
  /** In the order in which their rows come. */
  readonly tables: readonly TableShape[];
  /** The highest number that an API key ever had, those that are gone included. */
  readonly highestKeyId: number;
  /** All rows, table by table; may be called more than once. */
  batches(): AsyncIterable<RowBatch>;
}
