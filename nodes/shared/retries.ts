import type { Failure } from './failure';
import type { NoAnswer } from './no-answer';
import { isOutage } from './outage';

/** Reasons why no connection was established, so that the server cannot have done anything. */
const NOT_CONNECTED: readonly (NoAnswer | undefined)[] = ['refused', 'unknownName', 'unreachable'];

/**
 * How often a request is tried if there is no connection or it breaks. The waits between the tries take at most 15
 * seconds together.
 */
const MAX_NETWORK_TRIES = 5;
const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 30_000;
/** The maximum that is added to a wait at random, because several clients may have been told the same time. */
const SPREAD_MS = 500;

/**
 * Whether to try again after a number of tries: after a 429, after an outage with a 502, 503 or 504, and up to
 * MAX_NETWORK_TRIES tries if there was no connection or it broke, but not if the server was silent for the whole
 * timeout. A request that must not be done twice is only sent again if the server certainly has not done it.
 */
export function isWorthAnotherTry(failure: Failure, isRepeatable: boolean, tries: number): boolean {
  const { status, noAnswer, retryAfterSeconds } = failure;
  if (status === 429) return true;
  if (status === 503) return isRepeatable || retryAfterSeconds !== undefined;
  if (status !== undefined) return isRepeatable && isOutage(failure);
  if (tries >= MAX_NETWORK_TRIES) return false;
  return NOT_CONNECTED.includes(noAnswer) || (isRepeatable && noAnswer === 'broken');
}

/**
 * The time of the next try in milliseconds since 1970: when the time of the Retry-After header has passed or, without
 * that header, after a delay that grows with the number of tries.
 */
export function nextTryMs(failure: Failure, tries: number, failedAtMs: number, random: () => number): number {
  if (failure.retryAfterSeconds !== undefined)
    return failedAtMs + failure.retryAfterSeconds * 1000 + random() * SPREAD_MS;
  const backoffMs = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (tries - 1));
  return failedAtMs + backoffMs * (0.5 + random() / 2);
}

/**
 * A queue for rejected requests: they retry one after another, in the order of their rejection, and new ones wait
 * behind them. So if a limit allows five per minute, one request at a time tries, and not all at once.
 */
export class RetryQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs the task after all earlier ones have ended. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => undefined);
    return await result;
  }

  /** Resolves when no task is waiting or running. */
  async clear(): Promise<void> {
    for (let seen: unknown; seen !== this.#last;) {
      seen = this.#last;
      await this.#last;
    }
  }
}
