import { verify } from '@node-rs/argon2';
import { testContext } from '../../../test/fixtures/domain-context.js';
import type { Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import type { AccountContext } from './account-context.js';
import { createAccount } from './create-account.js';
import { createProject, findProject, listProjects } from './project.js';
import { disableAccount, enableAccount, setApiAccess } from './account-state.js';
import { findAccount, findAccountById, findAccountId, listAccounts } from './account.js';
import { setPassword } from './change-password.js';

const password = 'correct horse battery';
let database: TestDatabase;
let storage: Storage;
let nowMs: number;
let context: AccountContext;

beforeEach(async () => {
  database = await createTestDatabase();
  storage = await database.open();
  nowMs = 1_000;
  context = testContext(storage.db, () => nowMs);
});

afterEach(async () => {
  await storage.close();
  await database.remove();
});

const storedHash = async () => String((await storage.db('accounts').pluck('password_hash'))[0]);

test('a new account has its e-mail in lower case and its name trimmed, and is found by the e-mail in other letter case', async () => {
  const { account, generatedPassword } = await createAccount(context, {
    email: 'Ada@Example.org',
    name: ' Ada ',
    password,
  });
  expect(account).toEqual({
    id: expect.stringMatching(/^acc_[0-9A-Za-z]{20}$/u),
    email: 'ada@example.org',
    name: 'Ada',
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
    createdAtMs: 1_000,
  });
  expect(generatedPassword).toBeUndefined();
  expect(await findAccount(storage, 'ADA@example.org')).toEqual(account);
  expect(await verify(await storedHash(), password)).toBe(true);
});

test('creating an account without a password generates one, returns it, and requires its change', async () => {
  const { account, generatedPassword } = await createAccount(context, { email: 'ada@example.org' });
  expect(account.mustChangePassword).toBe(true);
  expect(await verify(await storedHash(), generatedPassword ?? '')).toBe(true);
});

test('rejects an e-mail that another account has, and leaves that account unchanged', async () => {
  await createAccount(context, { email: 'ada@example.org', name: 'Ada', password });
  await expect(createAccount(context, { email: 'ADA@example.org', name: 'Eve', password })).rejects.toThrow(
    'An account with the e-mail "ada@example.org" already exists.',
  );
  expect(await listAccounts(storage)).toMatchObject([{ name: 'Ada' }]);
});

test.each([
  { email: 'ada', password, problem: /is not an e-mail address/u },
  { email: 'ada@example.org', password: 'short', problem: /Choose one of 12 to 200 characters/u },
  { email: 'ada@example.org', password, name: ' ', problem: /The name must have 1 to 100 characters/u },
  { email: 'ada@example.org', password, name: 'a\u001b[2Jb', problem: /without control characters/u },
  ...['\u061c', '\u200e', '\u200f', '\u202a', '\u202e', '\u2066', '\u2069'].map((turning) => ({
    email: 'ada@example.org',
    password,
    name: `Ada${turning}gro.elpmaxe`,
    problem: /without control characters, such as those that change the direction of text/u,
  })),
])('rejects invalid details of an account with the message $problem', async ({ problem, ...wanted }) => {
  await expect(createAccount(context, wanted)).rejects.toThrow(problem);
  expect(await listAccounts(storage)).toEqual([]);
});

test.each(['Ada 👩‍💻', 'می‌خواهم', 'שלום', 'O’Neill'])('accepts the name %s unchanged', async (name) => {
  const { account } = await createAccount(context, { email: 'ada@example.org', password, name });
  expect(account.name).toBe(name);
});

test('looking up an account or project does not query the database for an invalid id, such as one with a NUL byte', async () => {
  const queries: unknown[] = [];
  storage.db.on('query', (query) => queries.push(query));
  for (const text of ['acc_1\0', 'prj_1\0', '', 'acc_', '1'])
    expect([await findAccountById(storage, text), await findProject(storage, 'acc_1', text)]).toEqual([
      undefined,
      undefined,
    ]);
  expect(queries).toEqual([]);
  await findAccountById(storage, 'acc_1');
  await findProject(storage, 'acc_1', 'prj_1');
  expect(queries).toHaveLength(2);
});

test('lists accounts in the order of their e-mails, with whether each is an operator and has API access', async () => {
  await createAccount(context, { email: 'b@example.org', password, isOperator: true });
  await createAccount(context, { email: 'a@example.org', password, hasApiAccess: true });
  expect(await listAccounts(storage)).toMatchObject([
    { email: 'a@example.org', isOperator: false, hasApiAccess: true },
    { email: 'b@example.org', isOperator: true, hasApiAccess: false },
  ]);
});

test('an account that is disabled twice keeps the time of the first; enabling it removes the time', async () => {
  const { account } = await createAccount(context, { email: 'ada@example.org', password });
  const disabledAt = async () => (await findAccount(storage, account.email))?.disabledAtMs;
  nowMs = 2_000;
  await disableAccount(context, account.id);
  nowMs = 3_000;
  await disableAccount(context, account.id);
  expect(await disabledAt()).toBe(2_000);
  await enableAccount(context, account.id);
  expect(await disabledAt()).toBeNull();
});

test('turns API access of an account on and off', async () => {
  const { account } = await createAccount(context, { email: 'ada@example.org', password });
  for (const hasApiAccess of [true, false]) {
    await setApiAccess(context, account.id, hasApiAccess);
    expect(await findAccount(storage, account.email)).toMatchObject({ hasApiAccess });
  }
});

test('a new password replaces the old one, and a generated one must be changed', async () => {
  const { account } = await createAccount(context, { email: 'ada@example.org' });
  expect(await setPassword(context, account.id, 'another long password')).toBeUndefined();
  expect(await verify(await storedHash(), 'another long password')).toBe(true);
  expect(await findAccount(storage, account.email)).toMatchObject({ mustChangePassword: false });

  const made = await setPassword(context, account.id);
  expect(await verify(await storedHash(), made ?? '')).toBe(true);
  expect(await findAccount(storage, account.email)).toMatchObject({ mustChangePassword: true });
  await expect(setPassword(context, account.id, 'short')).rejects.toThrow(/12 to 200/u);
});

test('rejects a second project of the same name in an account, but allows the name in another account', async () => {
  const { account: ada } = await createAccount(context, { email: 'ada@example.org', password });
  const { account: bob } = await createAccount(context, { email: 'bob@example.org', password });
  const project = await createProject(context, { accountId: ada.id, name: ' Map ' });
  expect(project).toMatchObject({ name: 'Map', createdAtMs: 1_000 });
  await expect(createProject(context, { accountId: ada.id, name: 'Map' })).rejects.toThrow(
    'The account already has a project named "Map".',
  );
  await createProject(context, { accountId: ada.id, name: 'Atlas' });
  await createProject(context, { accountId: bob.id, name: 'Map' });
  expect((await listProjects(storage, ada.id)).map(({ name }) => name)).toEqual(['Atlas', 'Map']);
});

test('returns the id of the account with an e-mail, ignoring case and outer spaces; returns any other text trimmed', async () => {
  const { account } = await createAccount(context, { email: 'ada@example.org' });
  expect(await findAccountId(context, ' ADA@example.org ')).toBe(account.id);
  expect(await findAccountId(context, ` ${account.id} `)).toBe(account.id);
  expect(await findAccountId(context, 'bob@example.org')).toBe('bob@example.org');
});
