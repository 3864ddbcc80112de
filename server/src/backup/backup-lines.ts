import type { KeyObject } from 'node:crypto';
import type { RowSource } from '../storage/transfer/row-source.js';
import { LineChecksum, type BackupHeader } from './backup-format.js';

const line = (value: unknown) => `${JSON.stringify(value)}\n`;

/**
 * The text of a backup, some lines at a time; `onEnd` is told the number of rows of each table. The key authenticates
 * the whole.
 */
export async function* backupLines(
  header: BackupHeader,
  source: RowSource,
  key: KeyObject,
  onEnd: (rows: Readonly<Record<string, number>>) => void,
): AsyncGenerator<string> {
  const checksum = new LineChecksum();
  const checked = (text: string) => {
    checksum.add(text);
    return text;
  };
  const counts = new Map(source.tables.map(({ name }) => [name, 0]));
  let current = '';
  yield checked(line(header));
  for await (const { table, rows } of source.batches()) {
    if (table.name !== current) yield checked(line({ table: table.name }));
    current = table.name;
    yield checked(rows.map(line).join(''));
    counts.set(current, (counts.get(current) ?? 0) + rows.length);
  }
  const rows = Object.fromEntries(counts);
  yield line({ rows, ...checksum.end(key) });
  onEnd(rows);
}
