import { testContext } from '../../../test/fixtures/domain-context.js';
import type { Actor } from '../audit/audit.js';
import { createAuditReader } from '../audit/read-audit.js';
import { HOUR_MS } from '../platform/time-units.js';
import type { OneTimeLinkRow } from '../storage/rows.js';
import type { Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import type { AccountContext } from './account-context.js';
import {
  createPasswordLink,
  openLink,
  prepareInvitation,
  storeInvitation,
  useLink,
} from './account-links.js';
import { disableAccount, enableAccount } from './account-state.js';
import { setPassword } from './change-password.js';
import { signIn } from './sign-in.js';

const PASSWORD = 'four words nobody guesses';
const ADDRESS = '192.0.2.7';
const VISITOR: Actor = { accountId: null, address: ADDRESS, via: 'console' };
const OPERATOR: Actor = { accountId: 'acc_operator', address: '203.0.113.9', via: 'console' };

let nowMs: number;
let database: TestDatabase;
let storage: Storage;
let operator: AccountContext;
let visitor: AccountContext;

beforeEach(async () => {
  nowMs = 1_000;
  database = await createTestDatabase();
  storage = await database.open();
  operator = testContext(storage.db, () => nowMs, OPERATOR);
  visitor = { ...operator, actor: VISITOR };
});
afterEach(async () => {
  await storage.close();
  await database.remove();
});

const invite = async (email = 'ada@example.org') =>
  storeInvitation(operator, await prepareInvitation(operator, { email, name: 'Ada' }));
const use = (token: string, password = PASSWORD) => useLink(visitor, { token, password });
const signInAsAda = (password = PASSWORD) => signIn(visitor, { email: 'ada@example.org', password });

const GONE = /This link does not work/u;

test('an invited account signs in with the password that its owner chose at the invitation link, and need not change it', async () => {
  const { account, link } = await invite();
  expect(link.expiresAtMs - nowMs).toBe(7 * 24 * HOUR_MS);
  expect(await openLink(visitor, link.token)).toMatchObject({
    kind: 'invitation',
    account: { id: account.id },
  });
  expect(await use(link.token)).toMatchObject({ id: account.id, mustChangePassword: false });
  expect((await signInAsAda()).account.id).toBe(account.id);
});

test('using a link returns the account as having a second factor if one was turned on while the new password was hashed', async () => {
  const { account, link } = await invite();
  const { passwordHasher } = visitor;
  const hash = passwordHasher.hash.bind(passwordHasher);
  passwordHasher.hash = async (...words) => {
    await storage.db('accounts').where({ id: account.id }).update({ has_second_factor: true });
    return hash(...words);
  };
  expect(await use(link.token)).toMatchObject({ id: account.id, hasSecondFactor: true });
});

test('the token of a link has 256 bits and is not stored in readable form', async () => {
  const { link } = await invite();
  expect(Buffer.from(link.token, 'base64url')).toHaveLength(32);
  const rows = await storage.db<OneTimeLinkRow>('one_time_links');
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(link.token);
});

test('accepts a link once: of two concurrent uses only one sets the password', async () => {
  const { link } = await invite();
  const other = await database.open();
  const tries = await Promise.allSettled([
    use(link.token, 'the first of the two passwords'),
    useLink({ ...visitor, db: other.db }, { token: link.token, password: 'the second of these two' }),
  ]);
  expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await expect(use(link.token)).rejects.toThrow(GONE);
  const isFirst = tries[0].status === 'fulfilled';
  await signInAsAda(isFirst ? 'the first of the two passwords' : 'the second of these two');
  await other.close();
});

test('rejects an expired or replaced link, one whose account has got another password, and one of a disabled account', async () => {
  const { account, link } = await invite();
  nowMs = link.expiresAtMs;
  await expect(openLink(visitor, link.token)).rejects.toThrow(GONE);
  await expect(use(link.token)).rejects.toThrow(GONE);
  const older = await createPasswordLink(operator, account.id);
  const newer = await createPasswordLink(operator, account.id);
  await expect(openLink(visitor, older.link.token)).rejects.toThrow(GONE);
  await openLink(visitor, newer.link.token);
  await disableAccount(operator, account.id);
  await expect(use(newer.link.token)).rejects.toThrow(GONE);
  await expect(createPasswordLink(operator, account.id)).rejects.toThrow('Enable it first');
  await enableAccount(operator, account.id);
  await setPassword(operator, account.id, PASSWORD);
  await expect(use(newer.link.token)).rejects.toThrow(GONE);
});

test('before a password is set, a new link is an invitation and ends the older one; afterwards it is a reset link for one hour', async () => {
  const { account, link } = await invite();
  expect((await createPasswordLink(operator, account.id)).link.kind).toBe('invitation');
  await expect(use(link.token)).rejects.toThrow(GONE);
  await setPassword(operator, account.id, PASSWORD);
  const reset = (await createPasswordLink(operator, account.id)).link;
  expect([reset.kind, reset.expiresAtMs - nowMs]).toEqual(['reset', HOUR_MS]);
});

test('rejects a password that breaks the rules, without using up the link', async () => {
  const { link } = await invite();
  await expect(use(link.token, 'short')).rejects.toThrow('Choose one of 12 to 200 characters');
  await expect(use(link.token, 'ada@example.org')).rejects.toThrow('easily guessed');
  await use(link.token);
});

test.each(['', 'x', 'A'.repeat(43), '../../etc/passwd', '\0'])('rejects the link token %j', async (token) => {
  await invite();
  await expect(openLink(visitor, token)).rejects.toThrow(GONE);
});

test("using a link ends the account's sessions, and the audit has one entry for making the link and one for using it", async () => {
  const { account, link } = await invite();
  await storage
    .db('sessions')
    .insert({ id: 'a session', account_id: account.id, expires_at: nowMs + HOUR_MS });
  await use(link.token);
  expect(await storage.db('sessions')).toEqual([]);
  const entries = await createAuditReader(storage.db).list({ limit: 10 });
  expect(entries.map(({ kind, actor, address, detail }) => [kind, actor?.id, address, detail])).toEqual([
    ['link.used', account.id, ADDRESS, 'invitation'],
    ['link.made', OPERATOR.accountId, OPERATOR.address, 'invitation'],
    ['account.created', OPERATOR.accountId, OPERATOR.address, 'operator off, API access off'],
  ]);
});
