/**
 * Those who were refused try again one after another, in the order in which they were; whoever is new waits behind
 * them. So a limit that lets five through per minute is asked by one at a time, and not by all at each turn.
 */
export class WaitingLane {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs the task when those before it have ended. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => undefined);
    return await result;
  }

  /** Resolves when nobody waits. */
  async clear(): Promise<void> {
    for (let seen: unknown; seen !== this.#last;) {
      seen = this.#last;
      await this.#last;
    }
  }
}
