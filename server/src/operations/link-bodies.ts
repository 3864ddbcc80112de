import { LRUCache } from 'lru-cache';
import type { LinkedCapture } from '../links/find-link.js';
import { isWhole, readChunk } from '../links/link-captures.js';
import { MINUTE_MS } from '../platform/time-units.js';
import type { Database } from '../storage/storage.js';

const MEMORY_BYTES = 64_000_000;
/**
 * A chunk stays in memory for at most this long, so that the captures of deleted accounts soon disappear from memory.
 */
const MEMORY_MS = MINUTE_MS;

/** The bytes of a capture: its only chunk, or the sequence of its chunks. */
export type LinkBody = Buffer | AsyncIterable<Buffer>;

interface LinkBodiesDeps {
  readonly db: Database;
  readonly monotonicMs: () => number;
}

/**
 * Reads the captures of links in chunks, so that each request needs the memory of a chunk or two, however large the
 * capture is. Concurrent readers of a chunk share one read and one copy.
 */
export class LinkBodies {
  readonly #db: Database;
  readonly #chunks: LRUCache<string, Buffer>;
  /** The reads in progress. A chunk never changes, so later callers can share them. */
  readonly #reads = new Map<string, Promise<Buffer | undefined>>();

  constructor({ db, monotonicMs }: LinkBodiesDeps) {
    this.#db = db;
    this.#chunks = new LRUCache({
      maxSize: MEMORY_BYTES,
      sizeCalculation: (chunk) => Math.max(1, chunk.length),
      ttl: MEMORY_MS,
      ttlAutopurge: true,
      perf: { now: monotonicMs },
    });
  }

  /**
   * Returns the bytes of a capture, in chunks if it has more than one. Unless the first chunk is in memory, checks that
   * the database has all chunks, and returns undefined if it lacks any. Reading a later chunk throws if it is in
   * neither memory nor the database, as after the capture was replaced.
   */
  async open(capture: LinkedCapture): Promise<LinkBody | undefined> {
    const first = await this.#chunk(capture, 0);
    return first === undefined || first.length === capture.bytes ? first : this.#following(first, capture);
  }

  async *#following(first: Buffer, capture: LinkedCapture): AsyncGenerator<Buffer> {
    yield first;
    let sent = first.length;
    for (let number = 1; sent < capture.bytes; number += 1) {
      const chunk = await this.#chunk(capture, number);
      if (chunk === undefined) throw new Error('The capture of a link was replaced while it was sent.');
      yield chunk;
      sent += chunk.length;
    }
  }

  async #chunk(capture: LinkedCapture, number: number): Promise<Buffer | undefined> {
    const cacheKey = `${capture.id}/${number}`;
    const known = this.#chunks.get(cacheKey) ?? this.#reads.get(cacheKey);
    if (known !== undefined) return known;
    const reading = this.#read(capture, number, cacheKey).finally(() => this.#reads.delete(cacheKey));
    this.#reads.set(cacheKey, reading);
    return reading;
  }

  async #read(capture: LinkedCapture, number: number, cacheKey: string): Promise<Buffer | undefined> {
    if (number === 0 && !(await isWhole(this.#db, capture))) return undefined;
    const chunk = await readChunk(this.#db, capture, number);
    if (chunk !== undefined) this.#chunks.set(cacheKey, chunk);
    return chunk;
  }
}
