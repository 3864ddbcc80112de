import { accountRow } from '../../../test/fixtures/storage/rows.js';
import type { Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { ACCOUNT_SORTS, listAccountSummaries, type SummaryPage } from './account-summaries.js';
import { findAccountById } from './account.js';
import { listProjectSummaries, PROJECT_SORTS, type ProjectPage } from './project-summaries.js';
import { findProject } from './project.js';

const NOW = 8_000;
let database: TestDatabase;
let storage: Storage;

beforeEach(async () => {
  database = await createTestDatabase();
  storage = await database.open();
  await storage
    .db('accounts')
    .insert([
      accountRow('acc_b', { email: 'bob_b@example.org', name: 'Élodie 100%' }),
      accountRow('acc_a', { email: 'ada@example.org', name: 'Ada Lovelace' }),
      accountRow('acc_c', { email: 'cy@example.net', name: null }),
    ]);
  await storage.db('projects').insert([
    { id: 'prj_1', account_id: 'acc_a', name: 'Map', created_at: 0 },
    { id: 'prj_2', account_id: 'acc_a', name: 'Atlas', created_at: 0 },
    { id: 'prj_3', account_id: 'acc_b', name: 'Map', created_at: 0 },
  ]);
});

afterEach(async () => {
  await storage.close();
  await database.remove();
});

/** A moment on the day on which Ada's first key was used. */
const NOW_MS = 90_000_000;
const context = () => ({ db: storage.db, clock: () => NOW_MS });

const list = (page: Partial<SummaryPage> = {}) =>
  listAccountSummaries(context(), { offset: 0, limit: 10, ...page });

const found = async (search: string) => {
  const { accounts, total } = await list({ search });
  expect(total).toBe(accounts.length);
  return accounts.map(({ id }) => id);
};

test('lists accounts in the order of their e-mails, with their numbers of projects and working keys and the time of their last request', async () => {
  const key = { prefix: 'sp_live_00000000', created_at: 0 };
  await storage.db('api_keys').insert([
    { ...key, project_id: 'prj_1', hash: 'a' },
    { ...key, project_id: 'prj_2', hash: 'b' },
    { ...key, project_id: 'prj_2', hash: 'c', revoked_at: 5 },
    { ...key, project_id: 'prj_3', hash: 'd' },
    { ...key, project_id: 'prj_3', hash: 'e', ends_at: NOW },
  ]);
  const day = { requests: 1, minute: 1, minute_requests: 1, granted: 1, per_minute: 5, per_day: 20 };
  await storage.db('usage_days').insert([
    { ...day, key_id: 1, day: 1, last_at: 90_000_000 },
    { ...day, key_id: 3, day: 2, last_at: 180_000_000 },
    { ...day, key_id: 2, day: 3, last_at: null },
  ]);
  const { accounts, total } = await list();
  expect(total).toBe(3);
  expect(accounts).toEqual([
    {
      id: 'acc_a',
      email: 'ada@example.org',
      name: 'Ada Lovelace',
      isOperator: false,
      hasApiAccess: false,
      mustChangePassword: false,
      captures: 'default',
      perMinute: 'default',
      perDay: 'default',
      hasSecondFactor: false,
      wantsAlerts: true,
      logsPages: false,
      disabledAtMs: null,
      createdAtMs: 0,
      projectCount: 2,
      liveKeyCount: 2,
      requestsToday: 1,
      lastRequestAtMs: 180_000_000,
    },
    expect.objectContaining({ id: 'acc_b', projectCount: 1, liveKeyCount: 1, lastRequestAtMs: null }),
    expect.objectContaining({ id: 'acc_c', projectCount: 0, liveKeyCount: 0, lastRequestAtMs: null }),
  ]);
});

const ORDERS = {
  email: ['acc_a', 'acc_b', 'acc_c'],
  projects: ['acc_c', 'acc_b', 'acc_a'],
  keys: ['acc_c', 'acc_b', 'acc_a'],
  today: ['acc_b', 'acc_c', 'acc_a'],
  used: ['acc_b', 'acc_c', 'acc_a'],
  made: ['acc_a', 'acc_b', 'acc_c'],
};

test.each(ACCOUNT_SORTS)('sorts accounts by "$by", ascending or descending', async ({ by }) => {
  const key = { prefix: 'sp_live_00000000', created_at: 0 };
  await storage.db('api_keys').insert([
    { ...key, project_id: 'prj_1', hash: 'a' },
    { ...key, project_id: 'prj_2', hash: 'b' },
    { ...key, project_id: 'prj_3', hash: 'c' },
  ]);
  const day = { requests: 4, minute: 1, minute_requests: 1, granted: 1, per_minute: 5, per_day: 20 };
  await storage.db('usage_days').insert({ ...day, key_id: 1, day: 1, last_at: NOW_MS });
  const { accounts } = await list({ sort: { by, isDescending: false } });
  expect(accounts.map(({ id }) => id)).toEqual(ORDERS[by]);
  const descending = await list({ sort: { by, isDescending: true }, limit: 1 });
  expect(descending.accounts[0]?.id).toBe(by === 'email' ? 'acc_c' : 'acc_a');
});

test('filters accounts: only operators, only disabled ones, or only those with API access', async () => {
  await storage.db('accounts').where({ id: 'acc_b' }).update({ is_operator: true });
  await storage.db('accounts').where({ id: 'acc_c' }).update({ disabled_at: 5, has_api_access: true });
  const idsOf = async (state: NonNullable<SummaryPage['state']>) =>
    (await list({ state })).accounts.map(({ id }) => id);
  expect(await idsOf('operator')).toEqual(['acc_b']);
  expect(await idsOf('disabled')).toEqual(['acc_c']);
  expect(await idsOf('apiAccess')).toEqual(['acc_c']);
});

test('lists projects with their numbers of working keys and of requests today, and finds them by name, e-mail of the owner, or identifier', async () => {
  const key = { prefix: 'sp_live_00000000', created_at: 0, project_id: 'prj_1' };
  await storage.db('api_keys').insert([
    { ...key, hash: 'a' },
    { ...key, hash: 'b', revoked_at: 5 },
  ]);
  const day = { requests: 4, minute: 1, minute_requests: 1, granted: 1, per_minute: 5, per_day: 20 };
  await storage.db('usage_days').insert({ ...day, key_id: 2, day: 1, last_at: NOW_MS });
  const projects = async (page: Partial<ProjectPage>) => {
    const listed = await listProjectSummaries(context(), { offset: 0, limit: 10, ...page });
    return listed.projects.map(({ id, liveKeyCount, requestsToday }) =>
      [id, liveKeyCount, requestsToday].join(),
    );
  };
  expect(await projects({})).toEqual(['prj_2,0,0', 'prj_1,1,4', 'prj_3,0,0']);
  expect(await projects({ search: 'map', accountId: 'acc_a' })).toEqual(['prj_1,1,4']);
  expect(await projects({ search: 'BOB_' })).toEqual(['prj_3,0,0']);
  expect(await projects({ id: 'prj_2' })).toEqual(['prj_2,0,0']);
  expect(await projects({ search: 'bob', accountId: 'acc_a' })).toEqual([]);
  for (const { by } of PROJECT_SORTS)
    expect([by, (await projects({ sort: { by, isDescending: true } })).length]).toEqual([by, 3]);
  expect(await projects({ sort: { by: 'today', isDescending: true }, limit: 1 })).toEqual(['prj_1,1,4']);
});

test('returns one page of the accounts together with the total number', async () => {
  expect(await list({ offset: 1, limit: 1 })).toMatchObject({
    accounts: [{ id: 'acc_b' }],
    total: 3,
  });
  expect(await list({ offset: 3, limit: 1 })).toEqual({ accounts: [], total: 3 });
});

test.each([
  ['example.org', ['acc_a', 'acc_b']],
  [' LOVE ', ['acc_a']],
  ['Élodie', ['acc_b']],
  ['cy@', ['acc_c']],
  ['', ['acc_a', 'acc_b', 'acc_c']],
  ['nobody', []],
])('finds accounts by %j in their e-mail or name, ignoring case and outer spaces', async (search, ids) => {
  expect(await found(search)).toEqual(ids);
});

test.each([
  ['a percent sign', '%', ['acc_b']],
  ['an underscore', '_', ['acc_b']],
  ['an exclamation mark', '!', []],
  ['a backslash', '\\', []],
  ['a condition in SQL', "' OR 1=1 --", []],
  ['100,000 letters', 'a'.repeat(100_000), []],
])('searches accounts for %s literally, not as a pattern', async (_what, search, ids) => {
  expect(await found(search)).toEqual(ids);
});

test('finds a project only for the account that owns it', async () => {
  expect(await findProject(storage, 'acc_a', 'prj_1')).toEqual({
    id: 'prj_1',
    name: 'Map',
    createdAtMs: 0,
  });
  expect(await findProject(storage, 'acc_b', 'prj_1')).toBeUndefined();
  expect(await findProject(storage, 'acc_a', 'prj_9')).toBeUndefined();
});

test('an account is found by its identifier', async () => {
  expect(await findAccountById(storage, 'acc_c')).toMatchObject({ email: 'cy@example.net' });
  expect(await findAccountById(storage, 'acc_x')).toBeUndefined();
});
