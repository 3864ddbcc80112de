import { open, rm, type FileHandle } from 'node:fs/promises';

const FLUSHED_BYTES = 1024 * 1024;
const ROWS_PER_BLOCK = 16_384;

/**
 * Collects rows of fixed length in a temporary file until the directory is written, because they would take too much
 * memory.
 */
export class DetailSpool {
  readonly #file: FileHandle;
  readonly #path: string;
  #pending = Buffer.alloc(2 * FLUSHED_BYTES);
  #view = new DataView(this.#pending.buffer);
  #length = 0;

  constructor(file: FileHandle, path: string) {
    this.#file = file;
    this.#path = path;
  }

  static async create(path: string): Promise<DetailSpool> {
    return new DetailSpool(await open(path, 'wx+'), path);
  }

  /** The bytes that have not been written yet. Get it after each call of `next`, which may replace it. */
  get pending(): DataView {
    return this.#view;
  }

  /** Reserves a zeroed row. Returns its offset in `pending`. */
  next(rowBytes: number): number {
    const start = this.#length;
    this.#length += rowBytes;
    if (this.#length > this.#pending.length) {
      const larger = Buffer.alloc(2 * this.#length);
      this.#pending.copy(larger, 0, 0, start);
      this.#pending = larger;
      this.#view = new DataView(larger.buffer);
    }
    return start;
  }

  /** Writes the pending bytes to the file if there are at least FLUSHED_BYTES, or if `isEnd`. */
  async flush(isEnd = false): Promise<void> {
    if (!isEnd && this.#length < FLUSHED_BYTES) return;
    const written = this.#pending.subarray(0, this.#length);
    await this.#file.writeFile(written);
    written.fill(0);
    this.#length = 0;
  }

  /**
   * Yields the bytes of `count` rows, up to ROWS_PER_BLOCK at once, in the given order or, without one, as they were
   * added.
   */
  async *rows(count: number, order: Uint32Array | undefined, rowBytes: number): AsyncGenerator<Buffer> {
    await this.flush(true);
    const added = (row: number) => (order === undefined ? row : (order[row] ?? 0));
    for (let from = 0; from < count; from += ROWS_PER_BLOCK) {
      const to = Math.min(from + ROWS_PER_BLOCK, count);
      const block = Buffer.alloc((to - from) * rowBytes);
      for (let start = from; start < to;) {
        const first = added(start);
        let end = start + 1;
        while (end < to && added(end) === first + end - start) end += 1;
        await this.#file.read(block, (start - from) * rowBytes, (end - start) * rowBytes, first * rowBytes);
        start = end;
      }
      yield block;
    }
  }

  async remove(): Promise<void> {
    await this.#file.close();
    await rm(this.#path, { force: true });
  }
}
