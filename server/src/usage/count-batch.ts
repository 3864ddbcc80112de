import type { Dialect, PreparedQueries } from '../storage/storage.js';
import type { Limits } from './rate-limit.js';
import { admissionBindings, admissionSql, type KeyBatchRow } from './admission-statement.js';
import type { CountBatch } from './meter.js';

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

  return (batch, day, minute) =>
    queries.all<KeyBatchRow>(sqlFor(batch.length), admissionBindings(batch, defaults, day, minute));
}
