/** Closes resources in the reverse of the order in which they were added. */
export class DisposalStack {
  readonly #closers: (() => unknown)[] = [];

  add(close: () => unknown): void {
    this.#closers.push(close);
  }

  /**
   * Waits until each of these resources is open or has failed to open, and adds the open ones. If some have failed,
   * throws the error of the first of them in the list.
   */
  async addAll(opening: readonly Promise<{ close(): unknown }>[]): Promise<void> {
    const outcomes = await Promise.allSettled(opening);
    for (const outcome of outcomes) if (outcome.status === 'fulfilled') this.add(() => outcome.value.close());
    await Promise.all(opening);
  }

  /** Closes all resources, even if closing some of them fails, and throws the first error. */
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
