import { testContext } from '../../../test/fixtures/domain-context.js';
import { systemRandomBytes } from '../platform/random.js';
import type { Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import type { AccountContext } from './account-context.js';
import { changePassword } from './change-password.js';
import { createAccount } from './create-account.js';
import { findAccountById } from './account.js';
import { beginSession, readSession } from './sessions.js';
import { signIn } from './sign-in.js';
import { cheapPasswordHasher } from '../../../test/fixtures/cheap-passwords.js';

const email = 'ada@example.org';
const current = 'correct horse battery';
const next = 'another long password';
const clock = () => 1_000;
let database: TestDatabase;
let storage: Storage;
let context: AccountContext;
let accountId: string;

beforeEach(async () => {
  database = await createTestDatabase();
  storage = await database.open();
  context = testContext(storage.db, clock, { accountId: null, address: '192.0.2.7', via: 'console' });
  accountId = (await createAccount(context, { email, password: current })).account.id;
  await storage.db('accounts').where({ id: accountId }).update({ must_change_password: true });
});

afterEach(async () => {
  await storage.close();
  await database.remove();
});

const change = (
  part: { current?: string; next?: string; accountId?: string; exceptSessionId?: string } = {},
  hasher = context.passwordHasher,
) => changePassword({ ...context, passwordHasher: hasher }, { accountId, current, next, ...part });

const opens = async (password: string) => {
  try {
    await signIn(context, { email, password });
    return true;
  } catch {
    return false;
  }
};

test('after a password change only the new password signs in, and it need not be changed again', async () => {
  await change();
  expect([await opens(next), await opens(current)]).toEqual([true, false]);
  expect(await findAccountById(storage, accountId)).toMatchObject({ mustChangePassword: false });
});

test.each([
  ['a wrong current password', { current: 'wrong horse battery' }, 'The current password is wrong.'],
  ['an account that does not exist', { accountId: 'acc_none' }, 'The current password is wrong.'],
  ['a new one that is too short', { next: 'short' }, 'The password has 5 characters.'],
  ['a new one that is easily guessed', { next: 'password1234' }, 'is one of the most common'],
  ['a new one that is the address', { next: email }, "is made of the account's e-mail address"],
  ['a new one that is the old one', { next: current }, 'The new password is the same as the current one.'],
])('a password change with %s is rejected and changes nothing', async (_, part, message) => {
  await beginSession(context, 'one', { accountId, address: '192.0.2.7', browser: 'Firefox' });
  await expect(change(part)).rejects.toThrow(message);
  expect(await opens(current)).toBe(true);
  expect(await findAccountById(storage, accountId)).toMatchObject({ mustChangePassword: true });
  expect(await readSession(context, 'one')).toBeDefined();
});

test('a weak password from before the rules still signs in, and can be exchanged for a strong one', async () => {
  const weak = 'password1234';
  await storage
    .db('accounts')
    .where({ id: accountId })
    .update({ password_hash: await context.passwordHasher.hash(weak, systemRandomBytes) });
  expect(await opens(weak)).toBe(true);
  await change({ current: weak });
  expect(await opens(next)).toBe(true);
});

test('rejects the current password as the new one, even if its letters are encoded differently', async () => {
  await change({ next: 'café café café' });
  await expect(
    change({ current: 'café café café', next: 'cafe\u0301 cafe\u0301 cafe\u0301' }),
  ).rejects.toThrow('is the same as the current one');
});

test('rejects the right current password after ten wrong ones; a success resets the count', async () => {
  const fail = () => expect(change({ current: 'wrong horse battery' })).rejects.toThrow('is wrong');
  for (let time = 0; time < 9; time += 1) await fail();
  await change();
  for (let time = 0; time < 10; time += 1) await fail();
  await expect(change({ current: next, next: current })).rejects.toMatchObject({ kind: 'rateLimited' });
});

test("a password change ends the account's other sessions, but not the one that made it", async () => {
  for (const id of ['one', 'two'])
    await beginSession(context, id, { accountId, address: '192.0.2.7', browser: 'Firefox' });
  await change({ exceptSessionId: 'two' });
  expect(await readSession(context, 'one')).toBeUndefined();
  expect(await readSession(context, 'two')).toBeDefined();
  await change({ current: next, next: current });
  expect(await readSession(context, 'two')).toBeUndefined();
});

/** A hasher that begins to hash new passwords only once this many changes have verified their current password. */
function hasherForAll(changes: number) {
  const hasher = cheapPasswordHasher();
  const hash = hasher.hash.bind(hasher);
  const waiting: (() => void)[] = [];
  hasher.hash = async (...words) => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === changes) for (const goOn of waiting) goOn();
    });
    return hash(...words);
  };
  return hasher;
}

test('of two concurrent password changes one succeeds, and the other is rejected with the reason', async () => {
  const hasher = hasherForAll(2);
  const [first, second] = await Promise.allSettled([
    change({}, hasher),
    change({ next: 'a third long password' }, hasher),
  ]);
  expect([first.status, second.status].sort()).toEqual(['fulfilled', 'rejected']);
  expect(await opens(first.status === 'fulfilled' ? next : 'a third long password')).toBe(true);
  const refused = first.status === 'rejected' ? first : second;
  expect(refused).toMatchObject({
    reason: { kind: 'invalidRequest', message: expect.stringContaining('has just been changed') },
  });
});
