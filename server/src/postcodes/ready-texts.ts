/** Bytes that a copy by words may read or write beyond the end. */
export const OVERSHOOT_BYTES = 4;

/** Where a text begins and ends. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

const beyondOneByte = /[^\0-\xff]/gu;
const escaped = (character: string) =>
  Array.from(
    { length: character.length },
    (_, index) => String.raw`\u` + character.charCodeAt(index).toString(16).padStart(4, '0'),
  ).join('');

/** A value as JSON of characters that take one byte each; others, which no name has had so far, are escaped. */
export const oneByteJson = (value: string | null) => JSON.stringify(value).replace(beyondOneByte, escaped);

/** Texts of one byte a character that are kept as bytes, one after the other, ready to be copied. */
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
    this.#length += text.length;
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
    bytes.write(this.#texts.join(''), 'latin1');
    this.#bytes = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#texts = [];
  }
}
