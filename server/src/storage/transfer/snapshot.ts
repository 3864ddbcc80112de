import { type Database, dialectOf } from '../storage.js';
import { COPIED_TABLES } from './copied-tables.js';
import { readHighestKeyId } from './key-ids.js';
import {
  portableValue,
  readTableShape,
  type RowBatch,
  type RowSource,
  type TableShape,
  type Values,
} from './row-source.js';

const ROWS_PER_BATCH = 1_000;

/** Reads the rows of a table in the order of `key`, at most ROWS_PER_BATCH at a time. */
export async function* readRows(
  db: Database,
  table: TableShape,
  key: readonly string[],
): AsyncGenerator<RowBatch> {
  const names = table.columns.map(({ name }) => name);
  const placeholders = (sign: string) => `(${key.map(() => sign).join(', ')})`;
  const after = `${placeholders('??')} > ${placeholders('?')}`;
  let last: Values | undefined;
  for (;;) {
    const query = db(table.name)
      .select(names)
      .orderBy([...key])
      .limit(ROWS_PER_BATCH);
    if (last !== undefined) void query.whereRaw(after, [...key, ...last]);
    const found: readonly Record<string, unknown>[] = await query;
    const rows = found.map((row) =>
      table.columns.map((column) => portableValue(table.name, column, row[column.name])),
    );
    const lastRow = rows.at(-1);
    if (lastRow !== undefined) yield { table, rows };
    if (rows.length < ROWS_PER_BATCH) return;
    last = key.map((name) => lastRow?.[names.indexOf(name)] ?? null);
  }
}

async function* readTables(db: Database, tables: RowSource['tables']): AsyncGenerator<RowBatch> {
  for (const [index, { key }] of COPIED_TABLES.entries()) {
    const table = tables[index];
    if (table !== undefined) yield* readRows(db, table, key);
  }
}

/** The rows that a transaction sees in the copied tables. They can be read until the transaction ends. */
export async function rowsOf(transaction: Database): Promise<RowSource> {
  const highestKeyId = await readHighestKeyId(transaction);
  const tables: TableShape[] = [];
  for (const { name } of COPIED_TABLES) tables.push(await readTableShape(transaction, name));
  return { tables, highestKeyId, batches: () => readTables(transaction, tables) };
}

/**
 * Calls `use` with the rows of the copied tables as they are at one moment, while others keep writing. This works
 * because in SQLite's WAL mode, and in PostgreSQL at the isolation level REPEATABLE READ, a transaction keeps seeing
 * what its first statement saw.
 */
export function withSnapshot<Result>(
  db: Database,
  use: (source: RowSource, transaction: Database) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (transaction) => {
    if (dialectOf(db) === 'postgresql') {
      await transaction.raw('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      await transaction.raw('SET LOCAL idle_in_transaction_session_timeout = 0');
    }
    return use(await rowsOf(transaction), transaction);
  });
}
