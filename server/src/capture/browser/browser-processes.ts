import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

export interface ProcessMemory {
  readonly pid: number;
  /** Private and shared memory, including swapped-out memory, without the files of the program itself. */
  readonly bytes: number;
}

/** Reads and controls the processes of a browser. */
export interface Processes {
  /** A process and all its descendants. */
  tree(root: number): readonly ProcessMemory[];
  /** Whether the process runs pages. */
  isRenderer(pid: number): boolean;
  /** The processor time of a process, in hundredths of a second; 0 if it has ended. */
  ticks(pid: number): number;
  kill(pid: number): void;
  /** Suspends a process until `resume` is called. */
  suspend(pid: number): void;
  resume(pid: number): void;
  /** Asks the system to end this process rather than the server if memory runs out. */
  preferForOomKill(pid: number): void;
}

const BYTES_PER_KB = 1024;
const OWN_MEMORY = /^(?:RssAnon|RssShmem|VmSwap):\s+(\d+) kB$/gmu;
/**
 * The `oom_score_adj` of a process that the system should end rather than the server. Chromium gives its renderers the
 * same: of processes with the same value, the system ends the largest first.
 */
const OUT_OF_MEMORY_SCORE = '300';

/** The content of a file about a process; empty if it cannot be read, as after the process has ended. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

const TICKS = /\) \S+ (?:\S+ ){10}(\d+) (\d+) /u;

/** The processor time of a process, in hundredths of a second; 0 if the system does not report it. */
export function processorTicks(pid: number): number {
  const [, ofItself = 0, ofSystem = 0] = TICKS.exec(textOf(`/proc/${pid}/stat`)) ?? [];
  return Number(ofItself) + Number(ofSystem);
}

/**
 * The threads of a process that may have started other processes: in the browser itself all threads, otherwise only
 * the first one.
 */
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

/** Whether the system reports the memory and the children of processes. Only Linux does. */
export const showsProcesses = (): boolean => existsSync(`/proc/self/task/${process.pid}/children`);

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has already ended.
  }
}

/** The processes on Linux. Files are read synchronously, because that is faster than awaiting each. */
export const linuxProcesses: Processes = {
  tree: (root) => treeOf(root, true),
  isRenderer: (pid) => textOf(`/proc/${pid}/cmdline`).includes('--type=renderer'),
  ticks: processorTicks,
  kill: (pid) => signal(pid, 'SIGKILL'),
  suspend: (pid) => signal(pid, 'SIGSTOP'),
  resume: (pid) => signal(pid, 'SIGCONT'),
  preferForOomKill(pid) {
    try {
      writeFileSync(`/proc/${pid}/oom_score_adj`, OUT_OF_MEMORY_SCORE);
    } catch {
      // Without the permission, the system chooses which process to end.
    }
  },
};
