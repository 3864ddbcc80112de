/** Pages that the guard answers itself, without any network: whoever gets one came through the guard. */
export class ProbeSite {
  readonly #bodies = new Map<string, string>();

  /** Answers this text at these http addresses, whatever the policy says of their hosts, until the end is called. */
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
