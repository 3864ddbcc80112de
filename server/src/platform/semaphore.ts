interface SemaphoreOptions {
  /** How many work at the same time. */
  readonly permits: number;
  /** How many may wait for a permit. */
  readonly maxWaiting: number;
  /** What a caller is told who finds no room to wait. */
  readonly tooManyWaiting: () => Error;
}

/** Lets so many work at the same time; the others wait, first come, first served. */
export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(private readonly options: SemaphoreOptions) {
    this.#free = options.permits;
  }

  /** Does the work when its turn has come; throws at once where too many wait already. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#acquire();
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  #acquire(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve();
    }
    const { maxWaiting, tooManyWaiting } = this.options;
    if (this.#waiting.length >= maxWaiting) return Promise.reject(tooManyWaiting());
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** The permit goes to the next that waits, so that nobody who comes meanwhile is before it. */
  #release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
