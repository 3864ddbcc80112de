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
import { databaseOf, fileExists, sqliteFileOf, withDatabase, type BackupPlace } from './backup-place.js';
import { refuseToReplace, writeWholeFile } from './backup-file.js';

interface BackupOptions {
  readonly place: BackupPlace;
  readonly path: string;
  /** Whether a file of that name may be replaced. */
  readonly force: boolean;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
}

export interface BackupReport {
  readonly createdAt: string;
  readonly bytes: number;
  /** Rows of each table. */
  readonly rows: Readonly<Record<string, number>>;
}

const NOTHING = 'There is nothing to back up. ';

/**
 * Writes all that an installation keeps, as it is at one moment, to a file that only its owner can read; servers go on
 * meanwhile. The secret is not in it, but has to be there: with it the file is authenticated. Throws a ServiceError that
 * says what is wrong; there is then no file of that name, or the one that was.
 */
export async function backUpInstallation(options: BackupOptions): Promise<BackupReport> {
  const { place, path, force, clock, randomBytes } = options;
  if (!force) await refuseToReplace(path);
  const file = sqliteFileOf(place);
  if (place.databaseUrl === undefined && !(await fileExists(file)))
    throw new NoInstallationError(place.dataDir, NOTHING);

  const backUp = async ({ db }: Storage): Promise<BackupReport> => {
    const fingerprint = await readFingerprint(db);
    if (fingerprint === undefined) throw new NoInstallationError('this database', NOTHING);
    const { secret } = await loadSecret({
      configured: place.secret,
      dataDir: place.dataDir,
      fingerprint,
      randomBytes,
    });
    await bindInstallation(db, secret, { clock, randomBytes });
    return withSnapshot(db, async (source, transaction) => {
      // Replaced meanwhile, it would not open what the file holds.
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
      const bytes = await writeWholeFile(path, lines, randomBytes);
      return { createdAt: header.createdAt, bytes, rows };
    });
  };
  return withDatabase(databaseOf(place), backUp, { mustExist: true });
}
