const ZERO = 48;
const NINE = 57;
const SPACE = 32;
/** A code of the Government Statistical Service: a letter, usually, and eight digits, such as "E09000033". */
const GSS_DIGITS = 8;
const PSEUDO_DIGITS = 99_999_999;
const DIGITS_RANGE = 100_000_000;
const LONGEST_CODE = 12;

const isAlphanumeric = (byte: number) =>
  (byte >= ZERO && byte <= NINE) || (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122);

/** Numbers the distinct codes of one column in the order in which they come; 0 stands for no value. */
export class CodeColumn {
  readonly #numbers = new Map<number, number>();
  readonly #others = new Map<string, number>();
  readonly #codes: (string | null)[] = [null];
  #lastPacked = -1;
  #lastNumber = 0;

  /** The codes by number; the first entry, for no value, is null. */
  get codes(): readonly (string | null)[] {
    return this.#codes;
  }

  /** The number of the code in these bytes: 0 for a blank or a pseudo code, -1 for what cannot be a code. */
  numberOf(buffer: Buffer, start: number, end: number): number {
    let from = start;
    let to = end;
    while (from < to && buffer[from] === SPACE) from += 1;
    while (to > from && buffer[to - 1] === SPACE) to -= 1;
    if (from === to) return 0;
    const packed = to - from === GSS_DIGITS + 1 ? packGss(buffer, from) : -1;
    if (packed < 0) return this.#other(buffer, from, to);
    if (packed === this.#lastPacked) return this.#lastNumber;
    if (packed % DIGITS_RANGE === PSEUDO_DIGITS) return 0;
    let number = this.#numbers.get(packed);
    if (number === undefined) {
      number = this.#append(buffer.toString('latin1', from, to));
      this.#numbers.set(packed, number);
    }
    this.#lastPacked = packed;
    this.#lastNumber = number;
    return number;
  }

  /** The number of a text that needs no further look; null is no value. */
  numberOfText(text: string | null): number {
    if (text === null) return 0;
    const known = this.#others.get(text);
    if (known !== undefined) return known;
    const number = this.#append(text);
    this.#others.set(text, number);
    return number;
  }

  #other(buffer: Buffer, from: number, to: number): number {
    if (to - from > LONGEST_CODE) return -1;
    for (let place = from; place < to; place += 1) {
      if (!isAlphanumeric(buffer[place] ?? 0)) return -1;
    }
    return this.numberOfText(buffer.toString('latin1', from, to));
  }

  #append(code: string): number {
    this.#codes.push(code);
    return this.#codes.length - 1;
  }
}

/** A letter and eight digits as one number, -1 where the bytes are something else. */
function packGss(buffer: Buffer, from: number): number {
  const letter = buffer[from] ?? 0;
  if (letter < 65 || letter > 90) return -1;
  let packed = letter;
  for (let place = from + 1; place <= from + GSS_DIGITS; place += 1) {
    const byte = buffer[place] ?? 0;
    if (byte < ZERO || byte > NINE) return -1;
    packed = packed * 10 + byte - ZERO;
  }
  return packed;
}
