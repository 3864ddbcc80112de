import { createHash, createHmac, type Hash, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { COLUMN_KINDS, type RowSource } from '../storage/transfer/row-source.js';

/** The name of the format, which the first line of every backup holds. A file without it is not a backup. */
export const FORMAT = 'signpost-backup';
export const FORMAT_VERSION = 1;

const sha256Digits = z.string().regex(/^[\da-f]{64}$/u);
const count = z.int().nonnegative();

/** What the first line contains in every version of the format, so that an error can say why a file cannot be used. */
export const identityLine = z.object({
  format: z.literal(FORMAT),
  formatVersion: z.number(),
  /** The version of the program that wrote the file. */
  program: z.string(),
});

/** The first line as this version writes it. */
export const headerLine = identityLine.extend({
  formatVersion: z.literal(FORMAT_VERSION),
  /** When the rows were read: ISO 8601, UTC. */
  createdAt: z.iso.datetime(),
  /** The fingerprint of the secret that the rows belong to. */
  secretFingerprint: sha256Digits,
  /** The names of the migrations that made the schema. */
  migrations: z.array(z.string()),
  highestKeyId: count,
  tables: z.array(
    z.object({
      name: z.string(),
      columns: z.array(z.object({ name: z.string(), kind: z.enum(COLUMN_KINDS) })),
    }),
  ),
});

export type BackupHeader = z.infer<typeof headerLine>;

/** The line before the rows of a table. Each row is a line with an array. */
export const tableLine = z.object({ table: z.string() });

/** The last line. */
export const footerLine = z.object({
  rows: z.record(z.string(), count),
  /** The checksum of all bytes before this line. */
  sha256: sha256Digits,
  /** The HMAC of `sha256`, with a key derived from the secret: without the secret, nobody can forge a backup. */
  mac: sha256Digits,
});

/** The checksum of the lines added so far. */
export class LineChecksum {
  readonly #hash: Hash = createHash('sha256');

  add(text: string): void {
    this.#hash.update(text, 'utf8');
  }

  /**
   * Returns the checksum of the added lines, and its HMAC with the key. Call it once, after the last line was added.
   */
  end(key: KeyObject): { readonly sha256: string; readonly mac: string } {
    const sha256 = this.#hash.digest('hex');
    return { sha256, mac: createHmac('sha256', key).update(sha256).digest('hex') };
  }
}

const line = (value: unknown) => `${JSON.stringify(value)}\n`;

/**
 * The text of a backup, some lines at a time. Calls `onEnd` with the number of rows of each table. The key
 * authenticates the whole backup.
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
