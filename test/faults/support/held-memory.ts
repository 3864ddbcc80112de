import { join } from 'node:path';
import type { SignpostServer } from '../../fixtures/signpost-server.js';
import { waitUntil } from '../../fixtures/wait-until.js';
import { residentBytes, settled } from './process-figures.js';

/** The one that answers, and the one that takes captures. */
const THREADS = 2;

/** What a server is to be started with, for its memory to be told by `heldBytes`. */
export const WITH_HELD_MEMORY = {
  NODE_OPTIONS: `--require ${JSON.stringify(join(import.meta.dirname, 'collect-garbage.cjs'))}`,
  // glibc gives a large buffer that is freed back to the system, however large those before it were.
  MALLOC_MMAP_THRESHOLD_: '131072',
} as const;

/** What the first one finds to be garbage holds files and pictures that the next one lets go. */
const ROUNDS = 3;

const collections = (server: SignpostServer) => server.output().split('Garbage was collected.').length - 1;

/** Resident memory of a server in bytes, once all its threads have collected their garbage (Linux). */
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
