import { accountRow } from '../../../test/fixtures/storage/rows.js';
import { testContext } from '../../../test/fixtures/domain-context.js';
import type { PreparedQueries, Storage } from '../storage/storage.js';
import { isStatementWaiting } from '../../../test/fixtures/storage/waiting-statements.js';
import { waitUntil } from '../../../test/fixtures/wait-until.js';
import { deleteAccount } from '../accounts/delete-account.js';
import { keyRevokedOrEndsAt } from '../storage/key-life.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import {
  admissionBindings,
  admissionSql,
  countBatchIn,
  type DefaultLimits,
  type KeyBatch,
  type KeyBatchRow,
} from './admission-statement.js';

const unlimited = { perMinute: null, perDay: null };
const defaults: DefaultLimits = { key: { perMinute: 5, perDay: 20 }, account: unlimited };
const day = 20_000;
const minute = day * 1440;

let database: TestDatabase;
let storage: Storage;
let queries: PreparedQueries;

/** Keys 1 to 4 are Ada's, of two projects; 5 is Bob's. */
beforeEach(async () => {
  database = await createTestDatabase();
  storage = await database.open();
  queries = await storage.openPreparedQueries();
  const created = { created_at: 0 };
  for (const id of ['ada', 'bob']) {
    await storage.db('accounts').insert(accountRow(id, { email: `${id}@example.com` }));
  }
  for (const [id, account_id] of [
    ['one', 'ada'],
    ['two', 'ada'],
    ['bobs', 'bob'],
  ]) {
    await storage.db('projects').insert({ id, account_id, name: id, ...created });
  }
  for (const [index, project_id] of ['one', 'one', 'two', 'two', 'bobs'].entries()) {
    const id = index + 1;
    await storage.db('api_keys').insert({ id, project_id, hash: `h${id}`, prefix: `x${id}`, ...created });
  }
});

afterEach(async () => {
  await queries.close();
  await storage.close();
  await database.remove();
});

const asking = (keyId: number, requestCount: number, lastAtMs = 1_000): KeyBatch => ({
  keyId,
  requestCount,
  lastAtMs,
  timedRequests: 0,
  timedMs: 0,
});

const limitAda = (limits: { readonly per_minute?: number; readonly per_day?: number }) =>
  storage.db('accounts').where({ id: 'ada' }).update(limits);

const count = (batch: readonly KeyBatch[], atMinute = minute, by = defaults) =>
  countBatchIn(queries, storage.dialect, by)(batch, Math.floor(atMinute / 1440), atMinute);

/** Counts a batch. Returns the number of admitted requests of each key, in the order of the keys. */
async function granted(batch: readonly KeyBatch[], atMinute = minute, by = defaults): Promise<number[]> {
  const rows = await count(batch, atMinute, by);
  return rows.toSorted((one, other) => one.key_id - other.key_id).map((row) => row.granted);
}

test('the keys in a batch share the limit of their account, and each stays within its own limit', async () => {
  await limitAda({ per_minute: 12 });
  expect(await granted([1, 2, 3, 4, 5].map((keyId) => asking(keyId, 9)))).toEqual([5, 5, 2, 0, 5]);
  expect(await granted([1, 2, 3, 4].map((keyId) => asking(keyId, 9)))).toEqual([0, 0, 0, 0]);
});

test('requests are admitted in order of arrival, and what a key cannot use is left for the others', async () => {
  await storage.db('api_keys').where({ id: 1 }).update({ per_minute: 1 });
  await limitAda({ per_minute: 6 });
  expect(await granted([asking(1, 9, 100), asking(2, 9, 300), asking(3, 9, 200)])).toEqual([1, 0, 5]);
});

test("each key's row has the account's usage after that key's part of the batch", async () => {
  await limitAda({ per_minute: 8, per_day: 100 });
  await count([asking(1, 2)]);
  expect(await count([asking(2, 3), asking(3, 9), asking(5, 1)])).toMatchObject([
    { key_id: 2, granted: 3, account_minute_requests: 5, account_requests: 5, account_per_minute: 8 },
    { key_id: 3, granted: 3, account_minute_requests: 8, account_requests: 8, account_per_day: 100 },
    { key_id: 5, granted: 1, account_minute_requests: null, account_requests: null },
  ]);
});

test("an account's usage starts again at each minute and day, and its daily limit holds across minutes", async () => {
  await limitAda({ per_minute: 4, per_day: 10 });
  const all = [asking(1, 5), asking(3, 5)];
  expect(await granted(all)).toEqual([4, 0]);
  expect(await granted(all, minute + 1)).toEqual([4, 0]);
  expect(await granted(all, minute + 2)).toEqual([2, 0]);
  expect(await granted(all, minute + 3)).toEqual([0, 0]);
  expect(await granted(all, minute + 1440)).toEqual([4, 0]);
});

test("an account's own limits override the default; 0 blocks the account and -1 lifts the limit", async () => {
  const by = { key: unlimited, account: { perMinute: 3, perDay: null } };
  expect(await granted([asking(1, 9), asking(5, 9)], minute, by)).toEqual([3, 3]);
  await limitAda({ per_minute: -1 });
  expect(await granted([asking(1, 9), asking(5, 9)], minute, by)).toEqual([9, 0]);
  await limitAda({ per_day: 0 });
  expect(await granted([asking(1, 9)], minute + 1, by)).toEqual([0]);
});

