import { verify } from '@node-rs/argon2';
import { systemRandomBytes } from '../platform/random.js';
import type { Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { createAccount } from './create-account.js';
import { createProject, findProjectOf, listProjects } from './project.js';
import { disableAccount, enableAccount, setApiAccess } from './account-state.js';
import { findAccount, findAccountById, listAccounts } from './account.js';
import { setPassword } from './change-password.js';
import { cheapPasswordHasher } from '../../../test/fixtures/cheap-passwords.js';

const maker = {
  randomBytes: systemRandomBytes,
  clock: () => 1_000,
  passwordHasher: cheapPasswordHasher(),
};
const password = 'correct horse battery';
let database: TestDatabase;
let storage: Storage;

beforeEach(async () => {
  database = await createTestDatabase();
  storage = await database.open();
});

afterEach(async () => {
  await storage.close();
  await database.remove();
});

const storedHash = async () => String((await storage.db('accounts').pluck('password_hash'))[0]);

test('an account is found by its e-mail in any case', async () => {
  const { account, generatedPassword } = await createAccount(storage.db, maker, {
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
  expect(await findAccount(storage.db, 'ADA@example.org')).toEqual(account);
  expect(await verify(await storedHash(), password)).toBe(true);
});

test('generates a missing password, returns it once, and requires its change', async () => {
  const { account, generatedPassword } = await createAccount(storage.db, maker, { email: 'ada@example.org' });
  expect(account.mustChangePassword).toBe(true);
  expect(await verify(await storedHash(), generatedPassword ?? '')).toBe(true);
});

test('rejects an e-mail that is taken, and keeps the existing account', async () => {
  await createAccount(storage.db, maker, { email: 'ada@example.org', name: 'Ada', password });
  await expect(
    createAccount(storage.db, maker, { email: 'ADA@example.org', name: 'Eve', password }),
  ).rejects.toThrow('An account with the e-mail "ada@example.org" already exists.');
  expect(await listAccounts(storage.db)).toMatchObject([{ name: 'Ada' }]);
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
])('rejects an account with invalid details: $problem', async ({ problem, ...wanted }) => {
  await expect(createAccount(storage.db, maker, wanted)).rejects.toThrow(problem);
  expect(await listAccounts(storage.db)).toEqual([]);
});

test.each(['Ada 👩‍💻', 'می‌خواهم', 'שלום', 'O’Neill'])('accepts the name %s unchanged', async (name) => {
  const { account } = await createAccount(storage.db, maker, { email: 'ada@example.org', password, name });
  expect(account.name).toBe(name);
});

test('does not query the database for an invalid id, such as one with a NUL byte', async () => {
  const queries: unknown[] = [];
  storage.db.on('query', (query) => queries.push(query));
  for (const text of ['acc_1\0', 'prj_1\0', '', 'acc_', '1'])
    expect([await findAccountById(storage.db, text), await findProjectOf(storage.db, 'acc_1', text)]).toEqual(
      [undefined, undefined],
    );
  expect(queries).toEqual([]);
  await findAccountById(storage.db, 'acc_1');
  await findProjectOf(storage.db, 'acc_1', 'prj_1');
  expect(queries).toHaveLength(2);
});

test('accounts are listed by e-mail with their flags', async () => {
  await createAccount(storage.db, maker, { email: 'b@example.org', password, isOperator: true });
  await createAccount(storage.db, maker, { email: 'a@example.org', password, hasApiAccess: true });
  expect(await listAccounts(storage.db)).toMatchObject([
    { email: 'a@example.org', isOperator: false, hasApiAccess: true },
    { email: 'b@example.org', isOperator: true, hasApiAccess: false },
  ]);
});

test('disabling keeps its first time until it is taken back', async () => {
  const { account } = await createAccount(storage.db, maker, { email: 'ada@example.org', password });
  const disabledAt = async () => (await findAccount(storage.db, account.email))?.disabledAtMs;
  await disableAccount(storage.db, account.id, () => 2_000);
  await disableAccount(storage.db, account.id, () => 3_000);
  expect(await disabledAt()).toBe(2_000);
  await enableAccount(storage.db, account.id);
  expect(await disabledAt()).toBeNull();
});

test('API access is switched on and off', async () => {
  const { account } = await createAccount(storage.db, maker, { email: 'ada@example.org', password });
  for (const hasApiAccess of [true, false]) {
    await setApiAccess(storage.db, account.id, hasApiAccess);
    expect(await findAccount(storage.db, account.email)).toMatchObject({ hasApiAccess });
  }
});

const passwordDeps = () => ({ ...maker, db: storage.db });

test('another password replaces the old one; a made one must be changed', async () => {
  const { account } = await createAccount(storage.db, maker, { email: 'ada@example.org' });
  expect(await setPassword(passwordDeps(), account.id, 'another long password')).toBeUndefined();
  expect(await verify(await storedHash(), 'another long password')).toBe(true);
  expect(await findAccount(storage.db, account.email)).toMatchObject({ mustChangePassword: false });

  const made = await setPassword(passwordDeps(), account.id);
  expect(await verify(await storedHash(), made ?? '')).toBe(true);
  expect(await findAccount(storage.db, account.email)).toMatchObject({ mustChangePassword: true });
  await expect(setPassword(passwordDeps(), account.id, 'short')).rejects.toThrow(/12 to 200/u);
});

test("a project's name is taken once per account, and another account may have it too", async () => {
  const { account: ada } = await createAccount(storage.db, maker, { email: 'ada@example.org', password });
  const { account: bob } = await createAccount(storage.db, maker, { email: 'bob@example.org', password });
  const project = await createProject(storage.db, maker, { accountId: ada.id, name: ' Map ' });
  expect(project).toMatchObject({ name: 'Map', createdAtMs: 1_000 });
  await expect(createProject(storage.db, maker, { accountId: ada.id, name: 'Map' })).rejects.toThrow(
    'The account already has a project named "Map".',
  );
  await createProject(storage.db, maker, { accountId: ada.id, name: 'Atlas' });
  await createProject(storage.db, maker, { accountId: bob.id, name: 'Map' });
  expect((await listProjects(storage.db, ada.id)).map(({ name }) => name)).toEqual(['Atlas', 'Map']);
});
