import { dialectOf } from '../dialect-of.js';
import type { Database } from '../storage.js';
import { readHighestKeyId } from './highest-key-id.js';
import { readRows } from './read-rows.js';
import type { RowBatch, RowSource } from './row-source.js';
import { readTableShape, type TableShape } from './table-shape.js';
import { COPIED_TABLES } from './tables.js';

async function* readTables(db: Database, tables: RowSource['tables']): AsyncGenerator<RowBatch> {
  for (const [index, { key }] of COPIED_TABLES.entries()) {
    const table = tables[index];
    if (table !== undefined) yield* readRows(db, table, key);
  }
}

/** The rows as a transaction sees them. */
export async function rowsOf(transaction: Database): Promise<RowSource> {
  const highestKeyId = await readHighestKeyId(transaction);
  const tables: TableShape[] = [];
  for (const { name } of COPIED_TABLES) tables.push(await readTableShape(transaction, name));
  return { tables, highestKeyId, batches: () => readTables(transaction, tables) };
}

/**
 * Hands over all rows as they are at one moment, while others go on writing: in SQLite's WAL mode, and in PostgreSQL at
 * this isolation level, a transaction goes on seeing what its first statement saw.
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
