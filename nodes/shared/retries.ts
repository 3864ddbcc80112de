import type { Failure } from './failure';

/** The connection was never made, so that the server cannot have done anything. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);
/** The connection broke or was silent; the server may have done its work. */
const BROKEN = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ERR_NETWORK']);

/** A wrong address fails the same way for ever: such a request is tried this often, which takes some 15 seconds. */
const MAX_NETWORK_TRIES = 5;
const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 30_000;
/** Spreads out those who were told the same time. */
const SPREAD_MS = 500;

/**
 * Whether another try makes sense after a number of tries: after 429, 503 and network errors. A request that must not
 * be done twice is repeated only where the server certainly has not done it.
 */
export function isWorthAnotherTry(failure: Failure, isRepeatable: boolean, tries: number): boolean {
  const { status, code, retryAfterSeconds } = failure;
  if (status === 429) return true;
  if (status === 503) return isRepeatable || retryAfterSeconds !== undefined;
  if (status !== undefined || code === undefined || tries >= MAX_NETWORK_TRIES) return false;
  return NOT_CONNECTED.has(code) || (isRepeatable && BROKEN.has(code));
}

/** The time of the next try in milliseconds: what the server asks for, else later and later. */
export function nextTryMs(failure: Failure, tries: number, failedAtMs: number, random: () => number): number {
  if (failure.retryAfterSeconds !== undefined)
    return failedAtMs + failure.retryAfterSeconds * 1000 + random() * SPREAD_MS;
  const backoffMs = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (tries - 1));
  return failedAtMs + backoffMs * (0.5 + random() / 2);
}

/**
 * Those who were refused try again one after another, in the order in which they were; a new one waits behind
 * them. So a limit that lets five through per minute is asked by one at a time, and not by all at each turn.
 */
export class WaitingLane {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs the task when those before it have ended. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => undefined);
    return await result;
  }

  /** Resolves when nobody waits. */
  async clear(): Promise<void> {
    for (let seen: unknown; seen !== this.#last;) {
      seen = this.#last;
      await this.#last;
    }
  }
}
