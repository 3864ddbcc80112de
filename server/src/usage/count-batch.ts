import type { Dialect } from '../storage/storage.js';
import type { PreparedQueries } from '../storage/prepared-queries.js';
import type { Limits } from './admission.js';
import { admissionBindings, admissionSql, type KeyBatch, type KeyBatchRow } from './admission-statement.js';
import type { CountBatch } from './meter.js';

/** Keys per statement; more are counted by several statements, each a transaction of its own. */
const KEYS_PER_STATEMENT = 64;

/** Counts batches in the database through prepared statements, one for each number of keys. */
export function countBatchIn(queries: PreparedQueries, dialect: Dialect, defaults: Limits): CountBatch {
  const sqlOf = new Map<number, string>();
  const sqlFor = (keys: number) => {
    let sql = sqlOf.get(keys);
    if (sql === undefined) {
      sql = admissionSql(keys, dialect);
      sqlOf.set(keys, sql);
    }
    return sql;
  };

  const countSome = (batch: readonly KeyBatch[], day: number, minute: number) =>
    queries.all<KeyBatchRow>(sqlFor(batch.length), admissionBindings(batch, defaults, day, minute));

  return async (batch, day, minute) => {
    if (batch.length <= KEYS_PER_STATEMENT) return countSome(batch, day, minute);
    const rows: KeyBatchRow[] = [];
    for (let start = 0; start < batch.length; start += KEYS_PER_STATEMENT) {
      rows.push(...(await countSome(batch.slice(start, start + KEYS_PER_STATEMENT), day, minute)));
    }
    return rows;
  };
}
