import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const FILLER_STEPS_BYTES = [65_536, 4_096];

/** A small disk in memory for one test. */
export interface SmallDisk {
  readonly folder: string;
  /** Fills the disk, except for `freeBytes`. */
  fill(freeBytes?: number): Promise<void>;
  /** Frees the space again. */
  makeRoom(): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Mounts a small disk. Returns the reason in words if this machine or user cannot do that (it needs Linux and root).
 */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk | string> {
  if (process.getuid?.() !== 0) return 'only root can mount a disk of its own';
  const folder = await mkdtemp(join(tmpdir(), 'signpost-small-disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  } catch (error) {
    await rm(folder, { recursive: true });
    return `a disk of its own cannot be mounted here: ${error instanceof Error ? error.message : String(error)}`;
  }
  const filler = join(folder, 'filler');
  return {
    folder,
    async fill(freeBytes = 0) {
      const handle = await open(filler, 'a');
      for (const step of FILLER_STEPS_BYTES) {
        const bytes = Buffer.alloc(step);
        // Stops at the error of a full disk.
        while (
          await handle.write(bytes).then(
            ({ bytesWritten }) => bytesWritten === step,
            () => false,
          )
        );
      }
      const { size } = await handle.stat();
      await handle.truncate(Math.max(0, size - freeBytes));
      await handle.close();
    },
    makeRoom: () => rm(filler, { force: true }),
    async remove() {
      // Lazily, because a failed test may have left a server running on it.
      await run('umount', ['-l', folder]);
      await rm(folder, { recursive: true });
    },
  };
}
