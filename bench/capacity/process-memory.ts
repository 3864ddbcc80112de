import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { descendantsOf } from '../cpu-time.js';
import { percentile } from '../figures.js';

const SAMPLE_EVERY_MS = 100;
const KB_PER_MB = 1_024;

/** The memory of a process in MB; memory shared by several processes is divided among them. 0 if it has ended. */
async function megabytesOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+) kB$/mu.exec(text)?.[1] ?? 0) / KB_PER_MB;
}

/** Memory in MB of these processes and their descendants, except those in `without` and their descendants. */
export async function treeMegabytes(
  pids: readonly number[],
  without: readonly number[] = [],
): Promise<number> {
  const left = new Set(await descendantsOf(without));
  const found = (await descendantsOf(pids)).filter((pid) => !left.has(pid));
  const each = await Promise.all(found.map(megabytesOf));
  return each.reduce((sum, megabytes) => sum + megabytes, 0);
}

/** Samples the memory while the work runs. Returns the 95th percentile. */
export async function memoryDuring(look: () => Promise<number>, work: () => Promise<void>): Promise<number> {
  const found: number[] = [];
  const over = new AbortController();
  const looking = (async () => {
    while (!over.signal.aborted) {
      found.push(await look());
      await pause(SAMPLE_EVERY_MS);
    }
  })();
  await work().finally(() => over.abort());
  await looking;
  return percentile(found, 0.95);
}
