import { join } from 'node:path';
import type { SignpostServer } from '../../fixtures/signpost-server.js';
import { waitUntil } from '../../fixtures/wait-until.js';
import { residentBytes, settled } from './process-figures.js';

/** The main thread and the capture thread. */
const THREADS = 2;

/** Variables to start a server with, so that `heldBytes` can measure its memory. */
export const WITH_HELD_MEMORY = {
  NODE_OPTIONS: `--require ${JSON.stringify(join(import.meta.dirname, 'collect-garbage.cjs'))}`,
  // Otherwise glibc raises this threshold when large buffers are freed, and keeps later ones instead of returning them
  // to the system.
  MALLOC_MMAP_THRESHOLD_: '131072',
} as const;

/** Objects freed in the first round may hold buffers that are only released in the next. */
const ROUNDS = 3;

const collections = (server: SignpostServer) => server.output().split('Garbage was collected.').length - 1;

/** Resident memory of a server in bytes, after all its threads have collected their garbage (Linux). */
export async function heldBytes(server: SignpostServer): Promise<number> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = collections(server);
    server.process.kill('SIGWINCH');
    await waitUntil(
      'its threads have collected their garbage',
      () => collections(server) >= before + THREADS,
    );
  }
  return settled(() => residentBytes(server.process.pid ?? 0));
}
