import { setTimeout as delay } from 'node:timers/promises';
import type { Backend } from './backend.js';
import { SignpostApiError } from './signpost-api-error.js';

const WORTH_WAITING = new Set([429, 503]);

/** Resolves after `ms` milliseconds. Rejects with the reason of the signal if it aborts the wait. */
type Wait = (ms: number, signal: AbortSignal | undefined) => Promise<unknown>;

const systemWait: Wait = (ms, signal) =>
  delay(ms, undefined, signal === undefined ? {} : { signal }).catch((error: unknown) => {
    // Throws the reason itself. The AbortError of Node.js has the reason only as its cause.
    signal?.throwIfAborted();
    throw error;
  });

/**
 * Returns a backend that repeats calls which the server rejects with a 429 or 503 and a Retry-After, once that time has
 * passed. `maxWaitMs` limits the total wait of one call. An error that requires a longer wait than is left is thrown at
 * once.
 */
export function retryingBackend(backend: Backend, maxWaitMs: number, wait: Wait = systemWait): Backend {
  return {
    async call(operationId, request, options) {
      let leftMs = maxWaitMs;
      for (;;) {
        try {
          return await backend.call(operationId, request, options);
        } catch (error) {
          const waitMs = waitOf(error);
          if (waitMs === undefined || waitMs > leftMs) throw error;
          leftMs -= waitMs;
          await wait(waitMs, options?.signal);
        }
      }
    },
  };
}

/** The Retry-After of a 429 or 503, in milliseconds and at least 1,000; otherwise undefined. */
function waitOf(error: unknown): number | undefined {
  if (!(error instanceof SignpostApiError)) return undefined;
  const { status, retryAfterSeconds } = error;
  if (status === undefined || retryAfterSeconds === undefined || !WORTH_WAITING.has(status)) return undefined;
  return Math.max(1, retryAfterSeconds) * 1000;
}
