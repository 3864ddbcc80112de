import type { Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../storage/testing/test-database.js';
import { addressSubject, createThrottle, type Throttle } from './throttle.js';

const hourMs = 3_600_000;
const dayMs = 86_400_000;
const budget = { subject: 'sign-in ada', maxFailures: 3, windowMs: hourMs };
const other = { subject: 'sign-in bob', maxFailures: 3, windowMs: dayMs };
let nowMs: number;
let database: TestDatabase;
let storage: Storage;
let throttle: Throttle;

beforeEach(async () => {
  nowMs = 10 * dayMs;
  database = await createTestDatabase();
  storage = await database.open();
  throttle = createThrottle({ db: storage.db, clock: () => nowMs });
});

afterEach(async () => {
  await storage.close();
  await database.remove();
});

async function failTimes(times: number) {
  for (let time = 0; time < times; time += 1) await throttle.fail([budget]);
}

test('the last failure that is allowed uses the budget up, and the refusal says how long to wait', async () => {
  nowMs += 600_000;
  await failTimes(2);
  await expect(throttle.check([other, budget])).resolves.toBeUndefined();
  await failTimes(1);
  await expect(throttle.check([other, budget])).rejects.toMatchObject({
    kind: 'rateLimited',
    message: 'There were too many tries. Try again in 50 minutes.',
    retryAfterSeconds: 3_000,
  });
});

test('a budget is whole again in its next window, and counts there from one', async () => {
  await failTimes(3);
  nowMs += hourMs - 1;
  await expect(throttle.check([budget])).rejects.toMatchObject({ retryAfterSeconds: 1 });
  nowMs += 1;
  await expect(throttle.check([budget])).resolves.toBeUndefined();
  await failTimes(1);
  expect(await storage.db('failed_attempts').select()).toEqual([
    { subject: budget.subject, window_start: nowMs, failures: 1 },
  ]);
});

test('of two budgets that are used up the longer wait is told', async () => {
  for (let time = 0; time < 3; time += 1) await throttle.fail([budget, other]);
  await expect(throttle.check([budget, other])).rejects.toMatchObject({
    message: 'There were too many tries. Try again in 24 hours.',
    retryAfterSeconds: 86_400,
  });
});

test('a clock that is set back gives nothing back', async () => {
  await failTimes(3);
  nowMs -= hourMs;
  await expect(throttle.check([budget])).rejects.toMatchObject({ retryAfterSeconds: 7_200 });
  await failTimes(1);
  expect(await storage.db('failed_attempts').pluck('failures')).toEqual([4]);
});

test('failures at the same moment are all counted, on every budget', async () => {
  const second = createThrottle({ db: storage.db, clock: () => nowMs });
  await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      (index % 2 === 0 ? throttle : second).fail(index % 4 < 2 ? [budget, other] : [other, budget]),
    ),
  );
  expect(await storage.db('failed_attempts').pluck('failures')).toEqual([40, 40]);
});

test('a subject that is named twice in one failure is counted once', async () => {
  await throttle.fail([budget, budget]);
  expect(await storage.db('failed_attempts').pluck('failures')).toEqual([1]);
});

test('what is forgotten is whole again, and nothing else is', async () => {
  for (let time = 0; time < 3; time += 1) await throttle.fail([budget, other]);
  await throttle.forget([budget.subject]);
  await expect(throttle.check([budget])).resolves.toBeUndefined();
  await expect(throttle.check([other])).rejects.toMatchObject({ kind: 'rateLimited' });
});

test('rows of windows that are over are removed with a later failure', async () => {
  await throttle.fail([budget]);
  nowMs += dayMs - 1;
  await throttle.fail([other]);
  expect(await storage.db('failed_attempts').pluck('subject')).toEqual([budget.subject, other.subject]);
  nowMs += hourMs;
  await throttle.fail([other]);
  expect(await storage.db('failed_attempts').pluck('subject')).toEqual([other.subject]);
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['no address', 'no address'],
])('the address %s counts as %s', (ip, subject) => {
  expect(addressSubject(ip)).toBe(subject);
});

test.each([
  [1, '1 second'],
  [119, '119 seconds'],
  [121, '3 minutes'],
  [7_201, '3 hours'],
])('a wait of %d seconds is told as %s', async (seconds, words) => {
  nowMs += dayMs - seconds * 1_000;
  for (let time = 0; time < 3; time += 1) await throttle.fail([other]);
  await expect(throttle.check([other])).rejects.toThrow(`Try again in ${words}.`);
});
