import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '../platform/clock.js';
import { ServiceError } from '../platform/errors.js';
import type { RandomBytes } from '../platform/random.js';
import { bindInstallation, readFingerprint } from '../secret/installation.js';
import { loadSecret, secretVariable } from '../secret/load-secret.js';
import type { Database } from '../storage/storage.js';
import { readOccupancy } from '../storage/transfer/copied-tables.js';
import { copyRows } from '../storage/transfer/replace-rows.js';
import type { RowSource } from '../storage/transfer/row-source.js';
import { rowsOf } from '../storage/transfer/snapshot.js';
import { writeExclusively } from '../storage/transfer/write-exclusively.js';
import {
  type InstallationLocation,
  fileExists,
  keepServersOut,
  sqliteFileOf,
  withDatabase,
} from './installation-location.js';

const MODULUS = 1n << 256n;

/** A digest of the rows of a table. It does not depend on their order. */
export interface TableDigest {
  readonly rows: number;
  /** The sum of the SHA-256 digests of all rows, each as JSON, modulo 2^256, in hexadecimal digits. */
  readonly digest: string;
}

/** Returns, by the name of the table, how many rows each table has and the digest of these rows. */
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

interface MigrationOptions {
  readonly location: InstallationLocation;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
}

/** A table after it was migrated. */
export interface MigratedTable {
  readonly table: string;
  readonly rows: number;
  /** The digest of all rows of the table, the same in both databases. */
  readonly digest: string;
}

const migrationProblem = (message: string, cause?: unknown) =>
  new ServiceError('invalidRequest', message, { cause });

async function requireSqlite(
  location: InstallationLocation,
): Promise<{ readonly file: string; readonly url: string }> {
  if (location.databaseUrl === undefined) {
    throw migrationProblem(
      'Set SIGNPOST_DATABASE_URL to the empty PostgreSQL database to copy to, such as ' +
        '"postgres://signpost:PASSWORD@db.example:5432/signpost".',
    );
  }
  const file = sqliteFileOf(location);
  if (await fileExists(file)) return { file, url: location.databaseUrl };
  throw migrationProblem(
    `There is no SQLite database ${file} to copy. Set SIGNPOST_DATA_DIR to the folder that has it.`,
  );
}

async function checkSecret(db: Database, { location, clock, randomBytes }: MigrationOptions): Promise<void> {
  const fingerprint = await readFingerprint(db);
  if (fingerprint === undefined) {
    throw migrationProblem(`There is nothing to copy: no installation was set up in ${location.dataDir}.`);
  }
  const { secret } = await loadSecret({
    configured: location.secret,
    dataDir: location.dataDir,
    fingerprint,
    randomBytes,
  });
  try {
    await bindInstallation(db, secret, { clock, randomBytes });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const variable = location.secret === undefined ? 'The file "secret"' : secretVariable(location.secret);
    throw migrationProblem(
      `${variable} is not the secret of the SQLite database. Set SIGNPOST_SECRET to what the file "secret" in the data folder ` +
        `holds, or to what was configured before: SIGNPOST_SECRET="$(cat ${join(location.dataDir, 'secret')})"`,
      error,
    );
  }
}

async function rejectOccupied(transaction: Database): Promise<void> {
  const { secretFingerprint, accounts, keys } = await readOccupancy(transaction);
  if (secretFingerprint === undefined) return;
  throw migrationProblem(
    `The PostgreSQL database is not empty: an installation (accounts: ${accounts}, API keys: ${keys}) was set up in it. ` +
      'Make an empty database and name that one in SIGNPOST_DATABASE_URL. Nothing was changed.',
  );
}

/** Returns the tables of `source`. Throws a ServiceError if one of them does not have the same rows in `target`. */
async function compareTables(source: RowSource, target: RowSource): Promise<readonly MigratedTable[]> {
  const [before, after] = [await digestTables(source), await digestTables(target)];
  return Array.from(before, ([table, { rows, digest }]) => {
    if (after.get(table)?.digest === digest && after.get(table)?.rows === rows)
      return { table, rows, digest };
    throw new ServiceError(
      'internal',
      `The table ${table} did not arrive as it was: ${rows} rows were there, ${after.get(table)?.rows ?? 0} arrived. ` +
        'Nothing was kept; the PostgreSQL database is empty as before.',
    );
  });
}

/**
 * Copies an installation from its SQLite file to an empty PostgreSQL database, all or nothing, and checks that every
 * row arrived unchanged. The SQLite file keeps its rows. Throws a ServiceError that says why nothing was copied.
 */
export async function migrateInstallation(options: MigrationOptions): Promise<readonly MigratedTable[]> {
  const { file, url } = await requireSqlite(options.location);
  const serverLock = await keepServersOut(options.location, 'what it writes from now on would be lost');
  try {
    return await withDatabase({ file }, async (sqlite) => {
      await checkSecret(sqlite.db, options);
      return withDatabase({ url }, (postgresql) =>
        writeExclusively(sqlite.db, async (from) => {
          const source = await rowsOf(from);
          return writeExclusively(postgresql.db, async (to) => {
            await rejectOccupied(to);
            await copyRows(to, source);
            return compareTables(source, await rowsOf(to));
          });
        }),
      );
    });
  } finally {
    await serverLock.release();
  }
}
