import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from './errors.js';

const OWNER_ONLY = 0o700;

const isFolder = (path: string) =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );

/**
 * Makes a folder for its owner alone, with those that it lies in, where it is not there. Node's own way tries for ever
 * where a folder that exists takes no new ones and says that it does not exist, as /proc does.
 */
export async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeFolder(parent);
  await mkdir(path, { mode: OWNER_ONLY }).catch(async (error: unknown) => {
    // Another process may have been faster.
    if (errorCode(error) !== 'EEXIST' || !(await isFolder(path))) throw error;
  });
}
