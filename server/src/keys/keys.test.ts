import { accountRow } from '../../../test/fixtures/storage/rows.js';
import { createSecretKey } from 'node:crypto';
import type { Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { testContext } from '../../../test/fixtures/domain-context.js';
import { createKey, type KeyContext, type NewKey } from './create-key.js';
import { createKeyFinder } from './key-finder.js';
import { countEndedKeys, findKey, findKeysByPrefix, listEndedKeys, listKeys } from './find-keys.js';
import { hashApiKey } from './api-key.js';
import { setKeyLimits } from './change-key.js';
import { revokeKey } from './revoke-key.js';

let nowMs: number;
let context: KeyContext;
let database: TestDatabase;
let storage: Storage;

beforeEach(async () => {
  database = await createTestDatabase();
  storage = await database.open();
  nowMs = 1_000;
  context = testContext(storage.db, () => nowMs);
  await storage.db('accounts').insert(accountRow('acc_1', { email: 'ada@example.org' }));
  await storage.db('projects').insert({ id: 'prj_1', account_id: 'acc_1', name: 'Map', created_at: 0 });
});

afterEach(async () => {
  await storage.close();
  await database.remove();
});

const create = (more: Partial<NewKey> = {}) =>
  createKey(context, { accountId: 'acc_1', projectId: 'prj_1', ...more });
const owned = (id: number) => ({ id, prefix: 'sp_live_x', accountId: 'acc_1' });

test('finds a key by its hash, and only with the right pepper', async () => {
  const { key } = await create();
  const otherPepper = createSecretKey(Buffer.alloc(32, 8));
  const queries = await storage.openPreparedQueries();
  const found = { id: 1, accountId: 'acc_1' };
  expect(await createKeyFinder(queries, context.keyPepper)(key)).toEqual(found);
  expect(await createKeyFinder(queries, otherPepper)(key)).toBeUndefined();
  await queries.close();
});

test('stores only the prefix of a key in readable form', async () => {
  const { key, prefix } = await create();
  const bytes = await database.stored();
  expect(bytes.includes(prefix)).toBe(true);
  expect(bytes.includes(hashApiKey(context.keyPepper, key))).toBe(true);
  expect(bytes.includes(key.slice(0, prefix.length + 1))).toBe(false);
  expect(bytes.includes(key.slice(prefix.length))).toBe(false);
});

test('lists keys without their hash, with owner, limits and times, oldest first', async () => {
  const first = await create();
  const second = await create({ perMinute: 60, perDay: 'unlimited' });
  expect(await listKeys(context, 'acc_1')).toEqual([
    {
      id: 1,
      prefix: first.prefix,
      name: null,
      note: null,
      projectId: 'prj_1',
      projectName: 'Map',
      accountId: 'acc_1',
      accountEmail: 'ada@example.org',
      perMinute: 'default',
      perDay: 'default',
      createdAtMs: 1_000,
      state: 'live',
      endsAtMs: null,
      disabledAtMs: null,
      disabledBy: null,
      revokedAtMs: null,
      replacesId: null,
      replacedById: null,
      lastUsedAtMs: null,
      permissions: null,
    },
    expect.objectContaining({ id: 2, prefix: second.prefix, perMinute: 60, perDay: 'unlimited' }),
  ]);
  expect(await listKeys(context, 'acc_2')).toEqual([]);
});

test('finds every key whose prefix starts with a text, in the same case', async () => {
  const row = { project_id: 'prj_1', created_at: 0 };
  await storage.db('api_keys').insert([
    { ...row, hash: 'a', prefix: 'sp_live_AAAA1111' },
    { ...row, hash: 'b', prefix: 'sp_live_AAAA2222' },
    { ...row, hash: 'c', prefix: 'sp_live_aaaa3333' },
  ]);
  const found = async (start: string) => (await findKeysByPrefix(context, start)).map(({ id }) => id);
  expect(await found('sp_live_AAAA')).toEqual([1, 2]);
  expect(await found('sp_live_AAAA2')).toEqual([2]);
  expect(await found('sp_live_a')).toEqual([3]);
  expect(await found('sp_live_%')).toEqual([]);
});

test('the last use of a key is its last counted request, on any day', async () => {
  await create();
  await create();
  const day = { requests: 1, minute: 1, minute_requests: 1, granted: 1, per_minute: 5, per_day: 20 };
  await storage.db('usage_days').insert([
    { ...day, key_id: 1, day: 1, last_at: 90_000_000 },
    { ...day, key_id: 1, day: 2, last_at: 180_000_000 },
    { ...day, key_id: 1, day: 3, last_at: null },
    { ...day, key_id: 2, day: 3, last_at: 270_000_000 },
  ]);
  const lastUses = (await listKeys(context, 'acc_1')).map(({ lastUsedAtMs }) => lastUsedAtMs);
  expect(lastUses).toEqual([180_000_000, 270_000_000]);
});

test('finds a key only for its own account', async () => {
  const { prefix } = await create();
  expect(await findKey(context, 'acc_1', 1)).toMatchObject({ id: 1, prefix, projectId: 'prj_1' });
  expect(await findKey(context, 'acc_2', 1)).toBeUndefined();
});

test.each([2, 0, -1, 1.5, NaN, 2 ** 31, Infinity])('finds no key for the identifier %d', async (id) => {
  await create();
  expect(await findKey(context, 'acc_1', id)).toBeUndefined();
});

test('revoking a key twice keeps the time of the first revocation', async () => {
  await create();
  nowMs = 5_000;
  await revokeKey(context, owned(1));
  nowMs = 6_000;
  await revokeKey(context, owned(1));
  expect(await listKeys(context, 'acc_1')).toMatchObject([{ revokedAtMs: 5_000 }]);
});

test('setKeyLimits leaves a limit that is not given unchanged, and tells "default" and "unlimited" apart from numbers', async () => {
  await create({ perMinute: 60, perDay: 100 });
  const stored = () => storage.db('api_keys').select('per_minute', 'per_day');
  await setKeyLimits(context, owned(1), { perDay: 'unlimited' });
  expect(await stored()).toEqual([{ per_minute: 60, per_day: -1 }]);
  await setKeyLimits(context, owned(1), { perMinute: 'default', perDay: 0 });
  expect(await stored()).toEqual([{ per_minute: null, per_day: 0 }]);
});

test('lists active keys and the latest revoked ones separately, and counts the revoked ones by project', async () => {
  await storage.db('projects').insert([
    { id: 'prj_2', account_id: 'acc_1', name: 'Atlas', created_at: 0 },
    { id: 'prj_3', account_id: 'acc_1', name: 'Globe', created_at: 0 },
  ]);
  for (const projectId of ['prj_1', 'prj_1', 'prj_2', 'prj_1', 'prj_2', 'prj_3']) await create({ projectId });
  for (const [id, atMs] of [
    [1, 5_000],
    [3, 7_000],
    [4, 6_000],
  ] as const) {
    nowMs = atMs;
    await revokeKey(context, owned(id));
  }
  const ids = async (keys: ReturnType<typeof listKeys>) => (await keys).map(({ id }) => id);
  expect(await ids(listKeys(context, 'acc_1', 'notEnded'))).toEqual([2, 5, 6]);
  expect(await ids(listEndedKeys(context, 'acc_1', 2))).toEqual([3, 4]);
  expect(await ids(listEndedKeys(context, 'acc_1', 9))).toEqual([3, 4, 1]);
  expect(await countEndedKeys(context, 'acc_1')).toEqual(
    new Map([
      ['prj_1', 2],
      ['prj_2', 1],
    ]),
  );
  expect(await ids(listKeys(context, 'acc_2', 'notEnded'))).toEqual([]);
  expect(await countEndedKeys(context, 'acc_2')).toEqual(new Map());
});
