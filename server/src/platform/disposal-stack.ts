/** Closes opened resources in reverse order. */
export class DisposalStack {
  readonly #closers: (() => unknown)[] = [];

  add(close: () => unknown): void {
    this.#closers.push(close);
  }

  /** Waits until all are open or have failed. Throws the error of the first one that failed. */
  async addAll(opening: readonly Promise<{ close(): unknown }>[]): Promise<void> {
    const outcomes = await Promise.allSettled(opening);
    for (const outcome of outcomes) if (outcome.status === 'fulfilled') this.add(() => outcome.value.close());
    await Promise.all(opening);
  }

  /** Closes all of them, even if some fail, and throws the first error. */
  async close(): Promise<void> {
    const errors: unknown[] = [];
    for (const close of this.#closers.splice(0).toReversed()) {
      try {
        await close();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}
