import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const FILLER_STEPS_BYTES = [65_536, 4_096];

/** A disk of a test's own, in memory. */
export interface SmallDisk {
  readonly folder: string;
  /** Takes every byte of it but so many. */
  fill(freeBytes?: number): Promise<void>;
  /** Gives them back. */
  makeRoom(): Promise<void>;
  remove(): Promise<void>;
}

/** Mounts a small disk; answers the reason, in words, where this machine or user may not (Linux, root). */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk | string> {
  if (process.getuid?.() !== 0) return 'a disk of its own can be mounted by root alone';
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
        // Ends with the error of a full disk.
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
      // Lazily: a test that failed may have left a server on it.
      await run('umount', ['-l', folder]);
      await rm(folder, { recursive: true });
    },
  };
}
