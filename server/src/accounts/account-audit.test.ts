import { createSecretKey } from 'node:crypto';
import type { Actor } from '../audit/audit.js';
import { createAuditReader } from '../audit/read-audit.js';
import { testContext } from '../../../test/fixtures/domain-context.js';
import type { KeyContext } from '../keys/create-key.js';
import { systemRandomBytes } from '../platform/random.js';
import { bindInstallation } from '../secret/installation.js';
import type { AccountRow } from '../storage/rows.js';
import type { Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import type { AccountContext } from './account-context.js';
import {
  disableAccount,
  enableAccount,
  removeSecondFactor,
  setAccountLimits,
  setApiAccess,
  setOperator,
} from './account-state.js';
import { changePassword, setPassword } from './change-password.js';
import { createAccount } from './create-account.js';
import { createProject } from './project.js';
import { endOtherSessions, endSession, recordSignOut } from './sessions.js';
import { signIn } from './sign-in.js';
import { signUp } from './sign-up.js';

const password = 'correct horse battery';
const address = '192.0.2.7';
const clock = () => 1_000;
const OPERATOR: Actor = { accountId: 'acc_operator', address: '203.0.113.9', via: 'console' };
const VISITOR: Actor = { accountId: null, address, via: 'console' };

let database: TestDatabase;
let storage: Storage;
let operator: AccountContext & KeyContext;
let visitor: AccountContext;

/** The context of the owner of an account. */
const ownerOf = (accountId: string) => ({ ...operator, actor: { ...VISITOR, accountId } });

beforeEach(async () => {
  database = await createTestDatabase();
  storage = await database.open();
  await bindInstallation(storage.db, createSecretKey(Buffer.alloc(32, 7)), {
    clock,
    randomBytes: systemRandomBytes,
  });
  operator = testContext(storage.db, clock, OPERATOR);
  visitor = { ...operator, actor: VISITOR };
});

afterEach(async () => {
  await storage.close();
  await database.remove();
});

const entered = async () =>
  (await createAuditReader(storage.db).list({ limit: 50 }))
    .reverse()
    .map(({ kind, actor, subject, ...entry }) => [kind, actor?.id, subject?.id, entry.address, entry.detail]);

const addAccount = async (email = 'ada@example.org') =>
  (await signUp(visitor, { email, name: '', password })).id;

const addOperator = async (email: string, disabledAt: number | null = null) => {
  const { account } = await createAccount(operator, { email, password, isOperator: true });
  await storage.db<AccountRow>('accounts').where({ id: account.id }).update({ disabled_at: disabledAt });
  return account.id;
};

test('audits signing up, signing in and out, failed sign-ins and password changes, with the address of the caller', async () => {
  const id = await addAccount();
  const ada = ownerOf(id);
  await signIn(visitor, { email: 'ada@example.org', password });
  await expect(signIn(visitor, { email: 'ada@example.org', password: 'x' })).rejects.toThrow();
  await expect(signIn(visitor, { email: 'who@example.org', password: 'x' })).rejects.toThrow();
  await recordSignOut(ada);
  const change = { accountId: id, current: 'wrong', next: 'another good password' };
  await expect(changePassword(ada, change)).rejects.toThrow('current password is wrong');
  await changePassword(ada, { ...change, current: password });
  await setPassword(operator, id);
  expect(await entered()).toEqual([
    ['account.signed-up', id, id, address, null],
    ['session.signed-in', id, id, address, null],
    ['session.refused', undefined, id, address, null],
    ['session.refused', undefined, undefined, address, null],
    ['session.signed-out', id, id, address, null],
    ['password.refused', id, id, address, null],
    ['password.changed', id, id, address, null],
    ['password.replaced', OPERATOR.accountId, id, OPERATOR.address, null],
  ]);
});

test('audits the changes that an operator makes to an account, with the operator as actor', async () => {
  await addOperator('first@example.org');
  const id = await addOperator('second@example.org');
  await setApiAccess(operator, id, true);
  await setApiAccess(operator, id, false);
  await setAccountLimits(operator, id, { captures: 3 });
  await setOperator(operator, id, false);
  await setOperator(operator, id, true);
  await disableAccount(operator, id);
  await enableAccount(operator, id);
  const project = await createProject(operator, { accountId: id, name: 'Map' });
  const entries = (await entered()).slice(1);
  expect(entries.map(([kind, , , , detail]) => [kind, detail])).toEqual([
    ['account.created', 'operator on, API access off'],
    ['account.api-access-on', null],
    ['account.api-access-off', null],
    ['account.limited', '{"captures":3}'],
    ['account.operator-off', null],
    ['account.operator-on', null],
    ['account.disabled', null],
    ['account.enabled', null],
    ['project.created', project.id],
  ]);
  expect(new Set(entries.map(([, ...who]) => JSON.stringify(who.slice(0, 3))))).toEqual(
    new Set([JSON.stringify([OPERATOR.accountId, id, OPERATOR.address])]),
  );
});

test('audits the ending of sessions and the removal of a second factor, but not if nothing was ended or removed', async () => {
  const id = await addAccount();
  const ada = ownerOf(id);
  const before = (await entered()).length;
  await endSession(ada, id, 'no session');
  await endOtherSessions(ada, id, 'own');
  await removeSecondFactor(operator, id);
  expect((await entered()).slice(before)).toEqual([]);
  for (const session of ['one', 'two', 'three'])
    await storage.db('sessions').insert({ id: session, account_id: id, expires_at: 2_000 });
  await storage.db('accounts').where({ id }).update({ has_second_factor: true });
  await endSession(ada, id, 'one');
  expect(await storage.db('sessions').orderBy('id').pluck('id')).toEqual(['three', 'two']);
  await endOtherSessions(ada, id, 'own');
  await removeSecondFactor(operator, id);
  expect(await storage.db('sessions')).toEqual([]);
  expect((await entered()).slice(before).map(([kind, actor]) => [kind, actor])).toEqual([
    ['session.ended', id],
    ['session.ended', id],
    ['second-factor.off', OPERATOR.accountId],
  ]);
});

test('writes no audit entry if the creation of an account is rejected', async () => {
  await addAccount();
  const before = await entered();
  await expect(addAccount()).rejects.toThrow('An account with the e-mail');
  await expect(createAccount(operator, { email: 'ada@example.org', password })).rejects.toThrow(
    'An account with the e-mail',
  );
  expect(await entered()).toEqual(before);
});
