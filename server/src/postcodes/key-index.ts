import { NO_KEY, OUTCODES, outcodeOfKey } from './postcode-key.js';

/** Where in the sorted keys the first one not less than `key` is, looked for between `from` and `to`. */
export function lowerBound(keys: Uint32Array, key: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? 0) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Finds rows by their keys, which are sorted. */
export class KeyIndex {
  /** Where the rows of each outward code begin, and the end after the last. */
  readonly #starts = new Uint32Array(OUTCODES + 1);
  /** The outward codes that there are, in their order. */
  readonly outcodes: readonly number[];

  constructor(readonly keys: Uint32Array) {
    const outcodes: number[] = [];
    let outcode = -1;
    for (let row = 0; row < keys.length; row += 1) {
      const next = outcodeOfKey(keys[row] ?? 0);
      if (next === outcode) continue;
      this.#starts.fill(row, outcode + 1, next + 1);
      outcodes.push(next);
      outcode = next;
    }
    this.#starts.fill(keys.length, outcode + 1);
    this.outcodes = outcodes;
  }

  /** The row with this key; -1 where there is none, as for NO_KEY. */
  rowOf(key: number): number {
    if (key === NO_KEY) return -1;
    const outcode = outcodeOfKey(key);
    const end = this.#starts[outcode + 1] ?? 0;
    const row = lowerBound(this.keys, key, this.#starts[outcode] ?? 0, end);
    return row < end && this.keys[row] === key ? row : -1;
  }

  /** The first row whose key is not less than `key`, which may be beyond all keys. */
  firstFrom(key: number): number {
    const outcode = outcodeOfKey(key);
    if (outcode >= OUTCODES) return this.keys.length;
    return lowerBound(this.keys, key, this.#starts[outcode] ?? 0, this.#starts[outcode + 1] ?? 0);
  }
}
