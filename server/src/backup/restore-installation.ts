import type { RandomBytes } from '../platform/random.js';
import { deriveKey } from '../secret/sealing.js';
import { ServiceError } from '../platform/errors.js';
import type { Database } from '../storage/storage.js';
import { isKnownSchema, withUpgradedRows } from '../storage/transfer/upgrade-rows.js';
import { replaceRows, type RowCounts } from '../storage/transfer/replace-rows.js';
import { readOccupancy, type Occupancy } from '../storage/transfer/copied-tables.js';
import type { RowSource } from '../storage/transfer/row-source.js';
import { writeExclusively } from '../storage/transfer/write-exclusively.js';
import type { BackupHeader } from './backup-format.js';
import {
  type InstallationLocation,
  databaseOf,
  requireBackupSecret,
  withDatabase,
} from './installation-location.js';
import { readBackupHeader, rowsOfBackup } from './read-backup.js';

interface RestoreOptions {
  readonly location: InstallationLocation;
  readonly path: string;
  /** Whether existing accounts and keys may be replaced. */
  readonly force: boolean;
  readonly randomBytes: RandomBytes;
  /** Stores more data in the transaction of the restore. */
  readonly alsoStore?: (transaction: Database) => Promise<void>;
}

export interface RestoreReport {
  /** When the backup was made. */
  readonly createdAt: string;
  /** The version of the program that wrote the backup. */
  readonly program: string;
  /**
   * The number of rows restored from the backup, per table. Audit entries count even if the database already had them.
   */
  readonly rows: RowCounts;
  /** How many accounts and keys the database had before the restore replaced them. */
  readonly replaced: { readonly accounts: number; readonly keys: number };
}

function rejectNewerBackup(path: string, { migrations, program }: BackupHeader): void {
  if (isKnownSchema(migrations)) return;
  throw new ServiceError(
    'invalidRequest',
    `The backup ${path} was written by another version of Signpost, ${program}, whose tables this one does not know. ` +
      'Restore it with that version or a newer one.',
  );
}

async function checkWhole(source: RowSource): Promise<void> {
  const batches = source.batches()[Symbol.asyncIterator]();
  while ((await batches.next()).done !== true);
}

function rejectDataLoss(occupancy: Occupancy, header: BackupHeader, force: boolean): void {
  const { secretFingerprint, accounts, keys } = occupancy;
  if (secretFingerprint !== undefined && secretFingerprint !== header.secretFingerprint) {
    throw new ServiceError(
      'invalidRequest',
      "The database is another installation's, set up with another secret, or its secret was replaced since (accounts: " +
        `${accounts}, API keys: ${keys}). Restore into an empty data folder or an empty database. Nothing was changed.`,
    );
  }
  if (accounts === 0 || force) return;
  throw new ServiceError(
    'invalidRequest',
    `The database holds data (accounts: ${accounts}, API keys: ${keys}), which the restore would replace with the data of ` +
      `${header.createdAt}. If that is what you want, make a backup first, then add --force. Nothing was changed.`,
  );
}

/**
 * Replaces the data of a database with a backup, all or nothing. The database must be empty or of the same
 * installation. All sessions end; the audit keeps its entries and gets those of the backup. Servers may keep running.
 * Checks the whole file before changing anything, and again while restoring it. Throws a ServiceError that says why
 * nothing was restored.
 */
export async function restoreInstallation(options: RestoreOptions): Promise<RestoreReport> {
  const { location, path, force, randomBytes, alsoStore } = options;
  const header = await readBackupHeader(path);
  rejectNewerBackup(path, header);
  const secret = await requireBackupSecret(location, header.secretFingerprint, randomBytes);
  const backup = rowsOfBackup(path, deriveKey(secret, 'backup-authentication'), header);
  await checkWhole(backup);

  return withDatabase(databaseOf(location), async ({ db }) => {
    rejectDataLoss(await readOccupancy(db), header, force);
    return withUpgradedRows(backup, header.migrations, (source) =>
      writeExclusively(db, async (transaction) => {
        const occupancy = await readOccupancy(transaction);
        rejectDataLoss(occupancy, header, force);
        const rows = await replaceRows(transaction, source);
        await alsoStore?.(transaction);
        const { createdAt, program } = header;
        return { createdAt, program, rows, replaced: { accounts: occupancy.accounts, keys: occupancy.keys } };
      }),
    );
  });
}
