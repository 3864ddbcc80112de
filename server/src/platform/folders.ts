import { mkdir, mkdtemp, open, readdir, rm, stat, statfs } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { errorCode, reasonOf, ServiceError } from './errors.js';

const OWNER_ONLY = 0o700;

const isFolder = (path: string) =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );

/**
 * Creates a folder and its parents, readable only by their owner, unless they exist. Does not use Node's recursive
 * mkdir, which loops forever in a folder such as /proc, where creating a folder fails with "does not exist".
 */
export async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeFolder(parent);
  await mkdir(path, { mode: OWNER_ONLY }).catch(async (error: unknown) => {
    // Another process may have created it first.
    if (errorCode(error) !== 'EEXIST' || !(await isFolder(path))) throw error;
  });
}

/** The codes of errors that mean that this user or this file system cannot sync a folder. */
const CANNOT_SYNC: ReadonlySet<string> = new Set([
  'EACCES',
  'EPERM',
  'EINVAL',
  'EISDIR',
  'ENOTSUP',
  'ENOSYS',
]);

/**
 * Makes renames in a folder survive a power failure. Does nothing if this user may not read the folder or its file
 * system cannot do that.
 */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder);
    await handle.sync().finally(() => handle.close());
  } catch (error) {
    if (!CANNOT_SYNC.has(errorCode(error))) throw error;
  }
}

/**
 * The home folder of this user; undefined if HOME is unset and the system does not know the user, as in some
 * containers.
 */
export function homeFolder(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}

export interface DiskSpace {
  /** The space that this user may still use. */
  readonly freeBytes: number;
  readonly sizeBytes: number;
}

/** The space of the disk that holds a folder; undefined if it cannot be read. */
export async function readDiskSpace(folder: string): Promise<DiskSpace | undefined> {
  const stats = await statfs(folder).catch(() => undefined);
  if (stats === undefined) return undefined;
  return { freeBytes: stats.bavail * stats.bsize, sizeBytes: stats.blocks * stats.bsize };
}

const PREFIX = 'signpost-server-';
/** Matches the names that `mkdtemp` creates in `useOwnTemporaryFolder`. */
const NAME = /^signpost-server-(\d+)-\w{6}$/u;

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/**
 * Removes the temporary folders of killed servers. A folder with our own process id was left by an earlier process that
 * had the same id, as happens in containers.
 */
async function removeStale(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = Number(NAME.exec(name)?.[1]);
    if (Number.isNaN(pid) || (pid !== process.pid && isRunning(pid))) continue;
    // Folders of other users cannot be removed, so they stay.
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

const cannotUse = (parent: string, cause: unknown) =>
  new ServiceError(
    'internal',
    `The folder for temporary files, ${parent}, cannot be used: ${reasonOf(cause)}. Set TMPDIR to one that this user ` +
      'may write to.',
    { cause },
  );

/**
 * Makes a folder for a server's temporary files, including the browser's profile, and sets TMPDIR, TEMP and TMP to it.
 * `remove` of the result deletes it. Also removes the folders of killed servers. Throws a ServiceError if the system's
 * folder for temporary files cannot be read or written.
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
