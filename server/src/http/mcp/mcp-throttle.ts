import { formatDuration } from '@signpost/contract';
import { ServiceError } from '../../platform/errors.js';
import { MINUTE_MS } from '../../platform/time-units.js';
import { RecentEvents } from '../../throttle/recent-events.js';

const MAX_UNCOUNTED = 60;
const WINDOW_MS = MINUTE_MS;

/** The number of messages in one request that run operations, and of those that do not. */
interface Messages {
  readonly running: number;
  readonly others: number;
}

/** Follows the messages of one request that should run operations. */
export interface Counted {
  /** Report that an operation has started. Its caller may hang up before it is counted. */
  readonly began: (operation: Promise<unknown>) => void;
  /** Report that an operation was admitted, and so counted against the key's limits. */
  readonly ran: () => void;
  /** Report that the request is over. */
  readonly end: () => Promise<void>;
}

const tooMany = (what: string, retryAfterSeconds: number) =>
  new ServiceError(
    'rateLimited',
    `Too many ${what}: at most ${MAX_UNCOUNTED} in a minute are answered for a key. Try again in ${formatDuration(retryAfterSeconds)}.`,
    { retryAfterSeconds },
  );

/**
 * Limits what the limits of a key do not count: messages such as lists and pings, and calls that ran nothing because
 * their arguments were wrong or the limit was used up. Both have limits of their own, so that lists never block a call.
 */
export class McpThrottle {
  readonly #others: RecentEvents;
  readonly #idleCalls: RecentEvents;

  constructor(monotonicMs: () => number) {
    const options = { max: MAX_UNCOUNTED, windowMs: WINDOW_MS, monotonicMs };
    this.#others = new RecentEvents(options);
    this.#idleCalls = new RecentEvents(options);
  }

  /** Admits a request of a key. Throws a ServiceError if the key sent too many of its kind. */
  admit(keyId: number, { running, others }: Messages): Counted {
    const key = String(keyId);
    const waitForOthers = others === 0 ? 0 : this.#others.add(key, Math.min(others, MAX_UNCOUNTED));
    if (waitForOthers > 0) throw tooMany('requests that run nothing', waitForOthers);
    const waitForCalls = running === 0 ? 0 : this.#idleCalls.waitSeconds(key);
    if (waitForCalls > 0) throw tooMany('calls that were wrong or past the limit', waitForCalls);
    let idle = running;
    const begun: Promise<unknown>[] = [];
    return {
      began: (operation) => {
        begun.push(operation);
      },
      ran: () => {
        idle -= 1;
      },
      end: async () => {
        await Promise.allSettled(begun);
        if (idle > 0) this.#idleCalls.add(key, Math.min(idle, MAX_UNCOUNTED));
      },
    };
  }
}
