import { join } from 'node:path';

/** The database of an installation in SQLite. */
export const sqliteFileIn = (dataDir: string): string => join(dataDir, 'signpost.db');

/** What the server that serves from the folder holds. */
export const serverLockIn = (dataDir: string): string => join(dataDir, 'server.lock');
