import { readdir, readFile } from 'node:fs/promises';

/** Linux counts in hundredths of a second for programs, whatever its own clock. */
const MS_PER_TICK = 10;

interface ProcessTime {
  readonly pid: number;
  readonly parent: number;
  readonly ms: number;
}

async function readProcess(pid: number): Promise<ProcessTime | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The name, in brackets, may hold anything; what follows it is numbers.
  const [, parent, ...rest] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  if (parent === undefined) return undefined;
  // Its own time and that of children that have ended, in user and in kernel mode.
  const ticks = rest.slice(9, 13).reduce((sum, field) => sum + Number(field), 0);
  return { pid, parent: Number(parent), ms: ticks * MS_PER_TICK };
}

/** Processor time that these processes and their descendants have used, in ms; undefined where there is no /proc. */
export async function cpuTimeMs(pids: readonly number[]): Promise<number | undefined> {
  const names = await readdir('/proc').catch(() => []);
  const found = await Promise.all(
    names.filter((name) => /^\d+$/u.test(name)).map((name) => readProcess(Number(name))),
  );
  const processes = found.filter((one) => one !== undefined);
  if (processes.length === 0) return undefined;
  const wanted = new Set(pids);
  for (let before = -1; before !== wanted.size;) {
    before = wanted.size;
    for (const { pid, parent } of processes) if (wanted.has(parent)) wanted.add(pid);
  }
  return processes.reduce((sum, { pid, ms }) => (wanted.has(pid) ? sum + ms : sum), 0);
}
