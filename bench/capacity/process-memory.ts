import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { descendantsOf } from '../cpu-time.js';
import { percentile } from '../figures.js';

const SAMPLE_EVERY_MS = 100;
const KB_PER_MB = 1_024;

/** The memory of a process in MB of 1,024 KB, with its part of shared memory; 0 if it cannot be read. */
async function megabytesOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+) kB$/mu.exec(text)?.[1] ?? 0) / KB_PER_MB;
}

/** Memory in MB of these processes and their descendants, except those in `without` and their descendants. */
export async function treeMegabytes(
  pids: readonly number[],
  without: readonly number[] = [],
): Promise<number> {
  const excluded = new Set(await descendantsOf(without));
  const included = (await descendantsOf(pids)).filter((pid) => !excluded.has(pid));
  const each = await Promise.all(included.map(megabytesOf));
  return each.reduce((sum, megabytes) => sum + megabytes, 0);
}

/** Calls `measure` again and again while `work` runs. Returns the 95th percentile of the results. */
export async function memoryDuring(
  measure: () => Promise<number>,
  work: () => Promise<void>,
): Promise<number> {
  const samples: number[] = [];
  const finished = new AbortController();
  const sampling = (async () => {
    while (!finished.signal.aborted) {
      samples.push(await measure());
      await pause(SAMPLE_EVERY_MS);
    }
  })();
  await work().finally(() => finished.abort());
  await sampling;
  return percentile(samples, 0.95);
}
