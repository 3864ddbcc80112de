import type { TriesRow } from '../storage/rows.js';
import type { Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { addressSubject, createThrottle, type Throttle } from './throttle.js';

const hourMs = 3_600_000;
const dayMs = 86_400_000;
const budget = { subject: 'sign-in ada', maxTries: 3, windowMs: hourMs };
const other = { subject: 'sign-in bob', maxTries: 3, windowMs: dayMs };
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

async function takeTimes(times: number, budgets = [budget]) {
  for (let time = 0; time < times; time += 1) await throttle.take(budgets);
}

const timesOf = async (subject: string): Promise<unknown> => {
  const row = await storage.db<TriesRow>('tries').where({ subject }).first();
  return row === undefined ? undefined : JSON.parse(row.times);
};

/** Counts the tries that were allowed. Expects that the others were rejected as too many. */
async function countTaken(taking: readonly Promise<unknown>[]): Promise<number> {
  const results = await Promise.allSettled(taking);
  for (const result of results) {
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ kind: 'rateLimited' });
  }
  return results.filter(({ status }) => status === 'fulfilled').length;
}

test('rejects tries once the budget is used up, and says how long to wait', async () => {
  await takeTimes(1);
  nowMs += 600_000;
  await takeTimes(2);
  await expect(throttle.take([other, budget])).rejects.toMatchObject({
    kind: 'rateLimited',
    message: 'There were too many tries. Try again in 50 minutes.',
    retryAfterSeconds: 3_000,
  });
});

test('a try that one budget rejects counts on none of its budgets', async () => {
  await takeTimes(3);
  await expect(throttle.take([other, budget])).rejects.toMatchObject({ kind: 'rateLimited' });
  expect(await timesOf(other.subject)).toBeUndefined();
});

test('each try stops counting exactly when its own window has passed', async () => {
  const start = nowMs;
  for (const afterMs of [0, 1_000, 3_000]) {
    nowMs = start + afterMs;
    await takeTimes(1);
  }
  nowMs = start + hourMs - 1;
  await expect(throttle.take([budget])).rejects.toMatchObject({ retryAfterSeconds: 1 });
  nowMs += 1;
  await takeTimes(1);
  await expect(throttle.take([budget])).rejects.toMatchObject({ retryAfterSeconds: 1 });
  nowMs = start + hourMs + 1_000;
  await takeTimes(1);
  await expect(throttle.take([budget])).rejects.toMatchObject({ retryAfterSeconds: 2 });
});

test('if two budgets are used up, announces the longer wait', async () => {
  await takeTimes(3, [budget, other]);
  await expect(throttle.take([budget, other])).rejects.toMatchObject({
    message: 'There were too many tries. Try again in 24 hours.',
    retryAfterSeconds: 86_400,
  });
});

test('setting the clock back frees no tries', async () => {
  await takeTimes(2);
  nowMs -= hourMs;
  await takeTimes(1);
  await expect(throttle.take([budget])).rejects.toMatchObject({ retryAfterSeconds: 7_200 });
  nowMs += 2 * hourMs - 1;
  await expect(throttle.take([budget])).rejects.toMatchObject({ retryAfterSeconds: 1 });
});

test('tries counted while the clock was a year ahead do not count after it is set back', async () => {
  nowMs += 365 * dayMs;
  await takeTimes(3);
  nowMs -= 365 * dayMs;
  await takeTimes(3);
  await expect(throttle.take([budget])).rejects.toMatchObject({ retryAfterSeconds: 3_600 });
});

test('allows no more tries than the budget if ninety come at once around the edge of an hour', async () => {
  const twenty = { subject: 'sign-up 192.0.2.7', maxTries: 20, windowMs: hourMs };
  nowMs = 10 * dayMs + hourMs - 45;
  const second = await database.open();
  const servers = [storage.db, second.db].map((db) => createThrottle({ db, clock: () => nowMs }));
  const taking = Array.from({ length: 90 }, (_, index) => {
    const server = servers[index % 2] ?? throttle;
    nowMs += 1;
    return server.take([twenty]);
  });
  expect(await countTaken(taking)).toBe(20);
  nowMs += hourMs - 91;
  expect(await countTaken([throttle.take([twenty])])).toBe(0);
  await second.close();
});

