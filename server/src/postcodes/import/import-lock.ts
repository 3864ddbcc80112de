import { readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../platform/clock.js';
import { takeFileLock, type FileLock } from '../../storage/sqlite/file-lock.js';
import { ImportError } from './import-error.js';

const LOCK = 'import.lock';
/** Names the importer that holds the lock. */
const IMPORTER = 'import.json';
/** How long to wait for the lock. */
const WAIT_MS = 500;

const importerSchema = z.object({ pid: z.int(), host: z.string(), since: z.string(), source: z.string() });

/** Describes the importer named in import.json; an empty text if that file is missing or damaged. */
async function importerIn(dataDir: string): Promise<string> {
  try {
    const text = await readFile(join(dataDir, IMPORTER), 'utf8');
    const { pid, host, since, source } = importerSchema.parse(JSON.parse(text));
    return `: process ${pid} on ${host}, since ${since}, importing ${source}`;
  } catch {
    return '';
  }
}

/**
 * Takes the lock for imports into a data folder. Throws an ImportError if another importer holds it, and says who that
 * is if it is known.
 */
export async function takeImportLock(dataDir: string, source: string, clock: Clock): Promise<FileLock> {
  const lock = await takeFileLock(join(dataDir, LOCK), WAIT_MS);
  if (lock === undefined) throw new ImportError(`Another import is under way${await importerIn(dataDir)}.`);
  const importer = join(dataDir, IMPORTER);
  const release = async () => {
    try {
      await rm(importer, { force: true });
    } finally {
      await lock.release();
    }
  };
  try {
    const since = new Date(clock()).toISOString();
    await writeFile(importer, JSON.stringify({ pid: process.pid, host: hostname(), since, source }));
  } catch (error) {
    await release();
    throw error;
  }
  return { release };
}
