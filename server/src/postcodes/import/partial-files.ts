import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Ends the names of files that are not finished. */
export const PARTIAL_SUFFIX = '.partial';
const DIRECTORY_SUFFIX = '.sgp';

async function removeFiles(folder: string, isUnwanted: (name: string) => boolean): Promise<void> {
  const names = (await readdir(folder)).filter(isUnwanted);
  await Promise.all(names.map((name) => rm(join(folder, name), { force: true })));
}

/** Removes what importers that died have left. Only for who holds the lock, whose own files are not there yet. */
export const removePartialFiles = (folder: string) =>
  removeFiles(folder, (name) => name.endsWith(PARTIAL_SUFFIX) && !name.startsWith('lock-'));

/** Removes the directories that are no longer in use. */
export const removeOtherDirectories = (folder: string, current: string) =>
  removeFiles(folder, (name) => name.endsWith(DIRECTORY_SUFFIX) && name !== current);
