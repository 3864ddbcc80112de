import { systemRandomBytes } from '../platform/random.js';
import type { Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { createThrottle } from '../throttle/throttle.js';
import { createAccount } from './create-account.js';
import { disableAccount } from './account-state.js';
import { changePassword, setPassword } from './change-password.js';
import { createSessionStore, removeSessionsOf, type SessionStore } from './session-store.js';
import { signIn } from './sign-in.js';
import { createPasswordSemaphore } from './password.js';

const hourMs = 3_600_000;
let nowMs: number;
const passwordSemaphore = createPasswordSemaphore();
let database: TestDatabase;
let storage: Storage;
let sessions: SessionStore;
let adaId: string;
let bobId: string;

beforeEach(async () => {
  nowMs = 10 * hourMs;
  database = await createTestDatabase();
  storage = await database.open();
  sessions = createSessionStore({ db: storage.db, clock: () => nowMs });
  const maker = { randomBytes: systemRandomBytes, clock: () => nowMs, passwordSemaphore };
  const create = (email: string) =>
    createAccount(storage.db, maker, { email, password: 'correct horse battery' });
  adaId = (await create('ada@example.org')).account.id;
  bobId = (await create('bob@example.org')).account.id;
});

afterEach(async () => {
  await storage.close();
  await database.remove();
});

const write = (id: string, accountId: string, lastsMs = hourMs) =>
  sessions.write(id, { accountId, expiresAtMs: nowMs + lastsMs });

const live = async (...ids: string[]) => {
  const found = await Promise.all(ids.map((id) => sessions.read(id)));
  return ids.filter((_, index) => found[index] !== undefined);
};

test('a session is read as it was written, and replaced by another write', async () => {
  await write('one', bobId);
  expect(await sessions.read('one')).toEqual({ accountId: bobId, expiresAtMs: nowMs + hourMs });
  await write('one', adaId, 5);
  expect(await sessions.read('one')).toEqual({ accountId: adaId, expiresAtMs: nowMs + 5 });
  expect(await sessions.read('two')).toBeUndefined();
});

test("the cookie's id is not in the files of the database", async () => {
  await write('an-id-that-opens', adaId);
  const bytes = await database.stored();
  expect(bytes.includes(adaId)).toBe(true);
  expect(bytes.includes('an-id-that-opens')).toBe(false);
  expect(await storage.db('sessions').pluck('id')).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/u)]);
});

test('a session that has expired is not there, and is removed with a later write', async () => {
  await write('short', adaId, 10);
  await write('long', adaId, 5 * hourMs);
  nowMs += 9;
  expect(await live('short')).toEqual(['short']);
  nowMs += 1;
  expect(await live('short', 'long')).toEqual(['long']);
  expect(await storage.db('sessions').pluck('id')).toHaveLength(2);
  nowMs += hourMs;
  await write('next', adaId);
  expect(await storage.db('sessions').pluck('id')).toHaveLength(2);
});

test('a session is prolonged while it is there, and not brought back once it was removed', async () => {
  await write('one', adaId);
  await sessions.prolong('one', nowMs + 3 * hourMs);
  nowMs += 2 * hourMs;
  expect(await live('one')).toEqual(['one']);
  await sessions.remove('one');
  await sessions.prolong('one', nowMs + hourMs);
  expect(await live('one')).toEqual([]);
});

test('a session that is removed is gone, and only that one', async () => {
  await write('one', adaId);
  await write('two', adaId);
  await sessions.remove('one');
  expect(await live('one', 'two')).toEqual(['two']);
});

test("an account's sessions end together, but for the one that is named, and nobody else's do", async () => {
  for (const id of ['one', 'two', 'three']) await write(id, adaId);
  await write('other', bobId);
  await removeSessionsOf(storage.db, adaId, 'two');
  expect(await live('one', 'two', 'three', 'other')).toEqual(['two', 'other']);
  await removeSessionsOf(storage.db, adaId);
  expect(await live('two', 'other')).toEqual(['other']);
});

const passwordDeps = () => ({ db: storage.db, randomBytes: systemRandomBytes, passwordSemaphore });

test.each([
  ['setting a password', () => setPassword(passwordDeps(), adaId, 'another long password')],
  ['disabling an account', () => disableAccount(storage.db, adaId, () => nowMs)],
])("%s ends the account's sessions and nobody else's", async (_, act) => {
  await write('one', adaId);
  await write('other', bobId);
  await act();
  expect(await live('one', 'other')).toEqual(['other']);
});

const PASSWORD = 'correct horse battery';
const signInAsAda = () =>
  signIn(
    { ...passwordDeps(), throttle: createThrottle({ db: storage.db, clock: () => nowMs }) },
    { email: 'ada@example.org', password: PASSWORD, address: '192.0.2.7' },
  );

const replaceByOwner = () =>
  changePassword(
    { ...passwordDeps(), throttle: createThrottle({ db: storage.db, clock: () => nowMs }) },
    { accountId: adaId, current: PASSWORD, next: 'another long password' },
  );

test.each([
  ['its owner gave it another password', replaceByOwner],
  ['it was given another password', () => setPassword(passwordDeps(), adaId)],
  ['it was given the same password anew', () => setPassword(passwordDeps(), adaId, PASSWORD)],
  ['it was disabled', () => disableAccount(storage.db, adaId, () => nowMs)],
])('a sign-in that verified the password of an account begins no session after %s', async (_, act) => {
  const { account, passwordHash } = await signInAsAda();
  await act();
  const session = { accountId: account.id, expiresAtMs: nowMs + hourMs };
  expect(await sessions.writeVerified('late', session, passwordHash)).toBe(false);
  expect(await storage.db('sessions')).toEqual([]);
});

test('a sign-in whose password is still the one begins a session, and a new password ends it', async () => {
  const { account, passwordHash } = await signInAsAda();
  const session = { accountId: account.id, expiresAtMs: nowMs + hourMs };
  expect(await sessions.writeVerified('one', session, passwordHash)).toBe(true);
  expect(await live('one')).toEqual(['one']);
  await replaceByOwner();
  expect(await live('one')).toEqual([]);
});

test('whichever comes first, no session outlives a password that is replaced at the same time', async () => {
  const { account, passwordHash } = await signInAsAda();
  const session = { accountId: account.id, expiresAtMs: nowMs + hourMs };
  const elsewhere = await database.open();
  try {
    const ids = Array.from({ length: 20 }, (__, index) => `at-once-${index}`);
    await Promise.all([
      ...ids.map((id) => sessions.writeVerified(id, session, passwordHash)),
      setPassword({ ...passwordDeps(), db: elsewhere.db }, adaId, 'another long password'),
    ]);
    expect(await live(...ids)).toEqual([]);
  } finally {
    await elsewhere.close();
  }
});
