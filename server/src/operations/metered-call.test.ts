import type { KnownKey } from '../keys/key-finder.js';
import { ServiceError } from '../platform/errors.js';
import { Meter, type CountBatch } from '../usage/meter.js';
import { admitCall } from './metered-call.js';

const KEY = { id: 7, accountId: 'acc_ada' };

/** A meter that does with each batch as it is told, and notes how many requests came to it. */
function meterThat(count: CountBatch) {
  const asked = { requests: 0 };
  const meter = new Meter(
    (batch, ...when) => {
      for (const { wanted } of batch) asked.requests += wanted;
      return count(batch, ...when);
    },
    () => 0,
    () => undefined,
  );
  return { meter, asked };
}

const grants =
  (granted: number): CountBatch =>
  (batch) =>
    Promise.resolve(
      batch.map(({ keyId }) => ({
        ...{ key_id: keyId, granted, requests: 1, minute_requests: 1 },
        ...{ per_minute: 1, per_day: 1, previous_at: null },
      })),
    );

/** What is reserved, and whether it was given back. */
function reserving() {
  const held: string[] = [];
  const reserve = ({ accountId }: KnownKey) => {
    held.push(accountId);
    return Promise.resolve({
      run: () => Promise.reject(new Error('Not of this test.')),
      release: () => void held.splice(held.indexOf(accountId), 1),
    });
  };
  return { held, reserve };
}

test('a request without room in its account is refused before it is counted', async () => {
  const { meter, asked } = meterThat(grants(1));
  const refusal = new ServiceError('rateLimited', 'Your account has enough.', { retryAfterSeconds: 5 });
  await expect(admitCall(meter, KEY, () => Promise.reject(refusal))).rejects.toBe(refusal);
  await meter.flush();
  expect(asked.requests).toBe(0);
});

test('a request that is counted goes on with what was held for its account', async () => {
  const { meter, asked } = meterThat(grants(1));
  const { held, reserve } = reserving();
  const caller = await admitCall(meter, KEY, reserve);
  expect(caller).toMatchObject({ admission: { keyId: 7 }, reservation: expect.anything() });
  expect(held).toEqual(['acc_ada']);
  expect(asked.requests).toBe(1);
});

test.each([
  ['its limit is used up', grants(0), 'rateLimited'],
  ['its key is revoked', () => Promise.resolve([]), 'unauthorized'],
  ['nothing can be counted', () => Promise.reject(new Error('disk full')), 'overloaded'],
] as const)('where %s a request holds nothing', async (_why, count, kind) => {
  const { meter } = meterThat(count);
  const { held, reserve } = reserving();
  await expect(admitCall(meter, KEY, reserve)).rejects.toMatchObject({ kind });
  expect(held).toEqual([]);
});

test('an operation that needs nothing of the account is counted at once', async () => {
  const { meter } = meterThat(grants(1));
  await expect(admitCall(meter, KEY, undefined)).resolves.toMatchObject({ reservation: undefined });
});
