import type { Backend } from './backend.js';
import { SignpostApiError } from './signpost-api-error.js';
import { retryingBackend } from './retrying-backend.js';

const limited = (retryAfterSeconds?: number, status = 429) =>
  new SignpostApiError('Used up.', { status, retryAfterSeconds });

/**
 * Calls a backend that throws these errors in turn, and then the error "answered", which stands for a response. Records
 * the waits.
 */
function scenario(errors: readonly Error[], maxWaitMs: number) {
  const waitedMs: number[] = [];
  let calls = 0;
  const backend: Backend = {
    call: async () => {
      const error = errors[calls];
      calls += 1;
      if (error !== undefined) throw error;
      return await Promise.reject(new Error('answered'));
    },
  };
  const retrying = retryingBackend(backend, maxWaitMs, (ms) => {
    waitedMs.push(ms);
    return Promise.resolve();
  });
  const call = () => retrying.call('getUsage', undefined);
  return { call, waitedMs, calls: () => calls };
}

test('retries a rejected call after the wait that the rejection states', async () => {
  const { call, waitedMs } = scenario([limited(3), limited(4, 503)], 20_000);
  await expect(call()).rejects.toThrow('answered');
  expect(waitedMs).toEqual([3_000, 4_000]);
});

test('rejects a call whose waits together would exceed the maximum', async () => {
  const { call, waitedMs } = scenario([limited(12), limited(12)], 20_000);
  await expect(call()).rejects.toThrow('Used up.');
  expect(waitedMs).toEqual([12_000]);
});

test('waits for a second before it retries a server that says 0 seconds', async () => {
  const { call, waitedMs } = scenario([limited(0)], 20_000);
  await expect(call()).rejects.toThrow('answered');
  expect(waitedMs).toEqual([1_000]);
});

test.each([
  ['a rejection that requires too long a wait', limited(21)],
  ['a rejection without a time', limited()],
  ['a rejection that is neither 429 nor 503', limited(1, 400)],
  ['an error that is not a rejection', new Error('Used up.')],
])('throws %s at once', async (_what, error) => {
  const { call, waitedMs, calls } = scenario([error], 20_000);
  await expect(call()).rejects.toBe(error);
  expect([waitedMs, calls()]).toEqual([[], 1]);
});

test('if the caller aborts during a wait, the call rejects with the reason and is not retried', async () => {
  const caller = new AbortController();
  const reason = new Error('left');
  let calls = 0;
  const busy: Backend = {
    call: async () => {
      calls += 1;
      // Runs when the wait has begun.
      setImmediate(() => caller.abort(reason));
      return await Promise.reject(limited(20));
    },
  };
  const call = retryingBackend(busy, 20_000).call('getUsage', undefined, { signal: caller.signal });
  await expect(call).rejects.toBe(reason);
  expect(calls).toBe(1);
});
