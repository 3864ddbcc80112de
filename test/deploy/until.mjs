import { setTimeout as pause } from 'node:timers/promises';

const PAUSE_MS = 200;

/**
 * Calls `ask` until it returns something other than undefined or false, which this returns. Ignores its errors; after
 * the time, throws an error that quotes the last of them.
 */
export async function until(what, ask, timeoutMs = 35_000) {
  const endMs = performance.now() + timeoutMs;
  let last = 'never';
  while (performance.now() < endMs) {
    try {
      const answer = await ask();
      if (answer !== undefined && answer !== false) return answer;
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    await pause(PAUSE_MS);
  }
  throw new Error(`Not in ${timeoutMs / 1000} s: ${what} (${last})`);
}
