import { type Actor, createAudit } from '../audit/audit.js';
import { createAuditReader } from '../audit/read-audit.js';
import { systemRandomBytes as randomBytes } from '../platform/random.js';
import { HOUR_MS } from '../platform/time-units.js';
import type { Storage } from '../storage/storage.js';
import { createThrottle } from '../throttle/throttle.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { type AccountService, createAccountService } from './account-service.js';
import { cheapPasswordHasher } from '../../../test/fixtures/cheap-passwords.js';

const password = 'correct horse battery';
const address = '192.0.2.7';
let nowMs: number;
let database: TestDatabase;
let storage: Storage;
let accounts: AccountService;
let id: string;
let ada: Actor;

beforeEach(async () => {
  nowMs = 1_000;
  database = await createTestDatabase();
  storage = await database.open();
  const { db } = storage;
  const clock = () => nowMs;
  accounts = createAccountService({
    ...{ db, clock, randomBytes, audit: createAudit({ clock, randomBytes }) },
    throttle: createThrottle({ db, clock }),
    passwordHasher: cheapPasswordHasher(),
  });
  ({ id } = await accounts.signUp({ email: 'ada@example.org', name: '', password, address }));
  await accounts.signUp({ email: 'bob@example.org', name: '', password, address });
  ada = { accountId: id, address, via: 'console' };
});

afterEach(async () => {
  await storage.close();
  await database.remove();
});

const lastEntries = async (count: number) =>
  (await createAuditReader(storage.db).list({ limit: count }))
    .reverse()
    .map(({ kind, actor, detail }) => [...[kind, actor?.id, detail]]);
const changeEmail = (email: string, current = password) =>
  accounts.changeEmail(ada, { accountId: id, current, email });

test('owners name their account as they like, or not at all', async () => {
  await accounts.rename(ada, id, ' Ada 👩‍💻 ');
  expect(await accounts.find(id)).toMatchObject({ name: 'Ada 👩‍💻' });
  await expect(accounts.rename(ada, id, 'x'.repeat(101))).rejects.toThrow('1 to 100 characters');
  await accounts.rename(ada, id, ' ');
  expect(await accounts.find(id)).toMatchObject({ name: null });
  expect(await lastEntries(2)).toEqual([
    ['account.renamed', id, null],
    ['account.renamed', id, null],
  ]);
});

test('with the password the e-mail is changed, and signs in from then on, the one before no longer', async () => {
  await changeEmail(' Ada@Example.net ');
  expect(await accounts.find(id)).toMatchObject({ email: 'ada@example.net' });
  await accounts.signIn({ email: 'ada@example.net', password, address });
  await expect(accounts.signIn({ email: 'ada@example.org', password, address })).rejects.toThrow('is wrong');
  expect((await lastEntries(3))[0]).toEqual(['account.email-changed', id, null]);
});

test.each([
  ['ada@example.net', 'wrong', 'The current password is wrong.'],
  ['bob@example.org', password, 'with the e-mail "bob@example.org" already'],
  ['ada@example.org', password, 'This account already has that e-mail.'],
  ['no address', password, 'is not an e-mail address'],
])('the e-mail is not changed to %s with %s', async (email, current, words) => {
  await expect(changeEmail(email, current)).rejects.toThrow(words);
  expect(await accounts.find(id)).toMatchObject({ email: 'ada@example.org' });
});

test('a wrong password is entered, and nobody learns by the hundred who has an account', async () => {
  await expect(changeEmail('ada@example.net', 'wrong')).rejects.toThrow();
  expect(await lastEntries(1)).toEqual([['password.refused', id, null]]);
  for (let time = 1; time < 10; time += 1)
    await expect(changeEmail('bob@example.org')).rejects.toThrow('already');
  await expect(changeEmail('ada@example.net')).rejects.toThrow('There were too many tries.');
  nowMs += HOUR_MS;
  await changeEmail('ada@example.net');
});

test('of two accounts that want one e-mail at once one gets it', async () => {
  const { id: bob } = await accounts.signUp({ email: 'cy@example.org', name: '', password, address });
  const answers = await Promise.allSettled([
    changeEmail('new@example.org'),
    accounts.changeEmail(
      { ...ada, accountId: bob },
      { accountId: bob, current: password, email: 'new@example.org' },
    ),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});
