import { formatDuration } from '@signpost/contract';
import { ServiceError } from '../../platform/errors.js';
import { MINUTE_MS } from '../../platform/time-units.js';
import { RecentEvents } from '../../throttle/recent-events.js';

/**
 * Every key may send this many messages of the kind `others` in a minute, however low its limit. Also the maximum of
 * calls of a key in a minute that ran nothing.
 */
const MIN_UNCOUNTED = 60;
/**
 * A key may send this many messages of the kind `others` for each request that its limit allows, because a client may
 * list tools, resources and prompts for each call.
 */
const UNCOUNTED_PER_REQUEST = 4;
/**
 * The maximum of messages of the kind `others` in a minute, even for a key without a limit. Bounds the memory for
 * timestamps.
 */
const MAX_UNCOUNTED = 6_000;
/**
 * How many handshakes and pings a key may send in a minute: every short connection starts with a handshake, and many
 * clients can share a key.
 */
const MAX_HANDSHAKES = 600;
const WINDOW_MS = MINUTE_MS;

/** How many messages of each kind one request has. */
interface MessageCounts {
  /** Messages that run operations. */
  readonly running: number;
  /** Messages that only open a connection or keep it open. */
  readonly handshakes: number;
  readonly others: number;
}

/** Follows those messages of one request that should run operations. */
export interface OperationTracker {
  /** Reports that an operation has started. `end` waits for it, because the caller may hang up before it is counted. */
  readonly started: (operation: Promise<unknown>) => void;
  /** Reports that an operation was admitted, and so counted against the key's limits. */
  readonly admitted: () => void;
  /** Reports that the request has ended. Waits for its operations, then counts its calls that ran nothing. */
  readonly end: () => Promise<void>;
}

const tooManyMessages = (messages: string, max: number, retryAfterSeconds: number) =>
  new ServiceError(
    'rateLimited',
    `Too many ${messages}: at most ${max} in a minute are answered for a key. Try again in ${formatDuration(retryAfterSeconds)}.`,
    { retryAfterSeconds },
  );

/** How many messages of the kind `others` a key may send in a minute. `perMinute` is its limit, null for none. */
const maxOthers = (perMinute: number | null) =>
  Math.min(
    MAX_UNCOUNTED,
    perMinute === null ? MAX_UNCOUNTED : Math.max(MIN_UNCOUNTED, UNCOUNTED_PER_REQUEST * perMinute),
  );

/**
 * Limits what the limits of a key do not count: handshakes, other messages such as lists, and calls that ran nothing
 * because their arguments were wrong or a limit was used up. Each kind has its own limit, so that lists never block
 * a call.
 */
export class McpThrottle {
  readonly #handshakes: RecentEvents;
  readonly #others: RecentEvents;
  readonly #idleCalls: RecentEvents;
  readonly #perMinute: (keyId: number) => Promise<number | null>;

  /** `perMinute` returns a key's limit of requests per minute, null for none. */
  constructor(monotonicMs: () => number, perMinute: (keyId: number) => Promise<number | null>) {
    const options = { max: MIN_UNCOUNTED, windowMs: WINDOW_MS, monotonicMs };
    this.#handshakes = new RecentEvents({ ...options, max: MAX_HANDSHAKES });
    this.#others = new RecentEvents(options);
    this.#idleCalls = new RecentEvents(options);
    this.#perMinute = perMinute;
  }

  /** Admits a request of a key. Rejects with a ServiceError if the key sent too many messages of a kind. */
  async admit(keyId: number, { running, handshakes, others }: MessageCounts): Promise<OperationTracker> {
    const key = String(keyId);
    const waitForHandshakes = handshakes === 0 ? 0 : this.#handshakes.add(key, handshakes);
    if (waitForHandshakes > 0)
      throw tooManyMessages('handshakes and pings', MAX_HANDSHAKES, waitForHandshakes);
    if (others > 0) await this.#addOthers(keyId, Math.min(others, MIN_UNCOUNTED));
    const waitForCalls = running === 0 ? 0 : this.#idleCalls.waitSeconds(key);
    if (waitForCalls > 0)
      throw tooManyMessages('calls that were wrong or past the limit', MIN_UNCOUNTED, waitForCalls);
    let idle = running;
    const startedOperations: Promise<unknown>[] = [];
    return {
      started: (operation) => {
        startedOperations.push(operation);
      },
      admitted: () => {
        idle -= 1;
      },
      end: async () => {
        await Promise.allSettled(startedOperations);
        if (idle > 0) this.#idleCalls.add(key, Math.min(idle, MIN_UNCOUNTED));
      },
    };
  }

  /** The key's own limit is read only once the minimum for every key is used up. */
  async #addOthers(keyId: number, messages: number): Promise<void> {
    const key = String(keyId);
    if (this.#others.add(key, messages) === 0) return;
    const max = maxOthers(await this.#perMinute(keyId));
    const wait = this.#others.add(key, messages, max);
    if (wait > 0) throw tooManyMessages('requests that run nothing', max, wait);
  }
}
