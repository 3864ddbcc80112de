import { resolve } from 'node:path';
import { ServiceError } from '../../platform/errors.js';
import { takeFileLock, type FileLock } from './file-lock.js';
import { sqliteProblem } from '../storage-problem.js';

/** How long to wait for the lock, because a stopping server may still hold it. */
const WAIT_MS = 5_000;

/** A lock held by the server that uses a folder. */
export type ServerLock = FileLock;

export class DataFolderInUse extends ServiceError {
  constructor(path: string) {
    super(
      'internal',
      `Another server is using this data folder (it holds ${path}). Stop that server, or choose another folder with SIGNPOST_DATA_DIR. Several servers must share a PostgreSQL database: set SIGNPOST_DATABASE_URL.`,
    );
  }
}

/**
 * Takes the lock of a SQLite installation. Throws a DataFolderInUse if another server still holds it after WAIT_MS.
 * Throws a ServiceError if the lock file cannot be used for a known reason, and otherwise the error of Node.js or
 * SQLite.
 */
export async function takeServerLock(file: string): Promise<ServerLock> {
  const path = resolve(file);
  const lock = await takeFileLock(path, WAIT_MS).catch((error: unknown) => {
    throw sqliteProblem(path, error);
  });
  if (lock === undefined) throw new DataFolderInUse(path);
  return lock;
}
