import { readdir, readFile } from 'node:fs/promises';

/** A process as the kernel tells it apart from a later one with the same number. */
interface Seen {
  readonly pid: number;
  readonly parent: number;
  readonly startedAtTicks: string;
}

/** What /proc says of one process; undefined where it has ended, or only waits to be reaped. */
async function look(pid: number): Promise<Seen | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name in brackets may hold anything; the fields follow its last bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent] = fields;
  const startedAtTicks = fields[19];
  if (parent === undefined || startedAtTicks === undefined || state === 'Z') return undefined;
  return { pid, parent: Number(parent), startedAtTicks };
}

async function everyProcess(): Promise<readonly Seen[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/u.test(name));
  const seen = await Promise.all(names.map((name) => look(Number(name))));
  return seen.filter((one) => one !== undefined);
}

/** Every process that this one started, and those that they started (Linux). */
export async function descendantsOf(pid: number): Promise<readonly Seen[]> {
  const all = await everyProcess();
  const below = (parent: number): readonly Seen[] =>
    all.filter((one) => one.parent === parent).flatMap((child) => [child, ...below(child.pid)]);
  return below(pid);
}

/** Those of these processes that still run. */
export async function stillRunning(processes: readonly Seen[]): Promise<readonly Seen[]> {
  const now = await Promise.all(processes.map(({ pid }) => look(pid)));
  return processes.filter((one, index) => now[index]?.startedAtTicks === one.startedAtTicks);
}
