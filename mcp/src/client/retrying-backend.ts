import { setTimeout as delay } from 'node:timers/promises';
import type { Backend } from './backend.js';
import { SignpostApiError } from './signpost-api-error.js';

const WORTH_WAITING = new Set([429, 503]);

/** Resolves after so many milliseconds; rejects when the signal ends the wait. */
type Wait = (ms: number, signal: AbortSignal | undefined) => Promise<unknown>;

const systemWait: Wait = (ms, signal) => delay(ms, undefined, signal === undefined ? {} : { signal });

/**
 * Waits out what a server says will pass soon, a limit or an overload, and calls again; `maxWaitMs` bounds the waits
 * of one call together. What lasts longer is thrown at once.
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

/** How long to wait before another try, at least a second; undefined where none makes sense. */
function waitOf(error: unknown): number | undefined {
  if (!(error instanceof SignpostApiError)) return undefined;
  const { status, retryAfterSeconds } = error;
  if (status === undefined || retryAfterSeconds === undefined || !WORTH_WAITING.has(status)) return undefined;
  return Math.max(1, retryAfterSeconds) * 1000;
}
