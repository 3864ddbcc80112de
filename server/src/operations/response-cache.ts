import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';

interface Entry<Answer> {
  readonly answer: Answer;
  readonly atMs: number;
}

interface ResponseCacheOptions<Answer> {
  readonly maxBytes: number;
  readonly bytesOf: (answer: Answer) => number;
  readonly monotonicMs: () => number;
}

/** Bytes of memory that an entry takes in addition to its response. */
const BYTES_OF_ENTRY = 500;

/**
 * The cache key: the account first, so that its entries can be dropped together, then a digest, so that the request
 * itself is not stored.
 */
const nameOf = (accountId: string, request: unknown) =>
  `${accountId} ${createHash('sha256').update(JSON.stringify(request)).digest('base64')}`;

/** A cache of responses in memory, by account and exact request. */
export class ResponseCache<Answer> {
  readonly #entries: LRUCache<string, Entry<Answer>>;

  readonly #options: ResponseCacheOptions<Answer>;

  constructor(options: ResponseCacheOptions<Answer>) {
    this.#options = options;
    const { maxBytes, bytesOf, monotonicMs } = options;
    this.#entries = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ answer }) => bytesOf(answer) + BYTES_OF_ENTRY,
      ttlAutopurge: true,
      ttlResolution: 0,
      perf: { now: monotonicMs },
    });
  }

  /** The cached response and its age; undefined if there is none that is at most `maxAgeMs` old. */
  find(
    accountId: string,
    request: unknown,
    maxAgeMs: number,
  ): { readonly answer: Answer; readonly ageMs: number } | undefined {
    const entry = this.#entries.get(nameOf(accountId, request));
    if (entry === undefined) return undefined;
    const ageMs = this.#options.monotonicMs() - entry.atMs;
    return ageMs <= maxAgeMs ? { answer: entry.answer, ageMs } : undefined;
  }

  keep(accountId: string, request: unknown, answer: Answer, forMs: number): void {
    const entry = { answer, atMs: this.#options.monotonicMs() };
    this.#entries.set(nameOf(accountId, request), entry, { ttl: forMs });
  }

  drop(accountId: string, request: unknown): void {
    this.#entries.delete(nameOf(accountId, request));
  }

  /** The accounts with cached responses. */
  accountIds(): string[] {
    return [...new Set([...this.#entries.keys()].map((name) => name.slice(0, name.indexOf(' '))))];
  }

  /** Drops all cached responses of an account. */
  forget(accountId: string): void {
    for (const name of [...this.#entries.keys()])
      if (name.startsWith(`${accountId} `)) this.#entries.delete(name);
  }
}
