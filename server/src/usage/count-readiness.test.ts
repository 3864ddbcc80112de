import { NO_LIMIT } from './account-admissions.js';
import type { CountBatch, KeyBatchRow } from './admission-statement.js';
import { CountReadiness } from './count-readiness.js';

const row: KeyBatchRow = {
  key_id: 1,
  granted: 1,
  requests: 1,
  minute_requests: 1,
  per_minute: 5,
  per_day: 20,
  account_requests: null,
  account_minute_requests: null,
  account_per_minute: NO_LIMIT,
  account_per_day: NO_LIMIT,
  previous_at: null,
};

let nowMs: number;
let probes: { readonly succeed: () => void; readonly fail: (words: string) => void }[];
let told: unknown[];
let readiness: CountReadiness;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  nowMs = 100_000;
  probes = [];
  told = [];
  readiness = new CountReadiness({
    probe: () => new Promise((succeed, fail) => probes.push({ succeed, fail })),
    problemOf: (error) => `Because: ${String(error)}.`,
    monotonicMs: () => nowMs,
    onFailure: (failure) => told.push(failure),
  });
});
afterEach(() => jest.useRealTimers());

/** Counts a batch with this result. */
const count = (answer: ReturnType<CountBatch>) => readiness.watch(() => answer)([], 1, 1);

async function failProbe(words: string) {
  const asked = readiness.problem();
  probes.at(-1)?.fail(words);
  return asked;
}

test('a successful count proves for five seconds that the next will succeed, without a probe', async () => {
  await count(Promise.resolve([row]));
  nowMs += 4_999;
  expect([await readiness.problem(), probes.length]).toEqual([undefined, 0]);
  nowMs += 1;
  const asked = readiness.problem();
  expect(probes).toHaveLength(1);
  probes[0]?.succeed();
  expect(await asked).toBeUndefined();
  nowMs += 4_999;
  expect([await readiness.problem(), probes.length]).toEqual([undefined, 1]);
});

test.each([
  ['of unknown keys', []],
  ['in which all were refused', [{ ...row, granted: 0 }]],
])('a batch %s may have written nothing, so a probe is still needed', async (_what, rows) => {
  await count(Promise.resolve(rows));
  expect(await failProbe('full')).toBe('Because: full.');
});

test('passes on an error of counting, and sends a probe at the next check', async () => {
  await count(Promise.resolve([row]));
  await expect(count(Promise.reject(new Error('full')))).rejects.toThrow('full');
  expect(await failProbe('full')).toBe('Because: full.');
});

test('remembers a failed probe for a second, or until a count succeeds', async () => {
  await failProbe('full');
  nowMs += 999;
  expect([await readiness.problem(), probes.length]).toEqual(['Because: full.', 1]);
  nowMs += 1;
  expect([await failProbe('still full'), probes.length]).toEqual(['Because: still full.', 2]);
  await count(Promise.resolve([row]));
  expect([await readiness.problem(), probes.length]).toEqual([undefined, 2]);
});

test('a thousand concurrent checks send one probe', async () => {
  const asked = Array.from({ length: 1_000 }, () => readiness.problem());
  probes[0]?.fail('full');
  expect(new Set(await Promise.all(asked))).toEqual(new Set(['Because: full.']));
  expect(probes).toHaveLength(1);
});

test('a hanging probe delays a check by 1.5 seconds, is not sent again, and its late result counts', async () => {
  for (let question = 0; question < 2; question += 1) {
    const asked = readiness.problem();
    await jest.advanceTimersByTimeAsync(1_500);
    expect(await asked).toBe('It stored nothing within 1.5 seconds.');
    nowMs += 1_500;
  }
  expect(probes).toHaveLength(1);
  probes[0]?.succeed();
  await jest.advanceTimersByTimeAsync(0);
  expect([await readiness.problem(), probes.length]).toEqual([undefined, 1]);
});

test('reports each outage once', async () => {
  for (const words of ['full', 'full']) {
    await failProbe(words);
    nowMs += 1_000;
  }
  expect(told).toEqual([{ problem: 'Because: full.', cause: 'full' }]);
  await count(Promise.resolve([row]));
  nowMs += 5_000;
  await failProbe('away');
  expect(told).toHaveLength(2);
});
