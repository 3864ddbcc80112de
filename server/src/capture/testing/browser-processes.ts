import { readdir, readFile } from 'node:fs/promises';

export interface BrowserProcess {
  readonly pid: number;
  readonly commandLine: string;
}

interface KnownProcess extends BrowserProcess {
  readonly parent: number;
}

/** Every process of this machine, from Linux's /proc. */
async function allProcesses(): Promise<KnownProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/u.test(name)).map(Number);
  const found = await Promise.all(
    pids.map(async (pid) => {
      try {
        const status = await readFile(`/proc/${pid}/status`, 'utf8');
        // A process that has ended and waits to be collected has let go of everything already.
        if (/^State:\tZ/mu.test(status)) return [];
        const parent = Number(/^PPid:\t(\d+)/mu.exec(status)?.[1]);
        const commandLine = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ');
        return [{ pid, parent, commandLine }];
      } catch {
        return [];
      }
    }),
  );
  return found.flat();
}

/** The browser's processes that this process has started, itself or through another. */
export async function browserProcesses(): Promise<BrowserProcess[]> {
  const all = await allProcesses();
  const children = (parent: number): KnownProcess[] =>
    all
      .filter((candidate) => candidate.parent === parent)
      .flatMap((child) => [child, ...children(child.pid)]);
  return children(process.pid).filter(({ commandLine }) => /chrom|headless/u.test(commandLine));
}

/** The folder of the browser's profile, from its command line. */
export const profileFolders = (processes: readonly BrowserProcess[]): string[] => [
  ...new Set(processes.flatMap(({ commandLine }) => /--user-data-dir=(\S+)/u.exec(commandLine)?.[1] ?? [])),
];
