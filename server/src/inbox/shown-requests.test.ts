import { accountRow } from '../../../test/fixtures/storage/rows.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import type { Storage } from '../storage/storage.js';
import { type InboxQuery, listLimitRequests, listRequests } from './inbox.js';

let database: TestDatabase;
let storage: Storage;

beforeEach(async () => {
  database = await createTestDatabase();
  storage = await database.open();
  await storage.db('accounts').insert(accountRow('acc_ada', { email: 'ada@example.org' }));
});
afterEach(async () => {
  await storage.close();
  await database.remove();
});

test("lists the 20 newest of an account's requests for higher limits, newest first", async () => {
  await storage.db('inbox_requests').insert(
    Array.from({ length: 30 }, (_, nth) => ({
      id: `req_${nth}`,
      kind: 'limits',
      subject: `limits ${nth}`,
      account_id: 'acc_ada',
      asked_at: nth,
      outcome: 'refused',
      decided_at: nth,
    })),
  );
  const shown = await listLimitRequests(storage, 'acc_ada');
  expect(shown.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, nth) => `req_${29 - nth}`));
});

test('lists open requests, oldest first, and decided ones, latest decision first; finds both by kind, and open ones by a text', async () => {
  const { db } = storage;
  await db('projects').insert({ id: 'prj_ada', account_id: 'acc_ada', name: 'Map', created_at: 0 });
  const key = { project_id: 'prj_ada', prefix: 'sp_live_a', created_at: 0 };
  await db('api_keys').insert({ ...key, id: 1, hash: 'a' });
  const own = { account_id: 'acc_ada' };
  const decided = { outcome: 'refused', answer: 'Later' };
  for (const [at, request] of [
    { kind: 'limits', ...own, key_id: 1, per_day: 100 },
    { kind: 'access', email: 'eve@example.org', reason: '100% sure' },
    { kind: 'apiAccess', ...own },
    { kind: 'password', ...own, ...decided, decided_at: 9 },
    { kind: 'limits', ...own, ...decided, decided_at: 8 },
  ].entries())
    await db('inbox_requests').insert({ id: `req_${at}`, subject: `${at}`, asked_at: at, ...request });
  const found = async (query: Partial<InboxQuery>) => {
    const { requests, total } = await listRequests(storage, { offset: 0, limit: 10, ...query });
    return [total, ...requests.map(({ kind }) => kind)];
  };
  expect(await found({})).toEqual([3, 'limits', 'access', 'apiAccess']);
  expect(await found({ offset: 1, limit: 1 })).toEqual([3, 'access']);
  expect(await found({ kind: 'access' })).toEqual([1, 'access']);
  expect(await found({ search: 'ADA@' })).toEqual([2, 'limits', 'apiAccess']);
  expect(await found({ search: '0%' })).toEqual([1, 'access']);
  expect(await found({ search: 'sp_live_a' })).toEqual([1, 'limits']);
  expect(await found({ areDecided: true })).toEqual([2, 'password', 'limits']);
  expect(await found({ areDecided: true, kind: 'limits' })).toEqual([1, 'limits']);
});

test('finds a request only by a text that its reason contains as a whole, however long the text is', async () => {
  const reason = 'ä'.repeat(999);
  const request = { kind: 'access', subject: 'access', email: 'eve@example.org', asked_at: 1 };
  await storage.db('inbox_requests').insert({ id: 'req_1', ...request, reason: `${reason}!` });
  const totals = [];
  for (const search of [`${reason}!`, `${reason.slice(0, 300)}?`, `${reason}!?`, `${reason}!`.repeat(60)])
    totals.push((await listRequests(storage, { offset: 0, limit: 10, search })).total);
  expect(totals).toEqual([1, 0, 0, 0]);
});
