import argon2 from '@node-rs/argon2';
import { testContext } from '../../../test/fixtures/domain-context.js';
import { ServiceError } from '../platform/errors.js';
import type { Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import type { Throttle } from '../throttle/throttle.js';
import type { AccountContext } from './account-context.js';
import { disableAccount } from './account-state.js';
import { createAccount } from './create-account.js';
import { waitUntil } from '../../../test/fixtures/wait-until.js';
import { signIn } from './sign-in.js';

/** The hash and password of every verification in order, to compare the work of attempts. */
const verified: { readonly hash: string; readonly password: string }[] = [];
let running = 0;
let mostRunning = 0;
let held = Promise.resolve();

const verify = argon2.verify;
jest.spyOn(argon2, 'verify').mockImplementation(async (hash, password) => {
  verified.push({ hash: String(hash), password: String(password) });
  running += 1;
  mostRunning = Math.max(mostRunning, running);
  try {
    await held;
    return await verify(hash, password);
  } finally {
    running -= 1;
  }
});

const email = 'ada@example.org';
const password = 'correct horse battery café';
const address = '192.0.2.7';
const VISITOR = { accountId: null, via: 'console' } as const;

interface Attempt {
  readonly email?: string;
  readonly password?: string;
  readonly address?: string;
}

const wrong = { kind: 'unauthorized', message: 'The e-mail or the password is wrong.' };
const minuteMs = 60_000;
let nowMs: number;
let database: TestDatabase;
let storage: Storage;
let throttle: Throttle;
let context: AccountContext;
let accountId: string;

beforeEach(async () => {
  nowMs = 1_000_000 * 15 * minuteMs;
  database = await createTestDatabase();
  storage = await database.open();
  context = testContext(storage.db, () => nowMs, { ...VISITOR, address });
  ({ throttle } = context);
  accountId = (await createAccount(context, { email, password })).account.id;
  // The first call also removes old rows, so it is made before any measurement.
  await throttle.take([{ subject: 'other', maxTries: 1, windowMs: 1 }]);
  verified.length = 0;
});

afterEach(async () => {
  await storage.close();
  await database.remove();
});

const attempt = ({ address: from = address, ...part }: Attempt = {}) =>
  signIn({ ...context, actor: { ...VISITOR, address: from } }, { email, password, ...part });

async function failTimes(times: number, part: Attempt) {
  for (let time = 0; time < times; time += 1) await expect(attempt(part)).rejects.toMatchObject(wrong);
}

/**
 * Sets how many tries of each budget whose subject begins with `start` are stored, without hashing so many passwords.
 */
const setTries = (start: string, tries: number) =>
  storage
    .db('tries')
    .where('subject', 'like', `${start}%`)
    .update({ times: JSON.stringify(Array<number>(tries).fill(nowMs)) });

/** The work of a rejected attempt: its SQL statements, and the costs of the hashes that it verified. */
async function workOf(part: Attempt) {
  verified.length = 0;
  const queries: string[] = [];
  const listen = ({ sql }: { sql: string }) => queries.push(sql);
  storage.db.on('query', listen);
  await expect(attempt(part)).rejects.toMatchObject(wrong);
  storage.db.removeListener('query', listen);
  return { queries, hashes: verified.map(({ hash }) => hash.split('$').slice(0, 4).join('$')) };
}

test('signs in with an e-mail that has capitals in it and spaces around it', async () => {
  expect(await attempt({ email: ' ADA@example.org ' })).toMatchObject({ account: { id: accountId, email } });
});

test('signs in with the same password typed on a keyboard that encodes its letters differently', async () => {
  expect(await attempt({ password: password.normalize('NFD') })).toMatchObject({
    account: { id: accountId },
  });
});

test.each([
  ['an unknown e-mail', { email: 'eve@example.org' }],
  ['text that is not an e-mail', { email: 'ada' }],
  ['an empty e-mail', { email: '' }],
  ['an e-mail of over 100,000 characters', { email: `${'a'.repeat(100_000)}@example.org` }],
  ['an empty password', { password: '' }],
  ['a password that is too long', { password: 'x'.repeat(100_000) }],
  [
    'an unknown e-mail with a password that is too long',
    { email: 'eve@example.org', password: 'x'.repeat(201) },
  ],
])('rejects %s with the same message and after the same work as a wrong password', async (_, part) => {
  const expected = await workOf({ password: 'wrong horse battery' });
  expect(expected.hashes).toEqual(['$argon2id$v=19$m=8,t=1,p=1']);
  expect(expected.queries).toHaveLength(9);
  expect(await workOf(part)).toEqual(expected);
});

test('a password that is too long never reaches the hash function', async () => {
  await failTimes(1, { password: `${password}${'x'.repeat(200)}` });
  expect(verified.map((call) => call.password)).toEqual(['']);
});

test('only somebody who knows the password learns that an account is disabled', async () => {
  await disableAccount(context, accountId);
  await expect(attempt()).rejects.toMatchObject({
    kind: 'unauthorized',
    message: 'This account is disabled. Ask the operator of this server to enable it again.',
  });
  await failTimes(1, { password: 'wrong horse battery' });
});

test('after ten failures for an account from one address, rejects even the right password there, unhashed, until the window ends', async () => {
  await failTimes(10, { password: 'wrong horse battery' });
  verified.length = 0;
  await expect(attempt()).rejects.toMatchObject({ kind: 'rateLimited', retryAfterSeconds: 900 });
  expect(verified).toEqual([]);
  expect(await attempt({ address: '192.0.2.8' })).toMatchObject({ account: { id: accountId } });
  nowMs += 15 * minuteMs;
  expect(await attempt()).toMatchObject({ account: { id: accountId } });
});

test('throttles an unknown e-mail like a known one', async () => {
  await failTimes(10, { email: 'eve@example.org' });
  await expect(attempt({ email: 'eve@example.org' })).rejects.toMatchObject({ kind: 'rateLimited' });
});

test('a success resets the failures of the same account from the same address', async () => {
  await failTimes(9, { password: 'wrong horse battery' });
  await attempt();
  await failTimes(9, { password: 'wrong horse battery' });
  expect(await attempt()).toMatchObject({ account: { id: accountId } });
});

test('after fifty failures with other e-mails, an address is rejected even for an account that it signed in to meanwhile', async () => {
  await failTimes(1, { email: 'eve@example.org' });
  await setTries('sign-in address', 49);
  await attempt();
  await failTimes(1, { email: 'bob@example.org' });
  await expect(attempt()).rejects.toMatchObject({ kind: 'rateLimited' });
});

test('counts failed sign-ins from two addresses of one IPv6 network together', async () => {
  await failTimes(1, { password: 'wrong horse battery', address: '2001:db8::1' });
  await setTries('sign-in pair', 10);
  await expect(attempt({ address: '2001:db8::2' })).rejects.toMatchObject({ kind: 'rateLimited' });
  expect(await attempt({ address: '2001:db8:0:1::1' })).toMatchObject({ account: { id: accountId } });
});

test('accepts thirty sign-ins with the right password at once', async () => {
  const attempts = await Promise.all(Array.from({ length: 30 }, () => attempt()));
  expect(attempts).toHaveLength(30);
});

test('after a hundred failures for an account from two addresses, rejects its right password even from a third one', async () => {
  await failTimes(1, { password: 'wrong horse battery' });
  await setTries('sign-in account', 99);
  await expect(attempt({ address: '192.0.2.8' })).resolves.toMatchObject({ account: { id: accountId } });
  await failTimes(1, { password: 'wrong horse battery', address: '192.0.2.9' });
  await expect(attempt({ address: '192.0.2.10' })).rejects.toMatchObject({ kind: 'rateLimited' });
});

test('the subjects under which tries are counted have at most 400 characters and do not contain the e-mail', async () => {
  await failTimes(1, { email: `${'a'.repeat(1_000)}@example.org`, address: '2001:db8:ffff:ffff:ffff::1' });
  await failTimes(1, { password: 'wrong horse battery' });
  const subjects: string[] = await storage.db('tries').pluck('subject');
  expect(subjects).toHaveLength(7);
  for (const subject of subjects) {
    expect(subject.length).toBeLessThanOrEqual(400);
    expect(subject).not.toMatch(/ada|aaa|example/u);
  }
});

test('of thirty wrong passwords at once only ten are checked, two at a time', async () => {
  mostRunning = 0;
  held = waitUntil('two are verified', () => running === 2);
  const attempts = await Promise.allSettled(
    Array.from({ length: 30 }, () => attempt({ password: 'wrong horse battery' })),
  );
  expect(attempts.every(({ status }) => status === 'rejected')).toBe(true);
  expect(verified).toHaveLength(10);
  expect(mostRunning).toBe(2);
});

test('a sign-in from an address with no tries left does not enter the queue of password checks', async () => {
  await failTimes(10, { password: 'wrong horse battery' });
  const run = jest.spyOn(context.passwordHasher, 'run').mockClear();
  await expect(attempt()).rejects.toMatchObject({ kind: 'rateLimited' });
  await expect(attempt({ password: 'wrong horse battery' })).rejects.toMatchObject({ kind: 'rateLimited' });
  expect(run).not.toHaveBeenCalled();
});

test('addresses of one IPv6 network count as one caller in the queue of password checks', async () => {
  const run = jest.spyOn(context.passwordHasher, 'run').mockClear();
  for (const host of ['::1', '::ffff:2', ':0:1::1']) await attempt({ address: `2001:db8${host}` });
  const callers = run.mock.calls.map(([caller]) => caller);
  expect(callers[0]).toBe(callers[1]);
  expect(callers[2]).not.toBe(callers[0]);
});

test('a sign-in that the full queue rejects does not count as a failure', async () => {
  jest.spyOn(context.passwordHasher, 'run').mockRejectedValueOnce(new Error('The queue is full.'));
  await expect(attempt({ password: 'wrong horse battery' })).rejects.toThrow('The queue is full.');
  const subjects: string[] = await storage.db('tries').pluck('subject');
  expect(subjects).toEqual(['other']);
});

test('130 wrong passwords at once from one address do not make sign-ins from another address fail', async () => {
  const flood = Promise.allSettled(
    Array.from({ length: 130 }, (_, index) =>
      attempt({ email: `${index}@example.org`, password: 'wrong horse battery' }),
    ),
  );
  for (let time = 0; time < 10; time += 1)
    expect(await attempt({ address: '198.51.100.1' })).toMatchObject({ account: { id: accountId } });
  const kinds = (await flood).map((outcome) =>
    outcome.status === 'rejected' && outcome.reason instanceof ServiceError ? outcome.reason.kind : '',
  );
  expect(kinds.filter((kind) => kind === 'unauthorized')).toHaveLength(50);
  expect(kinds.filter((kind) => kind === 'overloaded').length).toBeGreaterThan(0);
});

const tooOften = (words: string) => ({ kind: 'rateLimited', message: expect.stringContaining(words) });

test('allows an account 100 sign-ins from one address in 15 minutes, and then no longer hashes even the right password', async () => {
  await attempt();
  await setTries('signed in pair', 99);
  await attempt();
  verified.length = 0;
  const words = 'signed in 100 times in 15 minutes from your network address';
  await expect(attempt()).rejects.toMatchObject(tooOften(words));
  await expect(attempt({ password: 'wrong horse battery' })).rejects.toMatchObject(tooOften(words));
  expect(verified).toEqual([]);
  expect(await attempt({ address: '198.51.100.1' })).toMatchObject({ account: { id: accountId } });
  nowMs += 15 * minuteMs;
  expect(await attempt()).toMatchObject({ account: { id: accountId } });
});

test('after 1,000 sign-ins of an account in 24 hours, rejects the next one even from another address', async () => {
  await attempt();
  await setTries('signed in account', 1_000);
  await expect(attempt({ address: '198.51.100.1' })).rejects.toMatchObject(
    tooOften('signed in 1000 times in 24 hours'),
  );
});

test('concurrent right sign-ins stay within 100 in 15 minutes and do not count as failures', async () => {
  await attempt();
  await setTries('signed in pair', 95);
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => attempt()));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  const failures: string[] = await storage
    .db('tries')
    .where('subject', 'like', 'sign-in %')
    .whereNot({ times: '[]' })
    .pluck('subject');
  expect(failures).toEqual([]);
});

test('somebody who only knows the password of an account with a second factor cannot use up its daily sign-ins', async () => {
  await storage.db('accounts').where({ id: accountId }).update({ has_second_factor: true });
  await attempt();
  const subjects: string[] = await storage
    .db('tries')
    .where('subject', 'like', 'signed in %')
    .pluck('subject');
  expect(subjects).toEqual([expect.stringMatching(/^signed in pair /u)]);
});