test('servers whose clocks differ count tries together', async () => {
  const ten = { subject: 'sign-in ada', maxTries: 10, windowMs: hourMs };
  const second = await database.open();
  const offsets = [-2_000, 0, 2_000];
  const servers = offsets.map((offsetMs, index) =>
    createThrottle({ db: index === 1 ? second.db : storage.db, clock: () => nowMs + offsetMs }),
  );
  nowMs = 10 * dayMs + hourMs;
  const taking = Array.from({ length: 60 }, (_, index) => (servers[index % 3] ?? throttle).take([ten]));
  expect(await countTaken(taking)).toBe(10);
  await second.close();
});

test('a concurrent try counts on all of its budgets or on none, in whatever order they are named', async () => {
  const wide = { ...other, maxTries: 15 };
  const narrow = { ...budget, maxTries: 10 };
  const second = await database.open();
  const servers = [throttle, createThrottle({ db: second.db, clock: () => nowMs })];
  const taking = Array.from({ length: 40 }, (_, index) =>
    (servers[index % 2] ?? throttle).take(index % 4 < 2 ? [wide, narrow] : [narrow, wide]),
  );
  expect(await countTaken(taking)).toBe(10);
  expect(await timesOf(wide.subject)).toHaveLength(10);
  expect(await timesOf(narrow.subject)).toHaveLength(10);
  await second.close();
});

test('never allows more tries than the budget in any window, and rejects no try that fits', async () => {
  const five = { subject: 'any', maxTries: 5, windowMs: 1_000 };
  const start = nowMs;
  const taken: number[] = [];
  // Irregular steps, the same in every run.
  for (let step = 0; step < 120; step += 1) {
    nowMs += (step * step * 7_919) % 311;
    const fits = taken.filter((time) => time > nowMs - five.windowMs).length < five.maxTries;
    expect([nowMs - start, await countTaken([throttle.take([five])])]).toEqual([nowMs - start, Number(fits)]);
    if (fits) taken.push(nowMs);
  }
  expect(taken.length).toBeGreaterThan(5);
  expect(taken.length).toBeLessThan(120);
});

test('a subject that a try names twice is counted once', async () => {
  await throttle.take([budget, budget]);
  expect(await timesOf(budget.subject)).toEqual([nowMs]);
});

test('a try that is released stops counting, and the other tries still count', async () => {
  const first = await throttle.take([budget, other]);
  nowMs += 1_000;
  await takeTimes(2);
  await throttle.release(first);
  expect(await timesOf(budget.subject)).toEqual([nowMs, nowMs]);
  expect(await timesOf(other.subject)).toEqual([]);
  await takeTimes(1);
  await expect(throttle.take([budget])).rejects.toMatchObject({ retryAfterSeconds: 3_600 });
});

test('a try can be released after its subject was forgotten', async () => {
  const taken = await throttle.take([budget]);
  await throttle.forget([budget.subject]);
  await throttle.release(taken);
  await takeTimes(3);
});

test("forgetting a subject restores its used-up budget, and no other subject's", async () => {
  await takeTimes(3, [budget, other]);
  await throttle.forget([budget.subject]);
  await takeTimes(1);
  await expect(throttle.take([other])).rejects.toMatchObject({ kind: 'rateLimited' });
});

test('the next try removes rows that expired over a day ago, and no others', async () => {
  const subjects = () => storage.db('tries').orderBy('subject').pluck('subject');
  await throttle.take([budget, other]);
  nowMs += hourMs + dayMs - 1;
  await throttle.take([{ ...budget, subject: 'new' }]);
  expect(await subjects()).toEqual(['new', budget.subject, other.subject]);
  nowMs += hourMs;
  await throttle.take([{ ...budget, subject: 'new' }]);
  expect(await subjects()).toEqual(['new', other.subject]);
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['no address', 'no address'],
])('counts requests from the address %s under the subject %s', (ip, subject) => {
  expect(addressSubject(ip)).toBe(subject);
});

test.each([
  [1, '1 second'],
  [119, '119 seconds'],
  [121, '3 minutes'],
  [7_201, '3 hours'],
])('announces a wait of %d seconds as %s', async (seconds, words) => {
  await takeTimes(3, [other]);
  nowMs += dayMs - seconds * 1_000;
  await expect(throttle.take([other])).rejects.toThrow(`Try again in ${words}.`);
});
