import { availableParallelism, totalmem } from 'node:os';

/** The default number of open pages for each remote browser. How many cores it has is not known. */
const OPEN_PER_ENDPOINT = 2;
/**
 * The default number of open pages per core, if the memory is enough for them. More than one, because pages that wait
 * for the network or a timer leave their core to others.
 */
const OPEN_PER_CORE = 3;
const WAITING_PER_SLOT = 4;

interface Machine {
  readonly cores: number;
  readonly memoryBytes: number;
}

function thisMachine(): Machine {
  const limit = process.constrainedMemory();
  return {
    cores: availableParallelism(),
    // A control group without a limit reports 0, or more than the machine has.
    memoryBytes: limit === 0 ? totalmem() : Math.min(limit, totalmem()),
  };
}

interface Settings {
  readonly concurrency: number | undefined;
  readonly queue: number | undefined;
  /** The number of remote browsers. */
  readonly endpoints: number;
  /** The memory that one capture may use. */
  readonly maxMemoryBytes: number;
}

/** How many captures may have a page open, how many of these may be at work, and how many may wait for a slot. */
export function captureCounts(
  { concurrency, queue, endpoints, maxMemoryBytes }: Settings,
  { cores, memoryBytes }: Machine = thisMachine(),
) {
  if (endpoints > 0) {
    const open = concurrency ?? OPEN_PER_ENDPOINT * endpoints;
    return { concurrency: open, atWork: open, queue: queue ?? WAITING_PER_SLOT * open };
  }
  const fitting = Math.min(OPEN_PER_CORE * cores, Math.floor(memoryBytes / maxMemoryBytes));
  const open = concurrency ?? Math.max(cores, fitting);
  // If the concurrency is not configured, the pages that may be open and the captures that may wait are together five
  // per core.
  const waiting = concurrency === undefined ? (1 + WAITING_PER_SLOT) * cores - open : WAITING_PER_SLOT * open;
  return { concurrency: open, atWork: Math.min(open, cores), queue: queue ?? waiting };
}
