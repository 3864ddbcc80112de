import { FROM, openTwoAccounts, PASSWORD, type TwoAccounts } from '../../../test/fixtures/two-accounts.js';
import { disableAccount } from './account-state.js';
import { changePassword, setPassword } from './change-password.js';
import {
  acceptCode,
  beginSession,
  beginVerifiedSession,
  endSession,
  listSessions,
  storePasswordTime,
  readSession,
  removeExpiredSessions,
  removeSession,
  removeSessionsOf,
  touchSession,
} from './sessions.js';
import { signIn } from './sign-in.js';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
let database: TwoAccounts['database'];
let storage: TwoAccounts['storage'];
let context: TwoAccounts['context'];
let clock: TwoAccounts['clock'];
let adaId: string;
let bobId: string;
let write: TwoAccounts['write'];
let live: TwoAccounts['live'];
let close: TwoAccounts['close'];

beforeEach(async () => {
  ({ database, storage, context, clock, adaId, bobId, write, live, close } = await openTwoAccounts());
});
afterEach(() => close());

test('reads a session as it was written; writing it again replaces it', async () => {
  await write('one', bobId);
  const written = {
    begunAtMs: clock.nowMs,
    usedAtMs: clock.nowMs,
    passwordAtMs: clock.nowMs,
    awaitsCode: false,
    ...FROM,
  };
  expect(await readSession(context, 'one')).toMatchObject({ accountId: bobId, ...written });
  await write('one', adaId);
  expect(await readSession(context, 'one')).toMatchObject({ accountId: adaId, ...written });
  expect(await readSession(context, 'two')).toBeUndefined();
});

test('does not store the id of a session in readable form', async () => {
  await write('an-id-that-opens', adaId);
  const bytes = await database.stored();
  expect(bytes.includes(adaId)).toBe(true);
  expect(bytes.includes('an-id-that-opens')).toBe(false);
  expect(await storage.db('sessions').pluck('id')).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/u)]);
});

const touch = async (id: string) => {
  const session = await readSession(context, id);
  return session !== undefined && touchSession(context, id, session);
};

test('a session ends a week after its last use, and stays stored until expired sessions are removed', async () => {
  await write('unused', adaId);
  await write('used', adaId);
  clock.nowMs += 7 * dayMs - 1;
  expect(await touch('used')).toBe(true);
  expect(await live('unused', 'used')).toEqual(['unused', 'used']);
  clock.nowMs += 1;
  expect(await live('unused', 'used')).toEqual(['used']);
  expect(await storage.db('sessions').pluck('id')).toHaveLength(2);
  await removeExpiredSessions(context);
  expect(await storage.db('sessions').pluck('id')).toHaveLength(1);
});

test('a session ends 30 days after its beginning, even if it is used', async () => {
  await write('one', adaId);
  for (let day = 1; day < 30; day += 1) {
    clock.nowMs += dayMs;
    expect(await touch('one')).toBe(true);
  }
  clock.nowMs += dayMs - 1;
  expect(await live('one')).toEqual(['one']);
  clock.nowMs += 1;
  expect(await live('one')).toEqual([]);
});

test('a session that an older version began stays valid, and ends after at most 30 days', async () => {
  await write('old', adaId);
  await storage.db('sessions').update({ begun_at: null, used_at: null, password_at: null, address: null });
  expect(await readSession(context, 'old')).toMatchObject({
    begunAtMs: clock.nowMs,
    passwordAtMs: 0,
    address: null,
  });
  const beganMs = clock.nowMs;
  for (let day = 1; day < 30; day += 1) {
    clock.nowMs += dayMs;
    await touch('old');
  }
  expect(await readSession(context, 'old')).toMatchObject({ begunAtMs: beganMs });
  clock.nowMs += dayMs;
  expect(await live('old')).toEqual([]);
});

test('stores the time of last use at most once an hour, and does not restore a removed session', async () => {
  await write('one', adaId);
  clock.nowMs += hourMs - 1;
  expect(await touch('one')).toBe(false);
  clock.nowMs += 1;
  const session = await readSession(context, 'one');
  expect(await touch('one')).toBe(true);
  await removeSession(context, 'one');
  expect(session && (await touchSession(context, 'one', session))).toBe(false);
  expect(await live('one')).toEqual([]);
});

test('stores when the password was last entered', async () => {
  await write('one', adaId);
  clock.nowMs += 5;
  await storePasswordTime(context, 'one');
  expect(await readSession(context, 'one')).toMatchObject({
    passwordAtMs: clock.nowMs,
    begunAtMs: clock.nowMs - 5,
  });
});

test("lists an account's sessions, last used first, and lets only that account end one of them", async () => {
  await write('first', adaId);
  clock.nowMs += hourMs;
  await write('second', adaId);
  await write('other', bobId);
  await beginSession(context, 'no code yet', { accountId: adaId, awaitsCode: true, ...FROM });
  const listed = await listSessions(context, adaId, { offset: 0, limit: 10 });
  const [second, first, ...more] = listed.sessions;
  expect([first?.begunAtMs, second?.begunAtMs, more]).toEqual([clock.nowMs - hourMs, clock.nowMs, []]);
  await endSession(context, bobId, second?.key ?? '');
  expect(await live('first', 'second')).toEqual(['first', 'second']);
  await endSession(context, adaId, second?.key ?? '');
  expect(await live('first', 'second', 'other')).toEqual(['first', 'other']);
  await write('third', adaId);
  expect(await removeSessionsOf(storage.db, adaId, 'third')).toBe(2);
  expect(await live('first', 'third', 'other')).toEqual(['third', 'other']);
});

