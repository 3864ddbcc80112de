import { formatDuration } from '@signpost/contract';
import { ServiceError } from '../../platform/errors.js';
import { MINUTE_MS } from '../../platform/time-units.js';
import { RecentEvents } from '../../throttle/recent-events.js';

const MAX_UNCOUNTED = 60;
const WINDOW_MS = MINUTE_MS;

/** The messages of one request that run operations, and those that do not. */
interface Messages {
  readonly running: number;
  readonly others: number;
}

/** What becomes of the messages that are to run operations. */
export interface Counted {
  /** An operation was begun; its caller may hang up before it is counted. */
  readonly began: (operation: Promise<unknown>) => void;
  /** One operation was let through, and so counted against the key's limits. */
  readonly ran: () => void;
  /** The request is over. */
  readonly end: () => Promise<void>;
}

const tooMany = (what: string, retryAfterSeconds: number) =>
  new ServiceError(
    'rateLimited',
    `Too many ${what}: at most ${MAX_UNCOUNTED} in a minute are answered for a key. Try again in ${formatDuration(retryAfterSeconds)}.`,
    { retryAfterSeconds },
  );

/**
 * Bounds what no limit of a key counts: messages such as lists and pings, and calls that ran nothing, because their
 * arguments were wrong or the limit used up. Each has a bound of its own, so that lists never stop a call.
 */
export class McpThrottle {
  readonly #others: RecentEvents;
  readonly #idleCalls: RecentEvents;

  constructor(monotonicMs: () => number) {
    const options = { max: MAX_UNCOUNTED, windowMs: WINDOW_MS, monotonicMs };
    this.#others = new RecentEvents(options);
    this.#idleCalls = new RecentEvents(options);
  }

  /** Lets a request of a key through; throws a ServiceError where the key sent too many such. */
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
