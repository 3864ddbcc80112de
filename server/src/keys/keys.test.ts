import { createSecretKey } from 'node:crypto';
import { systemRandomBytes } from '../platform/random.js';
import type { Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { createKey } from './create-key.js';
import { createKeyFinder } from './key-finder.js';
import {
  countEndedKeys,
  findKeyOf,
  findKeysByPrefix,
  listEndedKeys,
  listKeys,
  listLiveKeys,
} from './find-keys.js';
import { hashApiKey } from './api-key.js';
import { revokeKey, setLimits } from './change-key.js';

const NOW = 8_000;
const keyPepper = createSecretKey(Buffer.alloc(32, 7));
const maker = { keyPepper, randomBytes: systemRandomBytes, clock: () => 1_000 };
let database: TestDatabase;
let storage: Storage;

beforeEach(async () => {
  database = await createTestDatabase();
  storage = await database.open();
  await storage.db('accounts').insert({
    id: 'acc_1',
    email: 'ada@example.org',
    password_hash: 'x',
    is_operator: false,
    has_api_access: false,
    must_change_password: false,
    created_at: 0,
  });
  await storage.db('projects').insert({ id: 'prj_1', account_id: 'acc_1', name: 'Map', created_at: 0 });
});

afterEach(async () => {
  await storage.close();
  await database.remove();
});

test('finds a key by its hash, and only with the same pepper', async () => {
  const { key } = await createKey(storage.db, maker, { projectId: 'prj_1' });
  const otherPepper = createSecretKey(Buffer.alloc(32, 8));
  const queries = await storage.openPreparedQueries();
  const found = { id: 1, accountId: 'acc_1' };
  expect(await createKeyFinder(queries, keyPepper)(key)).toEqual(found);
  expect(await createKeyFinder(queries, otherPepper)(key)).toBeUndefined();
  await queries.close();
});

test('stores no more of a key than its prefix', async () => {
  const { key, prefix } = await createKey(storage.db, maker, { projectId: 'prj_1' });
  const bytes = await database.stored();
  expect(bytes.includes(prefix)).toBe(true);
  expect(bytes.includes(hashApiKey(keyPepper, key))).toBe(true);
  expect(bytes.includes(key.slice(0, prefix.length + 1))).toBe(false);
  expect(bytes.includes(key.slice(prefix.length))).toBe(false);
});

test('lists keys without their hash, with owner, limits and times, oldest first', async () => {
  const first = await createKey(storage.db, maker, { projectId: 'prj_1' });
  const second = await createKey(storage.db, maker, {
    projectId: 'prj_1',
    perMinute: 60,
    perDay: 'unlimited',
  });
  expect(await listKeys(storage.db, 'acc_1', NOW)).toEqual([
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
    },
    expect.objectContaining({ id: 2, prefix: second.prefix, perMinute: 60, perDay: 'unlimited' }),
  ]);
  expect(await listKeys(storage.db, 'acc_2', NOW)).toEqual([]);
});

test('finds every key that starts with a text, with case', async () => {
  const row = { project_id: 'prj_1', created_at: 0 };
  await storage.db('api_keys').insert([
    { ...row, hash: 'a', prefix: 'sp_live_AAAA1111' },
    { ...row, hash: 'b', prefix: 'sp_live_AAAA2222' },
    { ...row, hash: 'c', prefix: 'sp_live_aaaa3333' },
  ]);
  const found = async (start: string) => (await findKeysByPrefix(storage.db, start, NOW)).map(({ id }) => id);
  expect(await found('sp_live_AAAA')).toEqual([1, 2]);
  expect(await found('sp_live_AAAA2')).toEqual([2]);
  expect(await found('sp_live_a')).toEqual([3]);
  expect(await found('sp_live_%')).toEqual([]);
});

