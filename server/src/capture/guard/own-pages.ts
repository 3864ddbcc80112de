/** Pages that the guard itself serves, without any network. A browser that gets one of them uses the guard. */
export class ProbeSite {
  readonly #bodies = new Map<string, string>();

  /**
   * Serves this text at these http addresses, whatever the policy says about their hosts, until the returned
   * function is called.
   */
  serve(addresses: readonly string[], text: string): () => void {
    for (const address of addresses) this.#bodies.set(new URL(address).href, text);
    return () => {
      for (const address of addresses) this.#bodies.delete(new URL(address).href);
    };
  }

  textAt(href: string): string | undefined {
    return this.#bodies.get(href);
  }
}

/** The pages that every lane may fetch, whatever the policy says about their hosts. */
export class OwnPages {
  readonly probeSite = new ProbeSite();
  readonly #allowed = new Set<string>();

  /** Allows fetching this http address, whose content must be public to everyone. */
  allow(url: string): void {
    this.#allowed.add(url);
  }

  isAllowed(href: string): boolean {
    return this.#allowed.has(href);
  }
}
