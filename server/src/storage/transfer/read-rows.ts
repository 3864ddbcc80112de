import type { Database } from '../storage.js';
import type { RowBatch } from './row-source.js';
import { portableValue, type TableShape, type Values } from './table-shape.js';

const ROWS_PER_BATCH = 1_000;

/** The rows of a table in the order of its key, some at a time. */
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
