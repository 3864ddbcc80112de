import { operations } from '@signpost/contract';
import type { KnownKey } from '../keys/key-finder.js';
import { ServiceError } from '../platform/errors.js';
import type { CountBatch, KeyBatch } from '../usage/admission-statement.js';
import { Meter } from '../usage/meter.js';
import type { FinishedRequest } from '../usage/recorded-request.js';
import type { Admission } from '../usage/rate-limit.js';
import { MeteredCalls, type MeteredCallsDeps } from './metered-call.js';
import { type OperationResult, type BoundOperation, type Call, writtenJson } from './operation-handler.js';

const KEY = { id: 7, accountId: 'acc_ada' };
const { signal } = new AbortController();

/** Creates metered calls on a meter that counts with `count`, and records the batches. */
function callsThat(
  count: CountBatch,
  limitMessage?: (admission: Admission) => string,
  keyProblem?: MeteredCallsDeps['keyProblem'],
) {
  const batches: KeyBatch[] = [];
  const meter = new Meter(
    (batch, ...when) => {
      batches.push(...batch);
      return count(batch, ...when);
    },
    () => 0,
    () => undefined,
  );
  const recorded: FinishedRequest[] = [];
  let nowMs = 0;
  const calls = new MeteredCalls({
    counter: meter,
    monotonicMs: () => nowMs,
    recorder: { record: (request) => void recorded.push(request) },
    ...(limitMessage === undefined ? {} : { limitMessage }),
    ...(keyProblem === undefined ? {} : { keyProblem }),
  });
  return { calls, meter, batches, recorded, pass: (ms: number) => void (nowMs += ms) };
}

const grants =
  (granted: number): CountBatch =>
  (batch) =>
    Promise.resolve(
      batch.map(({ keyId }) => ({
        key_id: keyId,
        granted,
        requests: 1,
        minute_requests: 1,
        per_minute: 1,
        per_day: 1,
        previous_at: null,
        account_requests: null,
        account_minute_requests: null,
        account_per_minute: 1,
        account_per_day: 1,
      })),
    );

const operation = (run: (call: Call) => unknown): BoundOperation => ({
  operation: operations.getUsage,
  run: async (_body, call) => ({ value: await run(call) }),
});

/** Returns an operation that needs a reservation (`bound`), and the accounts that hold one now (`held`). */
function reserving(
  run: (call: Call) => Promise<never> = () => Promise.reject(new Error('Not of this test.')),
) {
  const held: string[] = [];
  const reserve = ({ accountId }: KnownKey) => {
    held.push(accountId);
    return Promise.resolve({
      accountId,
      quota: 'whole' as const,
      run: () => Promise.reject(new Error('Not of this test.')),
      release: () => void held.splice(held.indexOf(accountId), 1),
    });
  };
  const bound: BoundOperation = {
    operation: operations.capturePdf,
    reserve,
    run: (_body, call) => run(call),
  };
  return { held, bound };
}

test('a call of an account without a free capture slot is rejected and not counted', async () => {
  const { calls, meter, batches } = callsThat(grants(1));
  const rejection = new ServiceError('rateLimited', 'Your account has enough.', { retryAfterSeconds: 5 });
  const bound = { ...reserving().bound, reserve: () => Promise.reject(rejection) };
  await expect(calls.perform(KEY, bound, {}, { signal })).rejects.toBe(rejection);
  await meter.flush();
  expect(batches).toEqual([]);
});

test('a call uses the slot that was reserved for its account, and releases it at its end', async () => {
  const { calls, batches } = callsThat(grants(1));
  const seen: unknown[] = [];
  const { held, bound } = reserving(({ admission, reservation }) => {
    seen.push(admission.keyId, [...held], reservation !== undefined, batches.length);
    return Promise.reject(new ServiceError('notFound', 'No such page.'));
  });
  await expect(calls.perform(KEY, bound, {}, { signal })).rejects.toThrow('No such page.');
  expect(seen).toEqual([7, ['acc_ada'], true, 1]);
  expect(held).toEqual([]);
});

test.each([
  ['its limit is used up', grants(0), 'rateLimited'],
  ['its key is revoked', () => Promise.resolve([]), 'unauthorized'],
  ['nothing can be counted', () => Promise.reject(new Error('disk full')), 'overloaded'],
] as const)('if %s, a call holds no slot and its operation does not run', async (_why, count, kind) => {
  const { calls } = callsThat(count);
  const { held, bound } = reserving();
  await expect(calls.perform(KEY, bound, {}, { signal })).rejects.toMatchObject({ kind });
  expect(held).toEqual([]);
});

test.each([
  [{ why: 'revoked' } as const, 'The API key is not valid: it is unknown or revoked.'],
  [undefined, 'The API key is not valid: it is unknown or revoked.'],
  [{ why: 'disabled' } as const, 'The API key is disabled.'],
  [{ why: 'disabledByOperator' } as const, 'the operator of this server disabled it'],
  [{ why: 'expired', atMs: 0 } as const, 'The API key is not valid: it ended at 1970-01-01T00:00:00.000Z.'],
])('a key that does not work is rejected with the reason: %j', async (problem, words) => {
  const asked: number[] = [];
  const keyProblem = (id: number) => {
    asked.push(id);
    return Promise.resolve(problem);
  };
  const { calls } = callsThat(() => Promise.resolve([]), undefined, keyProblem);
  const { held, bound } = reserving();
  await expect(calls.perform(KEY, bound, {}, { signal })).rejects.toMatchObject({
    kind: 'unauthorized',
    message: expect.stringContaining(words),
  });
  expect([asked, held]).toEqual([[KEY.id], []]);
});

