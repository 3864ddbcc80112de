import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';

interface Kept<Answer> {
  readonly answer: Answer;
  readonly atMs: number;
}

interface KeptAnswersOptions<Answer> {
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
const nameOf = (accountId: string, asked: unknown) =>
  `${accountId} ${createHash('sha256').update(JSON.stringify(asked)).digest('base64')}`;

/** A cache of responses in memory, by account and exact request. */
export class KeptAnswers<Answer> {
  readonly #kept: LRUCache<string, Kept<Answer>>;

  readonly #options: KeptAnswersOptions<Answer>;

  constructor(options: KeptAnswersOptions<Answer>) {
    this.#options = options;
    const { maxBytes, bytesOf, monotonicMs } = options;
    this.#kept = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ answer }) => bytesOf(answer) + BYTES_OF_ENTRY,
      ttlAutopurge: true,
      ttlResolution: 0,
      perf: { now: monotonicMs },
    });
  }

  /** The cached response and its age, if it is recent enough. */
  find(
    accountId: string,
    asked: unknown,
    maxAgeMs: number,
  ): { readonly answer: Answer; readonly ageMs: number } | undefined {
    const found = this.#kept.get(nameOf(accountId, asked));
    if (found === undefined) return undefined;
    const ageMs = this.#options.monotonicMs() - found.atMs;
    return ageMs <= maxAgeMs ? { answer: found.answer, ageMs } : undefined;
  }

  keep(accountId: string, asked: unknown, answer: Answer, forMs: number): void {
    const kept = { answer, atMs: this.#options.monotonicMs() };
    this.#kept.set(nameOf(accountId, asked), kept, { ttl: forMs });
  }

  drop(accountId: string, asked: unknown): void {
    this.#kept.delete(nameOf(accountId, asked));
  }

  /** The accounts with cached responses. */
  accountIds(): string[] {
    return [...new Set([...this.#kept.keys()].map((name) => name.slice(0, name.indexOf(' '))))];
  }

  /** Drops all cached responses of an account. */
  forget(accountId: string): void {
    for (const name of [...this.#kept.keys()]) if (name.startsWith(`${accountId} `)) this.#kept.delete(name);
  }
}