test('a new limit counts earlier usage too, even of keys revoked since', async () => {
  await count([asking(1, 5), asking(3, 4)]);
  await storage
    .db('api_keys')
    .where({ id: 3 })
    .update({ revoked_at: minute * 60_000 });
  await limitAda({ per_minute: 10 });
  expect(await granted([asking(2, 5)])).toEqual([1]);
  await limitAda({ per_minute: 3 });
  expect(await count([asking(4, 5)])).toMatchObject([{ granted: 0, account_minute_requests: 10 }]);
});

test("an account's usage includes a key that ended today, but not one that ended four days ago", async () => {
  await count([asking(1, 5), asking(3, 4)]);
  await limitAda({ per_minute: 10 });
  const end = (atDay: number) =>
    storage
      .db('api_keys')
      .where({ id: 3 })
      .update({ ends_at: atDay * 86_400_000 });
  await end(day);
  expect(await granted([asking(2, 5)])).toEqual([1]);
  await end(day - 4);
  expect(await granted([asking(4, 5)])).toEqual([4]);
});

test('finding the keys of a project uses an index that includes the time of their end', async () => {
  if (storage.dialect === 'sqlite') {
    const bindings = admissionBindings([asking(1, 1)], defaults, day, minute);
    const plan: unknown = await storage.db.raw(`EXPLAIN QUERY PLAN ${admissionSql(1, 'sqlite')}`, bindings);
    expect(JSON.stringify(plan)).toContain('api_keys_project_id_over_index (project_id=? AND <expr>>?)');
    return;
  }
  let plan: unknown;
  await storage.db.transaction(async (transaction) => {
    // With few rows PostgreSQL would always choose a sequential scan.
    await transaction.raw('SET LOCAL enable_seqscan = off');
    plan = await transaction.raw(
      `EXPLAIN SELECT id FROM api_keys k WHERE project_id = 'one' AND ${keyRevokedOrEndsAt('k')} >= 5`,
    );
  });
  expect(JSON.stringify(plan)).toMatch(/Index Cond: [^"]*COALESCE/u);
});

test("a request that the account's limit rejects is counted nowhere", async () => {
  await limitAda({ per_day: 3 });
  expect(await granted([asking(1, 5)])).toEqual([3]);
  expect(await count([asking(2, 5)])).toMatchObject([{ granted: 0, requests: 0, minute_requests: 0 }]);
  await limitAda({ per_day: -1 });
  expect(await count([asking(2, 5)])).toMatchObject([{ granted: 5, requests: 5 }]);
});

test("if a clock is set back, an account's earlier usage of a minute counts, whichever key caused it", async () => {
  await storage.db('api_keys').update({ per_minute: -1, per_day: -1 });
  await limitAda({ per_minute: 4 });
  expect(await granted([asking(1, 3)], minute + 1)).toEqual([3]);
  expect(await granted([asking(1, 2)], minute + 2)).toEqual([2]);
  expect(await granted([asking(2, 9)], minute + 60)).toEqual([4]);
  expect(await granted([asking(3, 9)], minute + 1)).toEqual([0]);
  expect(await granted([asking(3, 9)], minute + 2)).toEqual([2]);
  expect(await granted([asking(4, 9)], minute + 2)).toEqual([0]);
  expect(await granted([asking(1, 9), asking(4, 9)], minute + 60)).toEqual([0, 0]);
});

test('servers whose clocks differ slightly at the start of a minute share the limit', async () => {
  await limitAda({ per_minute: 4 });
  expect(await granted([asking(1, 3)], minute + 10)).toEqual([3]);
  expect(await granted([asking(2, 3)], minute + 9)).toEqual([1]);
  expect(await granted([asking(3, 3)], minute + 10)).toEqual([1]);
});

test('fifty concurrent batches of all keys of an account on two servers admit exactly the limit', async () => {
  await limitAda({ per_minute: 13 });
  const others = await storage.openPreparedQueries();
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => {
      const batch = [asking((index % 4) + 1, 1), asking(((index + 1) % 4) + 1, 1)];
      return countBatchIn(index % 2 === 0 ? queries : others, storage.dialect, defaults)(batch, day, minute);
    }),
  );
  expect(answers.flat().reduce((sum, row) => sum + row.granted, 0)).toBe(13);
  const [stored] = await storage.db('usage_days').sum({ requests: 'requests' });
  expect(Number(stored?.['requests'])).toBe(13);
  await others.close();
});

/** Whether a connection waits for a lock in the database. Always true on SQLite, which cannot tell. */
async function isAnybodyWaiting(): Promise<boolean> {
  if (storage.dialect === 'sqlite') return true;
  return isStatementWaiting(storage);
}

test('counting while an account is deleted leaves none of its rows, and still admits other accounts', async () => {
  await count([asking(2, 1)]);
  let isCounted = false;
  let counting: Promise<readonly KeyBatchRow[]> = Promise.resolve([]);
  await storage.db.transaction(async (transaction) => {
    await deleteAccount(
      testContext(transaction, () => 1_000),
      'ada',
    );
    counting = count([asking(1, 1), asking(2, 1), asking(5, 1)]).finally(() => (isCounted = true));
    await waitUntil('it is counted, or waits', async () => isCounted || (await isAnybodyWaiting()));
  });
  expect((await counting).map(({ key_id: id, granted: places }) => [id, places])).toEqual([[5, 1]]);
  expect(await storage.db('usage_days').pluck('key_id')).toEqual([5]);
});
