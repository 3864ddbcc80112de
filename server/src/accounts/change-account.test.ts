import { testContext } from '../../../test/fixtures/domain-context.js';
import { createAuditReader } from '../audit/read-audit.js';
import { HOUR_MS } from '../platform/time-units.js';
import type { Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import type { AccountContext } from './account-context.js';
import { findAccountById } from './account.js';
import { changeEmail, renameAccount } from './change-account.js';
import { signIn } from './sign-in.js';
import { signUp } from './sign-up.js';

const password = 'correct horse battery';
let nowMs: number;
let database: TestDatabase;
let storage: Storage;
let visitor: AccountContext;
let id: string;
let ada: AccountContext;

beforeEach(async () => {
  nowMs = 1_000;
  database = await createTestDatabase();
  storage = await database.open();
  visitor = testContext(storage.db, () => nowMs, { accountId: null, address: '192.0.2.7', via: 'console' });
  ({ id } = await signUp(visitor, { email: 'ada@example.org', name: '', password }));
  await signUp(visitor, { email: 'bob@example.org', name: '', password });
  ada = { ...visitor, actor: { ...visitor.actor, accountId: id } };
});

afterEach(async () => {
  await storage.close();
  await database.remove();
});

const lastEntries = async (count: number) =>
  (await createAuditReader(storage.db).list({ limit: count }))
    .reverse()
    .map(({ kind, actor, detail }) => [...[kind, actor?.id, detail]]);
const changeTo = (email: string, current = password) => changeEmail(ada, { accountId: id, current, email });

test('an owner can rename the account, or remove its name', async () => {
  await renameAccount(ada, id, ' Ada 👩‍💻 ');
  expect(await findAccountById(visitor, id)).toMatchObject({ name: 'Ada 👩‍💻' });
  await expect(renameAccount(ada, id, 'x'.repeat(101))).rejects.toThrow('1 to 100 characters');
  await renameAccount(ada, id, ' ');
  expect(await findAccountById(visitor, id)).toMatchObject({ name: null });
  expect(await lastEntries(2)).toEqual([
    ['account.renamed', id, null],
    ['account.renamed', id, null],
  ]);
});

test('after a change of the e-mail, only the new e-mail signs in', async () => {
  await changeTo(' Ada@Example.net ');
  expect(await findAccountById(visitor, id)).toMatchObject({ email: 'ada@example.net' });
  await signIn(visitor, { email: 'ada@example.net', password });
  await expect(signIn(visitor, { email: 'ada@example.org', password })).rejects.toThrow('is wrong');
  expect((await lastEntries(3))[0]).toEqual(['account.email-changed', id, null]);
});

test.each([
  ['ada@example.net', 'wrong', 'The current password is wrong.'],
  ['bob@example.org', password, 'with the e-mail "bob@example.org" already'],
  ['ada@example.org', password, 'This account already has that e-mail.'],
  ['no address', password, 'is not an e-mail address'],
])('does not change the e-mail to %s with the password %s: %s', async (email, current, words) => {
  await expect(changeTo(email, current)).rejects.toThrow(words);
  expect(await findAccountById(visitor, id)).toMatchObject({ email: 'ada@example.org' });
});

test('audits a wrong password, and after ten rejected changes of the e-mail rejects even a valid one for an hour', async () => {
  await expect(changeTo('ada@example.net', 'wrong')).rejects.toThrow();
  expect(await lastEntries(1)).toEqual([['password.refused', id, null]]);
  for (let time = 1; time < 10; time += 1)
    await expect(changeTo('bob@example.org')).rejects.toThrow('already');
  await expect(changeTo('ada@example.net')).rejects.toThrow('There were too many tries.');
  nowMs += HOUR_MS;
  await changeTo('ada@example.net');
});

test('if two accounts change to the same e-mail at once, only one gets it', async () => {
  const { id: bob } = await signUp(visitor, { email: 'cy@example.org', name: '', password });
  const answers = await Promise.allSettled([
    changeTo('new@example.org'),
    changeEmail(
      { ...visitor, actor: { ...visitor.actor, accountId: bob } },
      { accountId: bob, current: password, email: 'new@example.org' },
    ),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});
