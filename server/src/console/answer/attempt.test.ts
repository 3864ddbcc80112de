import type { Key } from '../../keys/key.js';
import { ServiceError } from '../../platform/errors.js';
import type { Admission } from '../../usage/rate-limit.js';
import { tryCall, chosenKey } from './attempt.js';

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
  state: 'live',
  name: null,
  note: null,
  endsAtMs: null,
  disabledAtMs: null,
  disabledBy: null,
  revokedAtMs: null,
  replacesId: null,
  replacedById: null,
  lastUsedAtMs: null,
  permissions: null,
};

const admission: Admission = {
  keyId: key.id,
  isGranted: true,
  limits: { perMinute: 2, perDay: 20 },
  minuteRequests: 1,
  dayRequests: 1,
  timeMs: Date.UTC(2026, 0, 2, 12, 0, 20),
  day: 20_455,
  previousAtMs: null,
};

test('a successful call returns its result and its admission', async () => {
  const tried = await tryCall({ signal }, (options) => {
    options.onAdmission?.(admission);
    return Promise.resolve('found');
  });
  expect(tried).toEqual({ isDone: true, result: 'found', admission });
});

test('a rejected call returns its ServiceError, and its admission if counted; other errors are thrown', async () => {
  const rejection = new ServiceError('notFound', 'There is no postcode ZZ1 1ZZ in the directory.');
  const counted = await tryCall({ signal }, (options) => {
    options.onAdmission?.(admission);
    return Promise.reject(rejection);
  });
  expect(counted).toEqual({ isDone: false, error: rejection, admission });
  const uncounted = await tryCall({ signal }, () => Promise.reject(rejection));
  expect(uncounted).toEqual({ isDone: false, error: rejection, admission: undefined });
  await expect(tryCall({ signal }, () => Promise.reject(new Error('a defect')))).rejects.toThrow('a defect');
});

test("a text that is not exactly the id of one of the person's keys chooses no key and is rejected", async () => {
  for (const sent of ['8', '', '7 ']) {
    const made: Key[] = [];
    const refused = await tryCall({ signal }, async () => Promise.resolve(made.push(chosenKey([key], sent))));
    expect(refused).toMatchObject({ isDone: false, error: { kind: 'invalidRequest' }, admission: undefined });
    expect(made).toEqual([]);
  }
});
