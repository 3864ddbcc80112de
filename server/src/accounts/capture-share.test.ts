import type { Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../storage/testing/test-database.js';
import { readCaptureShare } from './capture-share.js';
import { disableAccount } from './disable-account.js';
import { enableAccount } from './enable-account.js';
import { setAccountLimits } from './set-account-limits.js';

let database: TestDatabase;
let storage: Storage;

const addAccount = (id: string) =>
  storage.db('accounts').insert({
    ...{ id, email: `${id}@example.org`, password_hash: '', created_at: 0 },
    ...{ is_operator: false, has_api_access: false, must_change_password: false },
  });

beforeEach(async () => {
  database = await createTestDatabase();
  storage = await database.open();
  await addAccount('acc_ada');
});

afterEach(async () => {
  await storage.close();
  await database.remove();
});

const shareOfAda = (setting?: number | 'whole') => readCaptureShare(storage.db, 'acc_ada', setting);

test('an account has all places while no other is enabled, else all but one', async () => {
  expect(await shareOfAda()).toBe('whole');
  await addAccount('acc_bob');
  expect(await shareOfAda()).toBe('allButOne');
  await disableAccount(storage.db, 'acc_bob', () => 1);
  expect(await shareOfAda()).toBe('whole');
  await enableAccount(storage.db, 'acc_bob');
  expect(await shareOfAda()).toBe('allButOne');
});

test("the server's setting holds however many accounts there are", async () => {
  expect(await shareOfAda(3)).toBe(3);
  await addAccount('acc_bob');
  expect(await shareOfAda(3)).toBe(3);
  expect(await shareOfAda('whole')).toBe('whole');
});

test('what the operator gave the account comes before all else, until it is taken back', async () => {
  await addAccount('acc_bob');
  await setAccountLimits(storage.db, 'acc_ada', { captures: 2 });
  expect(await shareOfAda(3)).toBe(2);
  expect(await readCaptureShare(storage.db, 'acc_bob', 3)).toBe(3);
  await setAccountLimits(storage.db, 'acc_ada', { captures: 'unlimited' });
  expect(await shareOfAda(3)).toBe('whole');
  await setAccountLimits(storage.db, 'acc_ada', {});
  expect(await shareOfAda(3)).toBe('whole');
  await setAccountLimits(storage.db, 'acc_ada', { captures: 'default' });
  expect(await shareOfAda()).toBe('allButOne');
});
