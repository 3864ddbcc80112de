import { accountRow } from '../../../test/fixtures/storage/rows.js';
import { testContext } from '../../../test/fixtures/domain-context.js';
import { createKey, type KeyContext } from '../keys/create-key.js';
import type { Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { readCaptureQuota } from './capture-quota.js';
import { disableAccount, enableAccount, setAccountLimits } from './account-state.js';

const NOW_MS = 1_000;
let database: TestDatabase;
let storage: Storage;
let context: KeyContext;

/** Adds an account with a project and a key. Returns the key's id. */
async function addAccount(id: string): Promise<number> {
  const made = { created_at: 0 };
  await storage.db('accounts').insert(accountRow(id));
  await storage.db('projects').insert({ id: `prj_${id}`, account_id: id, name: 'Maps', ...made });
  return (await createKey(context, { accountId: id, projectId: `prj_${id}` })).id;
}

beforeEach(async () => {
  database = await createTestDatabase();
  storage = await database.open();
  context = testContext(storage.db, () => NOW_MS);
  keyOfAda = await addAccount('acc_ada');
});

afterEach(async () => {
  await storage.close();
  await database.remove();
});

let keyOfAda: number;
const quotaOfAda = (setting?: number | 'whole') => readCaptureQuota(context, keyOfAda, setting);

test('gives an account all slots while it is the only enabled one, and all but one otherwise', async () => {
  expect(await quotaOfAda()).toBe('whole');
  await addAccount('acc_bob');
  expect(await quotaOfAda()).toBe('allButOne');
  await disableAccount(context, 'acc_bob');
  expect(await quotaOfAda()).toBe('whole');
  await enableAccount(context, 'acc_bob');
  expect(await quotaOfAda()).toBe('allButOne');
});

test('uses the quota that is set for the server, with one enabled account or two', async () => {
  expect(await quotaOfAda(3)).toBe(3);
  await addAccount('acc_bob');
  expect(await quotaOfAda(3)).toBe(3);
  expect(await quotaOfAda('whole')).toBe('whole');
});

test('uses the quota that an operator gave the account, until it is set back to the default', async () => {
  const keyOfBob = await addAccount('acc_bob');
  await setAccountLimits(context, 'acc_ada', { captures: 2 });
  expect(await quotaOfAda(3)).toBe(2);
  expect(await readCaptureQuota(context, keyOfBob, 3)).toBe(3);
  await setAccountLimits(context, 'acc_ada', { captures: 'unlimited' });
  expect(await quotaOfAda(3)).toBe('whole');
  await setAccountLimits(context, 'acc_ada', {});
  expect(await quotaOfAda(3)).toBe('whole');
  await setAccountLimits(context, 'acc_ada', { captures: 'default' });
  expect(await quotaOfAda()).toBe('allButOne');
});

test('returns no quota for a revoked key or a key of a disabled account', async () => {
  await disableAccount(context, 'acc_ada');
  expect(await quotaOfAda()).toBeUndefined();
  await enableAccount(context, 'acc_ada');
  expect(await quotaOfAda()).toBe('whole');
  await storage.db('api_keys').where({ id: keyOfAda }).update({ revoked_at: 1 });
  expect(await quotaOfAda(3)).toBeUndefined();
});

test.each([
  ['disabled', { disabled_at: 1 }],
  ['expired', { ends_at: NOW_MS }],
])('returns no quota for a key that is %s', async (_, change) => {
  await storage.db('api_keys').where({ id: keyOfAda }).update(change);
  expect(await quotaOfAda(3)).toBeUndefined();
});

test('returns the quota of a disabled key again once it is enabled, if it has not expired yet', async () => {
  const keys = storage.db('api_keys').where({ id: keyOfAda });
  await keys.clone().update({ disabled_at: 1, ends_at: NOW_MS + 1 });
  expect(await quotaOfAda(3)).toBeUndefined();
  await keys.clone().update({ disabled_at: null });
  expect(await quotaOfAda(3)).toBe(3);
});
