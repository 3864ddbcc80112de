import { mkdir, mkdtemp, open, readdir, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { errorCode, ServiceError } from './errors.js';

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

/** Makes renames in a folder outlast a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export interface DiskSpace {
  /** What this user may still write. */
  readonly freeBytes: number;
  readonly sizeBytes: number;
}

/** How much room the disk of a folder has; undefined where that cannot be told. */
export async function readDiskSpace(folder: string): Promise<DiskSpace | undefined> {
  const stats = await statfs(folder).catch(() => undefined);
  if (stats === undefined) return undefined;
  return { freeBytes: stats.bavail * stats.bsize, sizeBytes: stats.blocks * stats.bsize };
}

const PREFIX = 'signpost-server-';
/** The names that `mkdtemp` gives below, and nobody else's. */
const NAME = /^signpost-server-(\d+)-\w{6}$/u;

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** Removes what servers that were killed have left; a number that is ours now was another's, as in containers. */
async function removeStale(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = Number(NAME.exec(name)?.[1]);
    if (Number.isNaN(pid) || (pid !== process.pid && isRunning(pid))) continue;
    // Another user's folder is theirs to remove.
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

const cannotUse = (parent: string, cause: unknown) =>
  new ServiceError(
    'internal',
    `The folder for temporary files, ${parent}, cannot be used (${errorCode(cause)}). Set TMPDIR to one that this user ` +
      'may write to.',
    { cause },
  );

/**
 * Gives a server's temporary files, the browser's profile among them, a folder of their own: `remove` leaves nothing
 * behind, and what a killed server left is removed by the next. Throws a ServiceError where there can be none.
 */
export async function useOwnTemporaryFolder(host: NodeJS.Process): Promise<{ remove: () => Promise<void> }> {
  const parent = tmpdir();
  const folder = await removeStale(parent)
    .then(() => mkdtemp(join(parent, `${PREFIX}${host.pid}-`)))
    .catch((error: unknown) => {
      throw cannotUse(parent, error);
    });
  host.env.TMPDIR = folder;
  host.env.TEMP = folder;
  host.env.TMP = folder;
  return { remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }) };
}
