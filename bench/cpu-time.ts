import { readdir, readFile } from 'node:fs/promises';
import type { Load } from './load-figures.js';
import { measureLoad } from './load.js';

/** The unit of the processor times in /proc/PID/stat, which does not depend on the kernel's internal clock. */
const MS_PER_TICK = 10;

interface ProcessTime {
  readonly pid: number;
  readonly parent: number;
  /** The processor time of this process, in user and kernel mode. */
  readonly ownMs: number;
  /** The processor time of this process and of its child processes that have ended. */
  readonly ms: number;
}

async function readProcess(pid: number): Promise<ProcessTime | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The process name, in brackets, may contain any characters. The fields follow the last bracket.
  const [, parent, ...rest] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  if (parent === undefined) return undefined;
  const msOf = (start: number, end: number) =>
    rest.slice(start, end).reduce((sum, field) => sum + Number(field), 0) * MS_PER_TICK;
  return { pid, parent: Number(parent), ownMs: msOf(9, 11), ms: msOf(9, 13) };
}

/** Processor time of one process without its children, in ms; NaN if it has ended or there is no /proc. */
export const ownCpuTimeMs = async (pid: number): Promise<number> =>
  (await readProcess(pid))?.ownMs ?? Number.NaN;

/** All processes of this machine; an empty list if there is no /proc. */
async function readProcesses(): Promise<ProcessTime[]> {
  const names = await readdir('/proc').catch(() => []);
  const found = await Promise.all(
    names.filter((name) => /^\d+$/u.test(name)).map((name) => readProcess(Number(name))),
  );
  return found.filter((one) => one !== undefined);
}

function withDescendants(pids: readonly number[], processes: readonly ProcessTime[]): Set<number> {
  const included = new Set(pids);
  for (let before = -1; before !== included.size;) {
    before = included.size;
    for (const { pid, parent } of processes) if (included.has(parent)) included.add(pid);
  }
  return included;
}

/** The ids of these processes and of their descendants. */
export const descendantsOf = async (pids: readonly number[]): Promise<readonly number[]> => [
  ...withDescendants(pids, await readProcesses()),
];

/** Processor time of these processes and their descendants, in ms; undefined if there is no /proc. */
export async function cpuTimeMs(pids: readonly number[]): Promise<number | undefined> {
  const processes = await readProcesses();
  if (processes.length === 0) return undefined;
  const included = withDescendants(pids, processes);
  return processes.reduce((sum, { pid, ms }) => (included.has(pid) ? sum + ms : sum), 0);
}

/**
 * Returns `measure`, which measures a load, and `microsecondsEach`, which returns the processor time of the load's
 * processes per response.
 */
export function withCpuTime(pidsOf: ReadonlyMap<Load, readonly number[]>) {
  const spent = new Map<Load, { cpuMs: number; answers: number }>();
  return {
    measure: async (load: Load, connections: number, seconds: number) => {
      const pids = pidsOf.get(load) ?? [];
      const [began, before] = [performance.now(), await cpuTimeMs(pids)];
      const figures = await measureLoad(load, connections, seconds);
      const answers = figures.perSecond * ((performance.now() - began) / 1000);
      const after = await cpuTimeMs(pids);
      const sum = spent.get(load) ?? { cpuMs: 0, answers: 0 };
      const cpuMs = (after ?? Number.NaN) - (before ?? Number.NaN);
      spent.set(load, { cpuMs: sum.cpuMs + cpuMs, answers: sum.answers + answers });
      return figures;
    },
    microsecondsEach(load: Load): number {
      const { cpuMs, answers } = spent.get(load) ?? { cpuMs: Number.NaN, answers: 1 };
      return (cpuMs * 1000) / answers;
    },
  };
}
