/** Pages that the guard answers itself, without any network: a browser that gets one came through the guard. */
export class ProbeSite {
  readonly #bodies = new Map<string, string>();

  /** Serves this text at these http addresses, whatever the policy says of their hosts, until the returned function is called. */
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

/** The pages that every lane leads to, whatever the policy says of their hosts. */
export class OwnPages {
  readonly probeSite = new ProbeSite();
  readonly #allowed = new Set<string>();

  /** Lets this one http address be fetched: it must be public to everyone. */
  allow(url: string): void {
    this.#allowed.add(url);
  }

  isAllowed(href: string): boolean {
    return this.#allowed.has(href);
  }
}
