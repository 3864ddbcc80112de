import { accountRow } from '../../../test/fixtures/storage/rows.js';
import { DAY_MS } from '../platform/time-units.js';
import type { Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { KEY_SORTS, type KeyPage, listKeyPage } from './list-keys.js';

const TODAY = 20_000;
const NOW_MS = TODAY * DAY_MS + 1_000;
const DAY = { minute: 1, minute_requests: 1, granted: 1, per_minute: 5, per_day: 20 };
let database: TestDatabase;
let storage: Storage;

beforeAll(async () => {
  database = await createTestDatabase();
  storage = await database.open();
  const { db } = storage;
  await db('accounts').insert([
    accountRow('acc_a', { email: 'ada@example.org' }),
    accountRow('acc_b', { email: 'bob@example.org' }),
  ]);
  await db('projects').insert([
    { id: 'prj_map', account_id: 'acc_a', name: 'Map 100%', created_at: 0 },
    { id: 'prj_atlas', account_id: 'acc_a', name: 'atlas', created_at: 0 },
    { id: 'prj_bob', account_id: 'acc_b', name: 'Bob’s', created_at: 0 },
  ]);
  await db('api_keys').insert([
    { project_id: 'prj_map', hash: '1', prefix: 'sp_live_bbbbbbbb', created_at: 3 },
    { project_id: 'prj_atlas', hash: '2', prefix: 'sp_live_cccccccc', created_at: 1 },
    { project_id: 'prj_bob', hash: '3', prefix: 'sp_live_aaaaaaaa', created_at: 2, revoked_at: 5 },
  ]);
  await db('usage_days').insert([
    { ...DAY, key_id: 1, day: TODAY, requests: 7, last_at: NOW_MS - 10 },
    { ...DAY, key_id: 2, day: TODAY - 1, requests: 900, last_at: NOW_MS - DAY_MS },
    // Today all requests of this key were rejected, so it was last used yesterday.
    { ...DAY, key_id: 2, day: TODAY, requests: 0, last_at: null },
  ]);
});

afterAll(async () => {
  await storage.close();
  await database.remove();
});

const list = (page: Partial<KeyPage> = {}) =>
  listKeyPage({ db: storage.db, clock: () => NOW_MS }, { offset: 0, limit: 10, ...page });
const idsOf = async (page: Partial<KeyPage>) => (await list(page)).keys.map(({ id }) => id);

test('lists a key with its owner, its requests today and its last use', async () => {
  const { keys, total } = await list();
  expect(total).toBe(3);
  expect(keys.map(({ id, requestsToday, lastUsedAtMs }) => [id, requestsToday, lastUsedAtMs])).toEqual([
    [1, 7, NOW_MS - 10],
    [2, 0, NOW_MS - DAY_MS],
    [3, 0, null],
  ]);
  expect(keys[0]).toMatchObject({
    projectName: 'Map 100%',
    accountId: 'acc_a',
    accountEmail: 'ada@example.org',
  });
  expect(keys[0]).not.toHaveProperty('hash');
});

const ORDERS = {
  today: [2, 3, 1],
  used: [3, 2, 1],
  key: [3, 1, 2],
  project: [2, 3, 1],
  account: [1, 2, 3],
  made: [2, 3, 1],
};

test.each(KEY_SORTS)('sorts keys by "$by", ascending or descending', async ({ by }) => {
  expect(await idsOf({ sort: { by, isDescending: false } })).toEqual(ORDERS[by]);
  const [last] = await idsOf({ sort: { by, isDescending: true }, limit: 1 });
  const largest = by === 'account' ? 3 : ORDERS[by][2];
  expect(last).toBe(largest);
});

test('returns one page of keys, and the total number of keys', async () => {
  const page = await list({ sort: { by: 'made', isDescending: false }, offset: 1, limit: 1 });
  expect([page.keys.map(({ id }) => id), page.total]).toEqual([[3], 3]);
});

test.each<[Partial<KeyPage>, readonly number[]]>([
  [{ search: 'LIVE_C' }, [2]],
  [{ search: 'atl' }, [2]],
  [{ search: '100%' }, [1]],
  [{ search: '%' }, [1]],
  [{ search: 'bob@' }, [3]],
  [{ search: 'bob@', accountId: 'acc_a' }, []],
  [{ accountId: 'acc_a' }, [1, 2]],
  [{ projectId: 'prj_bob' }, [3]],
  [{ state: 'live' }, [1, 2]],
  [{ state: 'ended' }, [3]],
  [{ state: 'notEnded' }, [1, 2]],
  [{ prefix: 'sp_live_cccccccc' }, [2]],
  [{ prefix: 'sp_live_c' }, []],
  [{ id: 3 }, [3]],
  [{ id: 3, accountId: 'acc_a' }, []],
])('lists only the keys that match %j', async (filter, ids) => {
  expect(await idsOf(filter)).toEqual(ids);
});

test('uses an index to find a key by its prefix', async () => {
  const explained = storage.dialect === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'SET enable_seqscan = off; EXPLAIN';
  const plan: unknown = await storage.db.raw(
    `${explained} SELECT id FROM api_keys WHERE prefix = 'sp_live_cccccccc'`,
  );
  expect(JSON.stringify(plan)).toContain('api_keys_prefix_index');
});