test('a session that awaits a code is accepted only once, within ten minutes, and only if it still exists', async () => {
  const begin = (id: string) => beginSession(context, id, { accountId: adaId, awaitsCode: true, ...FROM });
  const accept = (id: string) => acceptCode(storage.db, id, clock.nowMs);
  await Promise.all(['one', 'late', 'removed'].map(begin));
  expect(await readSession(context, 'one')).toMatchObject({ awaitsCode: true });
  await removeSessionsOf(storage.db, bobId);
  await removeSession(context, 'removed');
  clock.nowMs += 10 * minuteMs - 1;
  expect([await accept('one'), await accept('removed')]).toEqual([true, false]);
  expect(await accept('one')).toBe(false);
  clock.nowMs += 1;
  expect(await accept('late')).toBe(false);
  expect(await readSession(context, 'late')).toBeUndefined();
  clock.nowMs += 6 * dayMs;
  expect(await readSession(context, 'one')).toMatchObject({ awaitsCode: false });
});

test('removes only the named session', async () => {
  await write('one', adaId);
  await write('two', adaId);
  await removeSession(context, 'one');
  expect(await live('one', 'two')).toEqual(['two']);
});

test('ends all sessions of an account except the named one, and none of other accounts', async () => {
  for (const id of ['one', 'two', 'three']) await write(id, adaId);
  await write('other', bobId);
  await removeSessionsOf(storage.db, adaId, 'two');
  expect(await live('one', 'two', 'three', 'other')).toEqual(['two', 'other']);
  await removeSessionsOf(storage.db, adaId);
  expect(await live('two', 'other')).toEqual(['other']);
});

test.each([
  ['setting a password', () => setPassword(context, adaId, 'another long password')],
  ['disabling an account', () => disableAccount(context, adaId)],
])("%s ends the account's sessions and no others", async (_, act) => {
  await write('one', adaId);
  await write('other', bobId);
  await act();
  expect(await live('one', 'other')).toEqual(['other']);
});

const signInAsAda = () => signIn(context, { email: 'ada@example.org', password: PASSWORD });

const replaceByOwner = () =>
  changePassword(context, { accountId: adaId, current: PASSWORD, next: 'another long password' });

test.each([
  ['its owner gave it another password', replaceByOwner],
  ['it was given another password', () => setPassword(context, adaId)],
  ['it was given the same password anew', () => setPassword(context, adaId, PASSWORD)],
  ['it was disabled', () => disableAccount(context, adaId)],
])('a sign-in that verified the password of an account begins no session after %s', async (_, act) => {
  const { account, passwordHash } = await signInAsAda();
  await act();
  const session = { accountId: account.id, ...FROM };
  expect(await beginVerifiedSession(context, 'late', session, { passwordHash })).toBe(false);
  expect(await storage.db('sessions')).toEqual([]);
});

test('a sign-in begins a session if the password has not changed since it was verified; a later change ends the session', async () => {
  const { account, passwordHash } = await signInAsAda();
  const session = { accountId: account.id, ...FROM };
  expect(await beginVerifiedSession(context, 'one', session, { passwordHash })).toBe(true);
  expect(await live('one')).toEqual(['one']);
  await replaceByOwner();
  expect(await live('one')).toEqual([]);
});

test('a sign-in without a code begins no session if a second factor was turned on meanwhile', async () => {
  const { account, passwordHash } = await signInAsAda();
  const session = { accountId: account.id, awaitsCode: account.hasSecondFactor, ...FROM };
  await storage.db('accounts').where({ id: adaId }).update({ has_second_factor: true });
  expect(await beginVerifiedSession(context, 'late', session, { passwordHash })).toBe(false);
  expect(await beginVerifiedSession(context, 'new', { ...session, awaitsCode: true }, { passwordHash })).toBe(
    true,
  );
});

test('a session is replaced by one with another id only once, only while it exists, and only by its own account', async () => {
  const { account, passwordHash } = await signInAsAda();
  const session = { accountId: account.id, ...FROM };
  await write('own', adaId);
  await write("bob's", bobId);
  const goOn = (id: string, replaces: string) =>
    beginVerifiedSession(context, id, session, { passwordHash, replaces });
  expect(await goOn('new', 'own')).toBe(true);
  expect(await live('own', 'new')).toEqual(['new']);
  for (const replaces of ['own', 'signed out elsewhere', "bob's"])
    expect(await goOn('late', replaces)).toBe(false);
  expect(await live('new', 'late', "bob's")).toEqual(['new', "bob's"]);
});

test('if a password changes while sessions begin with the old one, none of these sessions remains', async () => {
  const { account, passwordHash } = await signInAsAda();
  const session = { accountId: account.id, ...FROM };
  const elsewhere = await database.open();
  try {
    const ids = Array.from({ length: 20 }, (__, index) => `at-once-${index}`);
    await Promise.all([
      ...ids.map((id) => beginVerifiedSession(context, id, session, { passwordHash })),
      setPassword({ ...context, db: elsewhere.db }, adaId, 'another long password'),
    ]);
    expect(await live(...ids)).toEqual([]);
  } finally {
    await elsewhere.close();
  }
});
