import type { Key } from '../../keys/key.js';
import { ServiceError } from '../../platform/errors.js';
import type { KeyBatch } from '../../usage/admission-statement.js';
import { Meter } from '../../usage/meter.js';
import { attempt } from './attempt.js';
import { chosenKey } from './playground-pages.js';

const NOON_MS = Date.UTC(2026, 0, 2, 12, 0, 20);
const { signal } = new AbortController();

const key: Key = {
  id: 7,
  prefix: 'sp_live_abc',
  projectId: 'p',
  projectName: 'Website',
  accountId: 'acc_ann',
  accountEmail: 'ann@example.com',
  perMinute: 2,
  perDay: 20,
  createdAtMs: 0,
  revokedAtMs: null,
  lastUsedAtMs: null,
};

/** A meter whose key 7 is live and allows two requests per minute; it keeps every batch. */
function meterOfTwo() {
  const batches: KeyBatch[] = [];
  let minuteRequests = 0;
  const meter = new Meter(
    (batch) => {
      batches.push(...batch);
      const rows = batch
        .filter(({ keyId }) => keyId === key.id)
        .map(({ keyId, wanted }) => {
          const granted = Math.min(wanted, 2 - minuteRequests);
          minuteRequests += granted;
          const limits = { per_minute: 2, per_day: 20, previous_at: null };
          return {
            key_id: keyId,
            granted,
            requests: minuteRequests,
            minute_requests: minuteRequests,
            ...limits,
          };
        });
      return Promise.resolve(rows);
    },
    () => NOON_MS,
    () => undefined,
  );
  return { meter, batches };
}

const chooseKey = () => key;

/** Work that counts how often it is done. */
function countedWork() {
  const done = { times: 0 };
  return { done, work: () => (done.times += 1) };
}

test('a try is counted before the work begins, its time afterwards', async () => {
  const { meter, batches } = meterOfTwo();
  const countedBefore: number[] = [];
  const tried = await attempt(meter, chooseKey, signal, (call) => {
    countedBefore.push(batches.length);
    return call.admission.minuteRequests;
  });
  expect(tried).toMatchObject({ isDone: true, result: 1, admission: { keyId: 7, dayRequests: 1 } });
  expect(countedBefore).toEqual([1]);
  await meter.flush();
  expect(batches.at(-1)).toMatchObject({ keyId: 7, wanted: 0, timedRequests: 1 });
});

test('a try beyond the limit is refused without the work, and says until when', async () => {
  const { meter } = meterOfTwo();
  const { done, work } = countedWork();
  for (let tries = 0; tries < 2; tries += 1) await attempt(meter, chooseKey, signal, work);
  const refused = await attempt(meter, chooseKey, signal, work);
  expect(done.times).toBe(2);
  expect(refused).toMatchObject({
    isDone: false,
    error: {
      kind: 'rateLimited',
      message:
        'The limit of this key, 2 requests per minute, is used up. Try again in 40 seconds, at 12:01 UTC.',
      retryAfterSeconds: 40,
    },
  });
});

test('what the operation refuses is counted and handed back; what nobody foresaw is thrown', async () => {
  const { meter } = meterOfTwo();
  const refusal = new ServiceError('notFound', 'There is no postcode ZZ1 1ZZ in the directory.');
  const refused = await attempt(meter, chooseKey, signal, () => Promise.reject(refusal));
  expect(refused).toMatchObject({ isDone: false, error: refusal, admission: { minuteRequests: 1 } });
  const fails = attempt(meter, chooseKey, signal, () => Promise.reject(new Error('a defect')));
  await expect(fails).rejects.toThrow('a defect');
});

test('another’s key, or none, is refused before anything is counted', async () => {
  const { meter, batches } = meterOfTwo();
  for (const sent of ['8', '', '7 ']) {
    const { done, work } = countedWork();
    const refused = await attempt(meter, () => chosenKey([key], sent), signal, work);
    expect(refused).toMatchObject({ isDone: false, error: { kind: 'invalidRequest' }, admission: undefined });
    expect(done.times).toBe(0);
  }
  expect(batches).toEqual([]);
});

test('a key that was revoked since the page was made is refused', async () => {
  const { meter } = meterOfTwo();
  const refused = await attempt(meter, () => ({ ...key, id: 9 }), signal, countedWork().work);
  expect(refused).toMatchObject({ isDone: false, error: { kind: 'unauthorized' } });
});
