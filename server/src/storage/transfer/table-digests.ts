import { createHash } from 'node:crypto';
import type { RowSource } from './row-source.js';

const MODULUS = 1n << 256n;

/** What a table holds: equal for equal rows, in whatever order an engine answers them. */
export interface TableDigest {
  readonly rows: number;
  /** The sum of the rows' SHA-256, in hexadecimal digits. */
  readonly digest: string;
}

/** The number of rows of each table and their checksum. */
export async function digestTables(source: RowSource): Promise<ReadonlyMap<string, TableDigest>> {
  const sums = new Map(source.tables.map(({ name }) => [name, { rows: 0, sum: 0n }]));
  for await (const { table, rows } of source.batches()) {
    const total = sums.get(table.name) ?? { rows: 0, sum: 0n };
    for (const row of rows) {
      const digest = createHash('sha256').update(JSON.stringify(row)).digest('hex');
      total.sum = (total.sum + BigInt(`0x${digest}`)) % MODULUS;
    }
    total.rows += rows.length;
    sums.set(table.name, total);
  }
  return new Map(
    Array.from(sums, ([name, { rows, sum }]) => [name, { rows, digest: sum.toString(16).padStart(64, '0') }]),
  );
}
