/**
 * Which limit on waiting tasks was reached when a task was rejected: that of its caller, or that of all callers
 * together.
 */
export type FullQueue = 'caller' | 'all';

interface FairSemaphoreOptions {
  /** How many tasks may run at the same time. */
  readonly permits: number;
  readonly maxWaiting: number;
  readonly maxWaitingOfCaller: number;
  /** Makes the error for a task that may not wait, or that is dropped for a caller with fewer waiting tasks. */
  readonly tooManyWaiting: (full: FullQueue) => Error;
}

interface WaitingTask {
  readonly start: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Runs a limited number of tasks at a time. Waiting callers take turns, each with its oldest task, so that nobody waits
 * behind all tasks of somebody else. If the queue is full, the caller with the most waiting tasks loses its newest one
 * to a caller who has at least two fewer.
 */
export class FairSemaphore {
  #freePermits: number;
  #waitingCount = 0;
  /** The waiting tasks by caller. The first caller has the next turn. */
  readonly #waiting = new Map<string, WaitingTask[]>();

  readonly #options: FairSemaphoreOptions;

  constructor(options: FairSemaphoreOptions) {
    this.#options = options;
    this.#freePermits = options.permits;
  }

  /**
   * Runs a task when its turn comes. Throws the error of `tooManyWaiting` at once if the task may not wait, or later if
   * it is dropped.
   */
  async run<Result>(caller: string, task: () => Promise<Result>): Promise<Result> {
    await this.#acquire(caller);
    try {
      return await task();
    } finally {
      this.#release();
    }
  }

  #acquire(caller: string): Promise<void> {
    if (this.#freePermits > 0) {
      this.#freePermits -= 1;
      return Promise.resolve();
    }
    const callerTasks = this.#waiting.get(caller) ?? [];
    const { maxWaiting, maxWaitingOfCaller, tooManyWaiting } = this.#options;
    if (callerTasks.length >= maxWaitingOfCaller) return Promise.reject(tooManyWaiting('caller'));
    if (this.#waitingCount >= maxWaiting && !this.#dropFromLongestQueue(callerTasks.length))
      return Promise.reject(tooManyWaiting('all'));
    return new Promise((resolve, reject) => {
      callerTasks.push({ start: resolve, reject });
      this.#waiting.set(caller, callerTasks);
      this.#waitingCount += 1;
    });
  }

  /**
   * Drops the newest waiting task of the caller with the most, if that caller has at least two more than `ownCount`.
   * Returns whether it dropped one.
   */
  #dropFromLongestQueue(ownCount: number): boolean {
    const longest = [...this.#waiting.values()].reduce(
      (one, other) => (other.length > one.length ? other : one),
      [],
    );
    if (longest.length <= ownCount + 1) return false;
    this.#waitingCount -= 1;
    longest.pop()?.reject(this.#options.tooManyWaiting('all'));
    return true;
  }

  /** Passes the permit to the next caller in turn, so that no later caller overtakes. Frees it if nobody waits. */
  #release(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#freePermits += 1;
      return;
    }
    const [caller, tasks] = next;
    const first = tasks.shift();
    this.#waitingCount -= 1;
    this.#waiting.delete(caller);
    if (tasks.length > 0) this.#waiting.set(caller, tasks);
    first?.start();
  }
}
