import { chmod, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '../../make-folder.js';

const ownerOnlyFile = 0o600;
const othersMask = 0o077;

/** Takes a file's access away from others; a file that does not exist is fine. */
async function closeToOthers(path: string): Promise<void> {
  const mode = await stat(path).then(
    (stats) => stats.mode,
    () => 0,
  );
  if ((mode & othersMask) !== 0) await chmod(path, ownerOnlyFile);
}

/**
 * Makes sure that a database file and its folder exist and that the owner alone can read the file. SQLite gives
 * the files that it puts beside a database the database's own mode.
 */
export async function prepareSqliteFile(file: string): Promise<void> {
  await makeFolder(dirname(file));
  const handle = await open(file, 'a', ownerOnlyFile);
  await handle.close();
  for (const suffix of ['', '-wal', '-shm']) await closeToOthers(file + suffix);
}
