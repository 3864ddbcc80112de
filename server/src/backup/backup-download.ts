import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Actor, Audit } from '../audit/audit.js';
import type { Clock } from '../platform/clock.js';
import { ServiceError } from '../platform/errors.js';
import type { RandomBytes } from '../platform/random.js';
import { HOUR_MS } from '../platform/time-units.js';
import type { Database } from '../storage/storage.js';
import { backUpInstallation } from './back-up-installation.js';
import { backupName } from './backup-folder.js';
import type { InstallationLocation } from './installation-location.js';
import { noteBackup, readLastBackupMs } from './last-backup.js';

interface BackupDownloadDeps {
  readonly location: InstallationLocation;
  readonly db: Database;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  /** Called if the time of the backup could not be stored. The backup is complete all the same. */
  readonly onNoteFailed: (error: unknown) => void;
}

interface BackupDownload {
  readonly name: string;
  readonly bytes: number;
  readonly body: Readable;
}

const NAME_LENGTH = 8;
/** Matches the names of the files that downloads are written to, and of their drafts. */
const NAME = /^download-[0-9a-f]{16}\.backup(\.[0-9a-f]{8}\.partial)?$/u;

/**
 * Removes files that downloads of killed servers left behind. With PostgreSQL, files written within the last hour stay,
 * because they may belong to another server with the same data folder.
 */
async function removeLeftovers({ location, clock }: BackupDownloadDeps): Promise<void> {
  const { dataDir, databaseUrl } = location;
  const beforeMs = databaseUrl === undefined ? Infinity : clock() - HOUR_MS;
  const names = (await readdir(dataDir)).filter((name) => NAME.test(name));
  await Promise.allSettled(
    names.map(async (name) => {
      const path = join(dataDir, name);
      if ((await stat(path)).mtimeMs < beforeMs) await rm(path, { force: true });
    }),
  );
}

/** Opens a file and deletes its name, so that the file is gone once it was read or the reader gave up. */
async function readOnce(path: string): Promise<Readable> {
  try {
    const file = await open(path);
    return file.createReadStream();
  } finally {
    await rm(path, { force: true });
  }
}

/**
 * Backups that people download. Each is written completely to a file in the data folder before its first byte is sent,
 * so that a slow download does not hold up the database, and a completed download is a complete backup.
 */
export function createBackupDownloads(deps: BackupDownloadDeps) {
  const { location, db, audit, clock, randomBytes, onNoteFailed } = deps;
  // A leftover file that cannot be removed must not prevent backups.
  const removing = removeLeftovers(deps).catch(() => undefined);
  let isMaking = false;

  async function make(actor: Actor): Promise<BackupDownload> {
    await removing;
    const nowMs = clock();
    const name = backupName(nowMs);
    const path = join(location.dataDir, `download-${randomBytes(NAME_LENGTH).toString('hex')}.backup`);
    const { createdAt, bytes } = await backUpInstallation({
      location,
      path,
      randomBytes,
      force: false,
      clock: () => nowMs,
    });
    const body = await readOnce(path);
    try {
      await audit.record(db, actor, { kind: 'backup.made', detail: `${name} (downloaded)` });
    } catch (error) {
      body.destroy();
      throw error;
    }
    await noteBackup(location.dataDir, createdAt).catch(onNoteFailed);
    return { name, bytes, body };
  }

  return {
    /** When the newest backup was made, in milliseconds since 1970; 0 if no backup is known. */
    lastBackupMs: () => readLastBackupMs(location.dataDir),

    /**
     * Makes a backup now. Throws the ServiceErrors of `backUpInstallation`, and a ServiceError if an earlier call is
     * still making its backup.
     */
    async make(actor: Actor): Promise<BackupDownload> {
      if (isMaking) {
        throw new ServiceError(
          'invalidRequest',
          'Another backup is being made. Wait until it is done, and try again.',
        );
      }
      isMaking = true;
      try {
        return await make(actor);
      } finally {
        isMaking = false;
      }
    },
  };
}

export type BackupDownloads = ReturnType<typeof createBackupDownloads>;
