/** Bytes that a copy may read or write beyond the end. */
export const OVERSHOOT_BYTES = 8;

/** Where a text begins and ends. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** How many bytes the longest of some texts takes. */
export const mostBytes = (texts: readonly string[]) =>
  texts.reduce((most, text) => Math.max(most, Buffer.byteLength(text)), 0);

/** Texts that are kept as the bytes of UTF-8, one after the other, ready to be copied. */
export class ReadyTexts {
  #texts: string[] = [];
  #length = 0;
  #bytes = new DataView(new ArrayBuffer(0));

  /** All texts that were added, once they have been closed. */
  get bytes(): DataView {
    return this.#bytes;
  }

  add(text: string): Place {
    const start = this.#length;
    this.#texts.push(text);
    this.#length += Buffer.byteLength(text);
    return { start, end: this.#length };
  }

  /** Where each of the texts begins, and the end after the last. */
  addAll(texts: readonly string[]): Uint32Array {
    const starts = new Uint32Array(texts.length + 1);
    texts.forEach((text, index) => (starts[index] = this.add(text).start));
    starts[texts.length] = this.#length;
    return starts;
  }

  close(): void {
    const bytes = Buffer.alloc(this.#length + OVERSHOOT_BYTES);
    bytes.write(this.#texts.join(''));
    this.#bytes = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#texts = [];
  }
}
