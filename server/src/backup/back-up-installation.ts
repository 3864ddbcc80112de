import type { Clock } from '../platform/clock.js';
import type { RandomBytes } from '../platform/random.js';
import { deriveKey } from '../secret/sealing.js';
import {
  bindInstallation,
  readFingerprint,
  requireSecret,
  secretFingerprint,
} from '../secret/installation.js';
import { loadSecret } from '../secret/load-secret.js';
import { NoInstallationError } from '../platform/errors.js';
import { CURRENT_SCHEMA } from '../storage/transfer/upgrade-rows.js';
import { withSnapshot } from '../storage/transfer/snapshot.js';
import type { Storage } from '../storage/storage.js';
import { VERSION } from '../platform/version.js';
import { type BackupHeader, backupLines, FORMAT, FORMAT_VERSION } from './backup-format.js';
import {
  databaseOf,
  fileExists,
  sqliteFileOf,
  withDatabase,
  type InstallationLocation,
} from './installation-location.js';
import { rejectExistingFile, writeWholeFile } from './backup-file.js';

interface BackupOptions {
  readonly location: InstallationLocation;
  readonly path: string;
  /** Whether a file that already exists at `path` may be replaced. */
  readonly force: boolean;
  /** Creates the folder of the file. Called after all checks, so that a rejected backup leaves no empty folder. */
  readonly makeFolder?: () => Promise<void>;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
}

export interface BackupReport {
  readonly createdAt: string;
  readonly bytes: number;
  /** The number of rows of each table. */
  readonly rows: Readonly<Record<string, number>>;
}

const NOTHING = 'There is nothing to back up. ';

/**
 * Writes the tables of COPIED_TABLES, as of one moment, to a file that only its owner can read. Servers may keep
 * running. The file does not hold the secret, which a restore needs. Throws a ServiceError that says what is wrong;
 * then there is no new file, and an existing one is unchanged.
 */
export async function backUpInstallation(options: BackupOptions): Promise<BackupReport> {
  const { location, path, force, makeFolder, clock, randomBytes } = options;
  if (!force) await rejectExistingFile(path);
  const file = sqliteFileOf(location);
  if (location.databaseUrl === undefined && !(await fileExists(file)))
    throw new NoInstallationError(location.dataDir, NOTHING);

  const backUp = async ({ db }: Storage): Promise<BackupReport> => {
    const fingerprint = await readFingerprint(db);
    if (fingerprint === undefined) throw new NoInstallationError('this database', NOTHING);
    const { secret } = await loadSecret({
      configured: location.secret,
      dataDir: location.dataDir,
      fingerprint,
      randomBytes,
    });
    await bindInstallation(db, secret, { clock, randomBytes });
    return withSnapshot(db, async (source, transaction) => {
      // If the secret was replaced in the meantime, the one read above would not decrypt these rows.
      await requireSecret(transaction, secret);
      const header: BackupHeader = {
        format: FORMAT,
        formatVersion: FORMAT_VERSION,
        program: VERSION,
        createdAt: new Date(clock()).toISOString(),
        secretFingerprint: secretFingerprint(secret),
        migrations: [...CURRENT_SCHEMA],
        highestKeyId: source.highestKeyId,
        tables: source.tables.map(({ name, columns }) => ({ name, columns: [...columns] })),
      };
      let rows = {};
      const lines = backupLines(header, source, deriveKey(secret, 'backup-authentication'), (counts) => {
        rows = counts;
      });
      await makeFolder?.();
      const bytes = await writeWholeFile(path, lines, randomBytes);
      return { createdAt: header.createdAt, bytes, rows };
    });
  };
  return withDatabase(databaseOf(location), backUp, { mustExist: true });
}
