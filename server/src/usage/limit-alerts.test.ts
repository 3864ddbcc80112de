import { accountRow } from '../../../test/fixtures/storage/rows.js';
import { DAY_MS } from '../platform/time-units.js';
import type { Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { takeAlerts } from './limit-alerts.js';
import { TIME_RANGES, timeColumn } from './response-times.js';

const TODAY = 20_000;
const NO_LIMIT = 2_147_483_647;

let database: TestDatabase;
let storage: Storage;

beforeEach(async () => {
  database = await createTestDatabase();
  storage = await database.open();
  for (const name of ['ada', 'bob']) {
    await storage.db('accounts').insert(accountRow(`acc_${name}`, { email: `${name}@example.org` }));
    await storage
      .db('projects')
      .insert({ id: `prj_${name}`, account_id: `acc_${name}`, name, created_at: 0 });
  }
  const key = { prefix: 'sp_live_a', created_at: 0 };
  await storage.db('api_keys').insert([
    { ...key, id: 1, project_id: 'prj_ada', hash: 'a' },
    { ...key, id: 2, project_id: 'prj_ada', hash: 'b' },
    { ...key, id: 3, project_id: 'prj_bob', hash: 'c' },
  ]);
});
afterEach(async () => {
  await storage.close();
  await database.remove();
});

interface Used {
  readonly requests: number;
  readonly perDay?: number;
  readonly day?: number;
  readonly ofAccount?: readonly [requests: number, perDay: number];
}

/** Stores this usage of a key on a day, in place of the usage stored before. */
async function used(keyId: number, { requests, perDay = 20, day = TODAY, ofAccount }: Used) {
  const { db } = storage;
  const [together, perDayTogether] = ofAccount ?? [null, NO_LIMIT];
  await db('usage_days')
    .insert({
      key_id: keyId,
      day,
      requests,
      minute: 0,
      minute_requests: 0,
      granted: 0,
      per_minute: 5,
      per_day: perDay,
      account_requests: together,
      account_per_day: perDayTogether,
    })
    .onConflict(['key_id', 'day'])
    .merge();
  await db('usage_counts')
    .insert({
      span_minutes: 1_440,
      start_minute: day * 1_440,
      key_id: keyId,
      operation: 'x',
      outcome: '2xx',
      requests,
      ...Object.fromEntries(Array.from({ length: TIME_RANGES }, (_, index) => [timeColumn(index), 0])),
    })
    .onConflict(['span_minutes', 'start_minute', 'key_id', 'operation', 'outcome'])
    .merge();
}

const alerts = async (day = TODAY) =>
  (await takeAlerts(storage.db, day * DAY_MS + 1)).map(
    ({ email, keyPrefix, used: requests, limit, percent }) =>
      `${email} ${keyPrefix ?? 'all'} ${requests}/${limit} ${percent}%`,
  );

test('alerts about a limit at 80 and at 100 percent, once a day each', async () => {
  await used(1, { requests: 15 });
  expect(await alerts()).toEqual([]);
  await used(1, { requests: 16 });
  expect(await alerts()).toEqual(['ada@example.org sp_live_a 16/20 80%']);
  await used(1, { requests: 19 });
  expect(await alerts()).toEqual([]);
  await used(1, { requests: 20 });
  expect(await alerts()).toEqual(['ada@example.org sp_live_a 20/20 100%']);
  expect(await alerts()).toEqual([]);
  await used(1, { requests: 16, day: TODAY + 1 });
  expect(await alerts(TODAY + 1)).toEqual(['ada@example.org sp_live_a 16/20 80%']);
});

test('alerts only once about a limit that is used up between two checks', async () => {
  await used(1, { requests: 20 });
  expect(await alerts()).toEqual(['ada@example.org sp_live_a 20/20 100%']);
  expect(await alerts()).toEqual([]);
});

test('if two servers check at the same time, only one alerts', async () => {
  await used(1, { requests: 20 });
  const second = await database.open();
  const [one, other] = await Promise.all([
    takeAlerts(storage.db, TODAY * DAY_MS),
    takeAlerts(second.db, TODAY * DAY_MS),
  ]);
  expect(one.length + other.length).toBe(1);
  await second.close();
});

test('alerts once about the limit of an account, with the latest usage of the account', async () => {
  await used(1, { requests: 5, perDay: NO_LIMIT, ofAccount: [80, 100] });
  await used(2, { requests: 90, perDay: NO_LIMIT, ofAccount: [95, 100] });
  expect(await alerts()).toEqual(['ada@example.org all 95/100 80%']);
  expect(await alerts()).toEqual([]);
});

test('sends no alert if alerts are off, an account is disabled, a key ended, or it has no limit or the limit 0', async () => {
  await used(1, { requests: 1_000_000, perDay: NO_LIMIT });
  await used(2, { requests: 0, perDay: 0 });
  await used(3, { requests: 20 });
  await storage.db('accounts').where({ id: 'acc_bob' }).update({ alerts_off: true });
  expect(await alerts()).toEqual([]);
  await storage.db('accounts').where({ id: 'acc_bob' }).update({ alerts_off: false, disabled_at: 1 });
  expect(await alerts()).toEqual([]);
  await storage.db('accounts').where({ id: 'acc_bob' }).update({ disabled_at: null });
  const change = (changed: object) => storage.db('api_keys').where({ id: 3 }).update(changed);
  await change({ revoked_at: 1 });
  expect(await alerts()).toEqual([]);
  await change({ revoked_at: null, ends_at: TODAY * DAY_MS });
  expect(await alerts()).toEqual([]);
  await change({ ends_at: (TODAY + 1) * DAY_MS });
  expect(await alerts()).toHaveLength(1);
});

test('forgets the alerts of a day after more than three days', async () => {
  await used(1, { requests: 20 });
  await alerts();
  await alerts(TODAY + 3);
  expect(await storage.db('limit_alerts')).toHaveLength(2);
  await alerts(TODAY + 4);
  expect(await storage.db('limit_alerts')).toEqual([]);
});
