import { readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { reasonOf, ServiceError } from '../platform/errors.js';
import { makeFolder } from '../platform/folders.js';
import { DAY_MS } from '../platform/time-units.js';

const stampOf = (timeMs: number) => `${new Date(timeMs).toISOString().slice(0, 19).replaceAll(':', '')}Z`;

/** The file name of a backup made at this time, to the second. The names sort by time. */
export const backupName = (timeMs: number): string => `signpost-${stampOf(timeMs)}.backup`;

const NAME = /^signpost-\d{4}-\d\d-\d\dT\d{6}Z\.backup$/u;
const DRAFT = /^signpost-\d{4}-\d\d-\d\dT\d{6}Z\.backup\.[0-9a-f]{8}\.partial$/u;

/** Creates the folder for backups if it does not exist. Throws a ServiceError if that fails. */
export async function makeBackupFolder(folder: string): Promise<void> {
  await makeFolder(folder).catch((cause: unknown) => {
    throw new ServiceError(
      'invalidRequest',
      `The folder ${folder} for backups cannot be made: ${reasonOf(cause)}. With --keep, name a folder that this user ` +
        'may write to.',
      { cause },
    );
  });
}

/**
 * Removes an old backup or an unfinished one. The new backup is already written, so the error says that only the
 * removal failed.
 */
async function remove(path: string): Promise<void> {
  await unlink(path).catch((cause: unknown) => {
    throw new ServiceError(
      'invalidRequest',
      `The backup was written, but the old one ${path} cannot be removed: ${reasonOf(cause)}. Give this user the right ` +
        'to write in its folder, or remove it yourself.',
      { cause },
    );
  });
}

/**
 * Keeps the newest `keep` backups of a folder, always including the one of `nowMs`, and removes the older ones. Also
 * removes unfinished files that killed backups left behind more than a day ago, but no other files. Returns the names
 * of the removed backups. Throws a ServiceError if a file cannot be removed.
 */
export async function removeOldBackups(folder: string, keep: number, nowMs: number): Promise<string[]> {
  const names = await readdir(folder);
  const current = backupName(nowMs);
  const others = names.filter((name) => NAME.test(name) && name !== current);
  const old = others
    .toSorted()
    .toReversed()
    .slice(Math.max(0, keep - 1));
  const leftovers = names.filter((name) => DRAFT.test(name) && name < backupName(nowMs - DAY_MS));
  for (const name of [...old, ...leftovers]) await remove(join(folder, name));
  return old.toReversed();
}
