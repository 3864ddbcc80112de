import type { Failure } from './failure';
import type { NoAnswer } from './no-answer';
import { isOutage } from './outage';

/** Reasons why no connection was established, so that the server cannot have done anything. */
const NOT_CONNECTED: readonly (NoAnswer | undefined)[] = ['refused', 'unknownName', 'unreachable'];

/**
 * The maximum number of tries, the first one included, if there is no connection or it breaks. The waits between the
 * tries take at most 15 seconds together.
 */
const MAX_NETWORK_TRIES = 5;
const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 30_000;
/**
 * The maximum that is added at random to the wait of a Retry-After header, because several clients may have been told
 * the same time.
 */
const SPREAD_MS = 500;

/**
 * Whether to try again: after a 429; after a 502, 503 or 504 that is an outage; and up to MAX_NETWORK_TRIES tries if
 * there was no connection or it broke, but not after a timeout. A request that is not repeatable is only tried again
 * after a 429, after a 503 with Retry-After, or if there was no connection, because the server has then not done it.
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
 * The time of the next try in milliseconds since 1970: after the wait of the Retry-After header and up to SPREAD_MS
 * more or, without that header, after a random delay that grows with the number of tries to at most 30 seconds.
 */
export function nextTryMs(failure: Failure, tries: number, failedAtMs: number, random: () => number): number {
  if (failure.retryAfterSeconds !== undefined)
    return failedAtMs + failure.retryAfterSeconds * 1000 + random() * SPREAD_MS;
  const backoffMs = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (tries - 1));
  return failedAtMs + backoffMs * (0.5 + random() / 2);
}

/**
 * A queue for retries: rejected requests are tried again one after another, in the order of their rejection, and new
 * requests wait until the queue is empty. So if a limit allows five per minute, one request at a time tries, and not
 * all at once.
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