test('a call is counted before its operation runs, and timed afterwards, even if the operation rejects it', async () => {
  const { calls, meter, batches, pass } = callsThat(grants(1));
  const counted: number[] = [];
  const works = operation(() => {
    counted.push(batches.length);
    pass(20);
    return 'done';
  });
  expect(await calls.perform(KEY, works, undefined, { signal })).toEqual({ value: 'done' });
  expect(counted).toEqual([1]);
  const refuses = operation(() => {
    pass(30);
    throw new ServiceError('notFound', 'No such postcode.');
  });
  await expect(calls.perform(KEY, refuses, undefined, { signal })).rejects.toMatchObject({
    kind: 'notFound',
  });
  await meter.flush();
  expect(batches.map(({ timedMs }) => timedMs)).toEqual([0, 20, 30]);
});

test('the log of requests has the operation, the request identifier and the duration of a call', async () => {
  const { calls, recorded, pass } = callsThat(grants(1));
  const works = operation(() => pass(20));
  await calls.perform(KEY, works, undefined, { signal, requestId: 'req-1' });
  expect(recorded).toEqual([
    {
      keyId: 7,
      operation: 'getUsage',
      status: 200,
      elapsedMs: 20,
      isCounted: true,
      requestId: 'req-1',
    },
  ]);
});

test.each<[string, Error, boolean, number, string | undefined]>([
  ['a rejection', new ServiceError('notFound', 'No such postcode.'), false, 404, 'No such postcode.'],
  ['a defect', new Error('a defect'), false, 500, undefined],
  ['an error after the caller has left', new Error('gone'), true, 499, undefined],
])('the log of requests has %s with its status', async (_, error, hasLeft, status, rejection) => {
  const { calls, recorded } = callsThat(grants(1));
  const caller = new AbortController();
  if (hasLeft) caller.abort();
  const fails = operation(() => Promise.reject(error));
  await expect(calls.perform(KEY, fails, undefined, { signal: caller.signal })).rejects.toThrow();
  expect(recorded).toEqual([expect.objectContaining({ status, isCounted: true })]);
  if (rejection !== undefined) expect(recorded[0]?.rejection).toBe(rejection);
});

test('the log of requests has a call beyond a limit as not counted', async () => {
  const { calls, recorded } = callsThat(grants(0));
  const works = operation(() => undefined);
  await expect(calls.perform(KEY, works, undefined, { signal })).rejects.toThrow();
  expect(recorded).toEqual([expect.objectContaining({ status: 429, isCounted: false })]);
});

test('the log of requests has no calls of operations outside interface A', () => {
  const { calls, recorded } = callsThat(grants(1));
  const request = { keyId: 7, status: 200, elapsedMs: 1, isCounted: true, requestId: 'req-1' };
  for (const operation of ['mcp', 'other', 'refreshToken', 'getUsage'])
    calls.record({ ...request, operation }, {});
  expect(recorded.map(({ operation }) => operation)).toEqual(['getUsage']);
});

test('the log of requests has the page that a capture requested, without credentials and query', () => {
  const { calls, recorded } = callsThat(grants(1));
  const request = { keyId: 7, status: 200, elapsedMs: 1, isCounted: true, requestId: 'req-1' };
  const body = { url: 'https://me:secret@example.org/a?secret' };
  for (const operation of ['readPage', 'getUsage']) calls.record({ ...request, operation }, body);
  expect(recorded.map(({ page }) => page)).toEqual(['https://example.org/a', undefined]);
});

test('every call passes its admission to onAdmission, even if a limit is used up', async () => {
  for (const granted of [1, 0]) {
    const { calls } = callsThat(grants(granted));
    const heard: boolean[] = [];
    const onAdmission = ({ isGranted }: Admission) => void heard.push(isGranted);
    await calls
      .perform(
        KEY,
        operation(() => 'done'),
        {},
        { signal, onAdmission },
      )
      .catch(() => undefined);
    expect(heard).toEqual([granted === 1]);
  }
});

test('a call over a limit is rejected with the time to wait, and with the usual message or the configured one', async () => {
  const programs = callsThat(grants(0)).calls;
  await expect(
    programs.perform(
      KEY,
      operation(() => 'done'),
      {},
      { signal },
    ),
  ).rejects.toMatchObject({
    message: expect.stringContaining('1 request per day, is used up'),
    retryAfterSeconds: 86_400,
  });
  const people = callsThat(grants(0), () => 'Come back tomorrow.').calls;
  await expect(
    people.perform(
      KEY,
      operation(() => 'done'),
      {},
      { signal },
    ),
  ).rejects.toMatchObject({
    message: 'Come back tomorrow.',
    retryAfterSeconds: 86_400,
  });
});

test('a call of an operation that needs no reservation is counted at once', async () => {
  const { calls, meter, batches } = callsThat(grants(1));
  const opened = calls.open(
    KEY,
    operation(() => 'done'),
  );
  await meter.flush();
  expect(batches.map(({ requestCount }) => requestCount)).toEqual([1]);
  expect((await opened).admission.keyId).toBe(7);
});

test('a caller in this process gets JSON as a parsed value, and a file as bytes', async () => {
  const { calls } = callsThat(grants(1));
  const file = { body: Buffer.from('%PDF'), mediaType: 'application/pdf' };
  const sending = (answer: OperationResult): BoundOperation => ({
    operation: operations.getUsage,
    run: () => Promise.resolve(answer),
  });
  const written = writtenJson(Buffer.from('{"results":[]}'));
  expect(await calls.perform(KEY, sending(written), {}, { signal })).toEqual({ value: { results: [] } });
  expect(await calls.perform(KEY, sending(file), {}, { signal })).toBe(file);
});
