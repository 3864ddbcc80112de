import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

export interface ProcessMemory {
  readonly pid: number;
  /** What it has for itself or shares with other processes, swapped out or not; without the program's own files. */
  readonly bytes: number;
}

/** The processes of a browser, as the system shows them. */
export interface Processes {
  /** This process and all that it has started. */
  tree(root: number): readonly ProcessMemory[];
  /** Whether pages run in it. */
  isRenderer(pid: number): boolean;
  /** The processor time that one has had, in hundredths of a second; 0 where it has ended. */
  ticks(pid: number): number;
  kill(pid: number): void;
  /** Has one do nothing until it may go on. */
  stop(pid: number): void;
  goOn(pid: number): void;
  /** Has the system, where it runs out of memory, end this process rather than the server. */
  offerToSystem(pid: number): void;
}

const BYTES_PER_KB = 1024;
const OWN_MEMORY = /^(?:RssAnon|RssShmem|VmSwap):\s+(\d+) kB$/gmu;
/** What Chromium gives its renderers: among equals the largest is the first to be ended. */
const OUT_OF_MEMORY_SCORE = '300';

/** The text of a file about a process, empty where the process has ended. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

const TICKS = /\) \S+ (?:\S+ ){10}(\d+) (\d+) /u;

/** 0 also where the system does not show it. */
export function processorTicks(pid: number): number {
  const [, ofItself = 0, ofSystem = 0] = TICKS.exec(textOf(`/proc/${pid}/stat`)) ?? [];
  return Number(ofItself) + Number(ofSystem);
}

/** The threads by which a process starts others: of one that is no browser only the first does. */
function threadsOf(pid: number, isRoot: boolean): readonly string[] {
  if (!isRoot) return [String(pid)];
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

const childrenOf = (pid: number, isRoot: boolean): readonly number[] =>
  threadsOf(pid, isRoot)
    .flatMap((thread) => textOf(`/proc/${pid}/task/${thread}/children`).split(' '))
    .filter((child) => child !== '')
    .map(Number);

const ownBytes = (pid: number): number =>
  [...textOf(`/proc/${pid}/status`).matchAll(OWN_MEMORY)].reduce(
    (sum, [, kilobytes]) => sum + Number(kilobytes) * BYTES_PER_KB,
    0,
  );

function treeOf(pid: number, isRoot: boolean): ProcessMemory[] {
  const children = childrenOf(pid, isRoot).flatMap((child) => treeOf(child, false));
  return [{ pid, bytes: ownBytes(pid) }, ...children];
}

/** Whether this system shows what processes take, and whose they are: Linux alone does. */
export const showsProcesses = (): boolean => existsSync(`/proc/self/task/${process.pid}/children`);

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended by itself.
  }
}

/** Those of Linux. Its files are read at once: each takes some microseconds, and far less than to be waited for. */
export const linuxProcesses: Processes = {
  tree: (root) => treeOf(root, true),
  isRenderer: (pid) => textOf(`/proc/${pid}/cmdline`).includes('--type=renderer'),
  ticks: processorTicks,
  kill: (pid) => signal(pid, 'SIGKILL'),
  stop: (pid) => signal(pid, 'SIGSTOP'),
  goOn: (pid) => signal(pid, 'SIGCONT'),
  offerToSystem(pid) {
    try {
      writeFileSync(`/proc/${pid}/oom_score_adj`, OUT_OF_MEMORY_SCORE);
    } catch {
      // Where the system does not let us, it chooses by itself.
    }
  },
};
