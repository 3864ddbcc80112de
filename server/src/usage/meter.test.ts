import type { Admission } from './rate-limit.js';
import type { CountBatch, KeyBatch, KeyBatchRow } from './admission-statement.js';
import { Meter } from './meter.js';

const minute = 60_000;

/** Counts in memory like the SQL statement, but without limits. The test decides when a batch ends. */
function countingByHand() {
  const batches: { batch: readonly KeyBatch[]; finish: () => void; fail: (error: Error) => void }[] = [];
  const totals = new Map<number, number>();
  const countBatch: CountBatch = (batch) =>
    new Promise((resolve, reject) => {
      const finish = () =>
        resolve(
          batch.map(({ keyId, requestCount }): KeyBatchRow => {
            const requests = (totals.get(keyId) ?? 0) + requestCount;
            totals.set(keyId, requests);
            return {
              key_id: keyId,
              granted: requestCount,
              requests,
              minute_requests: requests,
              per_minute: 100,
              per_day: 100,
              account_requests: requests + 30,
              account_minute_requests: requests + 10,
              account_per_minute: 200,
              account_per_day: 2_147_483_647,
              previous_at: null,
            };
          }),
        );
      batches.push({ batch, finish, fail: reject });
    });
  return { batches, countBatch };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test('requests in one turn of the event loop share a batch, and each gets its own count', async () => {
  const { batches, countBatch } = countingByHand();
  const meter = new Meter(
    countBatch,
    () => minute,
    () => undefined,
  );
  const admissions: (Admission | undefined)[] = [];
  for (let i = 0; i < 3; i += 1) void meter.admit(7).then((admission) => admissions.push(admission));
  await nextTurn();
  expect(batches).toHaveLength(1);
  expect(batches[0]?.batch).toMatchObject([{ keyId: 7, requestCount: 3 }]);
  batches[0]?.finish();
  await nextTurn();
  expect(admissions.map((admission) => admission?.dayRequests)).toEqual([1, 2, 3]);
  expect(admissions.map((admission) => admission?.account)).toEqual(
    [1, 2, 3].map((requests) => ({
      limits: { perMinute: 200, perDay: null },
      minuteRequests: requests + 10,
      dayRequests: requests + 30,
    })),
  );
});

test('requests that arrive during a batch form the next one, whatever their keys', async () => {
  const { batches, countBatch } = countingByHand();
  const meter = new Meter(
    countBatch,
    () => minute,
    () => undefined,
  );
  void meter.admit(1);
  await nextTurn();
  void meter.admit(1);
  void meter.admit(2);
  await nextTurn();
  expect(batches).toHaveLength(1);
  batches[0]?.finish();
  await nextTurn();
  await nextTurn();
  expect(batches[1]?.batch.map(({ keyId, requestCount }) => [keyId, requestCount])).toEqual([
    [1, 1],
    [2, 1],
  ]);
});

test('no request is admitted before its batch is stored', async () => {
  const { batches, countBatch } = countingByHand();
  const meter = new Meter(
    countBatch,
    () => minute,
    () => undefined,
  );
  let isAdmitted = false;
  void meter.admit(1).then(() => (isAdmitted = true));
  await nextTurn();
  await nextTurn();
  expect(isAdmitted).toBe(false);
  batches[0]?.finish();
  await nextTurn();
  expect(isAdmitted).toBe(true);
});

test('if the database cannot count, every request of the batch is rejected with a time to repeat it', async () => {
  const { batches, countBatch } = countingByHand();
  const failures: unknown[] = [];
  const meter = new Meter(
    countBatch,
    () => minute,
    (error) => failures.push(error),
  );
  const ended = Promise.allSettled([meter.admit(1), meter.admit(1)]);
  await nextTurn();
  batches[0]?.fail(new Error('disk full'));
  const rejected = { status: 'rejected', reason: { kind: 'overloaded', retryAfterSeconds: 5 } };
  expect(await ended).toMatchObject([rejected, rejected]);
  expect(failures).toHaveLength(1);
});

test('response times are stored with the next batch, even if a batch failed in between', async () => {
  const { batches, countBatch } = countingByHand();
  const meter = new Meter(
    countBatch,
    () => minute,
    () => undefined,
  );
  meter.addResponseTime(1, 2.5);
  meter.addResponseTime(1, 4);
  await nextTurn();
  expect(batches).toHaveLength(0);
  const rejected = expect(meter.admit(2)).rejects.toMatchObject({ kind: 'overloaded' });
  await nextTurn();
  batches[0]?.fail(new Error('busy'));
  await rejected;
  const flushed = meter.flush();
  await nextTurn();
  expect(batches[1]?.batch).toContainEqual({
    keyId: 1,
    requestCount: 0,
    lastAtMs: minute,
    timedRequests: 2,
    timedMs: 6.5,
  });
  batches[1]?.finish();
  await flushed;
});

test('a request with a key that the database does not know is not admitted', async () => {
  const meter = new Meter(
    () => Promise.resolve([]),
    () => minute,
    () => undefined,
  );
  expect(await meter.admit(9)).toBeUndefined();
});

test('many keys are counted in several batches, so that a failed one rejects only its own requests', async () => {
  const { batches, countBatch } = countingByHand();
  const meter = new Meter(
    countBatch,
    () => minute,
    () => undefined,
  );
  const ended = Promise.allSettled(Array.from({ length: 100 }, (_, keyId) => meter.admit(keyId)));
  await nextTurn();
  batches[0]?.finish();
  await nextTurn();
  batches[1]?.fail(new Error('busy'));
  const admitted = (await ended).filter(({ status }) => status === 'fulfilled');
  expect(batches.map(({ batch }) => batch.length)).toEqual([64, 36]);
  expect(admitted).toHaveLength(64);
});
