import { setImmediate as nextTurn } from 'node:timers/promises';

/** Limits how many requests start in a turn of the event loop, so that other work runs in between. */
export class EventLoopPacer {
  #lastTurn: Promise<unknown> = Promise.resolve();
  /** How much of `#lastTurn` is taken, from 0 to 1. */
  #taken = 0;
  #waiting = 0;
  readonly #maxWaiting: number;

  constructor(maxWaiting: number) {
    this.#maxWaiting = maxWaiting;
  }

  /** Whether `maxWaiting` requests are waiting. `next` does not check this. */
  get isFull(): boolean {
    return this.#waiting >= this.#maxWaiting;
  }

  /** Resolves when a request may start. Up to `perTurn` such requests start in one turn. */
  async next(perTurn = 1): Promise<void> {
    this.#waiting += 1;
    this.#taken += 1 / perTurn;
    if (this.#taken > 1) {
      this.#lastTurn = this.#lastTurn.then(() => nextTurn());
      this.#taken = 1 / perTurn;
    }
    await this.#lastTurn;
    this.#waiting -= 1;
  }
}
