import { readdir, readFile } from 'node:fs/promises';

/** The state and parent of a process; undefined if there is no process with this id (Linux). */
async function stateOf(pid: number) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return parent === undefined ? undefined : { state, parent: Number(parent) };
}

/** How many children of the process with this id have ended without being reaped (Linux). */
export async function zombiesOf(pid: number): Promise<number> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/u.test(name));
  const seen = await Promise.all(names.map((name) => stateOf(Number(name))));
  return seen.filter((process) => process?.state === 'Z' && process.parent === pid).length;
}
