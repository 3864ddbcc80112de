import { readdir, readFile } from 'node:fs/promises';
import { descendantsOf } from '../../fixtures/processes.js';

const KIB = 1_024;
const SAMPLES = 5;
const BETWEEN_SAMPLES_MS = 200;

export const mebibytes = (bytes: number) => `${(bytes / KIB / KIB).toFixed(0)} MiB`;

export const median = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

async function kibibytesOf(file: string, field: string): Promise<number> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'mu').exec(text)?.[1] ?? 0);
}

/** Resident memory of one process in bytes (Linux). */
export const residentBytes = async (pid: number) => (await kibibytesOf(`/proc/${pid}/status`, 'VmRSS')) * KIB;

/**
 * Memory of all descendants of a process, in bytes (Linux). Shared memory counts once. Memory mapped from files is
 * left out, because a process's share of it grows when other processes that map the same file end.
 */
export async function descendantsBytes(pid: number): Promise<number> {
  const children = await descendantsOf(pid);
  const sizes = await Promise.all(
    children.flatMap((child) =>
      ['Pss_Anon', 'Pss_Shmem'].map((field) => kibibytesOf(`/proc/${child.pid}/smaps_rollup`, field)),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0) * KIB;
}

/** The median of several samples in a row, so that one unlucky moment does not decide. */
export async function settled(look: () => Promise<number>): Promise<number> {
  const seen: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    if (sample > 0) await new Promise((resolve) => setTimeout(resolve, BETWEEN_SAMPLES_MS));
    seen.push(await look());
  }
  return median(seen);
}

/** How many files and connections a process has open (Linux). */
export const openFilesOf = async (pid: number) => (await readdir(`/proc/${pid}/fd`)).length;

/** How many files and connections a process may have open (Linux). */
export async function openFilesLimitOf(pid: number): Promise<number> {
  const limits = await readFile(`/proc/${pid}/limits`, 'utf8');
  return Number(/^Max open files\s+(\d+)/mu.exec(limits)?.[1] ?? Infinity);
}