test('returns the last counted request as the last use of a key, on any day', async () => {
  await createKey(storage.db, maker, { projectId: 'prj_1' });
  await createKey(storage.db, maker, { projectId: 'prj_1' });
  const day = { requests: 1, minute: 1, minute_requests: 1, granted: 1, per_minute: 5, per_day: 20 };
  await storage.db('usage_days').insert([
    { ...day, key_id: 1, day: 1, last_at: 90_000_000 },
    { ...day, key_id: 1, day: 2, last_at: 180_000_000 },
    { ...day, key_id: 1, day: 3, last_at: null },
    { ...day, key_id: 2, day: 3, last_at: 270_000_000 },
  ]);
  const lastUses = (await listKeys(storage.db, 'acc_1', NOW)).map(({ lastUsedAtMs }) => lastUsedAtMs);
  expect(lastUses).toEqual([180_000_000, 270_000_000]);
});

test('finds a key only for its own account', async () => {
  const { prefix } = await createKey(storage.db, maker, { projectId: 'prj_1' });
  expect(await findKeyOf(storage.db, 'acc_1', 1, NOW)).toMatchObject({ id: 1, prefix, projectId: 'prj_1' });
  expect(await findKeyOf(storage.db, 'acc_2', 1, NOW)).toBeUndefined();
});

test.each([2, 0, -1, 1.5, NaN, 2 ** 31, Infinity])('finds no key for the identifier %d', async (id) => {
  await createKey(storage.db, maker, { projectId: 'prj_1' });
  expect(await findKeyOf(storage.db, 'acc_1', id, NOW)).toBeUndefined();
});

test('stores a revocation at once, and keeps its first time', async () => {
  await createKey(storage.db, maker, { projectId: 'prj_1' });
  await revokeKey(storage.db, 1, 5_000);
  await revokeKey(storage.db, 1, 6_000);
  expect(await listKeys(storage.db, 'acc_1', NOW)).toMatchObject([{ revokedAtMs: 5_000 }]);
});

test('leaves a missing limit unchanged, and stores "default" and "unlimited" unlike numbers', async () => {
  await createKey(storage.db, maker, { projectId: 'prj_1', perMinute: 60, perDay: 100 });
  const stored = () => storage.db('api_keys').select('per_minute', 'per_day');
  await setLimits(storage.db, 1, { perDay: 'unlimited' });
  expect(await stored()).toEqual([{ per_minute: 60, per_day: -1 }]);
  await setLimits(storage.db, 1, { perMinute: 'default', perDay: 0 });
  expect(await stored()).toEqual([{ per_minute: null, per_day: 0 }]);
});

test('lists active keys and the latest revoked ones separately, and counts them by project', async () => {
  await storage.db('projects').insert([
    { id: 'prj_2', account_id: 'acc_1', name: 'Atlas', created_at: 0 },
    { id: 'prj_3', account_id: 'acc_1', name: 'Globe', created_at: 0 },
  ]);
  for (const projectId of ['prj_1', 'prj_1', 'prj_2', 'prj_1', 'prj_2', 'prj_3'])
    await createKey(storage.db, maker, { projectId });
  for (const [id, atMs] of [
    [1, 5_000],
    [3, 7_000],
    [4, 6_000],
  ] as const)
    await revokeKey(storage.db, id, atMs);
  const ids = async (keys: ReturnType<typeof listKeys>) => (await keys).map(({ id }) => id);
  expect(await ids(listLiveKeys(storage.db, 'acc_1', NOW))).toEqual([2, 5, 6]);
  expect(await ids(listEndedKeys(storage.db, 'acc_1', NOW, 2))).toEqual([3, 4]);
  expect(await ids(listEndedKeys(storage.db, 'acc_1', NOW, 9))).toEqual([3, 4, 1]);
  expect(await countEndedKeys(storage.db, 'acc_1', NOW)).toEqual(
    new Map([
      ['prj_1', 2],
      ['prj_2', 1],
    ]),
  );
  expect(await ids(listLiveKeys(storage.db, 'acc_2', NOW))).toEqual([]);
  expect(await countEndedKeys(storage.db, 'acc_2', NOW)).toEqual(new Map());
});
