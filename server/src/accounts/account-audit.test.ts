import { createSecretKey } from 'node:crypto';
import type { Actor } from '../audit/audit.js';
import { createAuditReader } from '../audit/read-audit.js';
import { testContext } from '../../../test/fixtures/domain-context.js';
import { createKey, type KeyContext } from '../keys/create-key.js';
import { systemRandomBytes } from '../platform/random.js';
import { bindInstallation } from '../secret/installation.js';
import type { AccountRow } from '../storage/rows.js';
import type { Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { TIME_PLACES, timeColumn } from '../usage/response-times.js';
import type { AccountContext } from './account-context.js';
import {
  disableAccount,
  enableAccount,
  removeSecondFactor,
  setAccountLimits,
  setApiAccess,
  setOperator,
} from './account-state.js';
import { findAccountById } from './account.js';
import { changePassword, setPassword } from './change-password.js';
import { createAccount } from './create-account.js';
import { deleteAccount, deleteOwnAccount } from './delete-account.js';
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

test('records signing up, signing in and out, failed sign-ins and password changes with the address of the caller', async () => {
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

test('audits the changes of an operator with the operator as actor', async () => {
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

test('records ended sessions and a removed second factor, but only if there were any', async () => {
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

test('audits no change that was rejected', async () => {
  await addAccount();
  const before = await entered();
  await expect(addAccount()).rejects.toThrow('An account with the e-mail');
  await expect(createAccount(operator, { email: 'ada@example.org', password })).rejects.toThrow(
    'An account with the e-mail',
  );
  expect(await entered()).toEqual(before);
});

async function allTables(): Promise<string[]> {
  const { db, dialect } = storage;
  return dialect === 'sqlite'
    ? db('sqlite_master').where({ type: 'table' }).pluck('name')
    : db('pg_tables').whereRaw('schemaname = current_schema()').pluck('tablename');
}

/** The tables with a column that refers to accounts or keys. */
async function tablesNaming(column: string): Promise<string[]> {
  const { db } = storage;
  const names = await allTables();
  const found = await Promise.all(
    names.map(async (name) => ((await db.schema.hasColumn(name, column)) ? [name] : [])),
  );
  return found.flat();
}

test('deleting an account leaves only its id in the audit, no e-mail there, and no rows in any other table', async () => {
  const { db } = storage;
  const id = await addAccount();
  const ada = ownerOf(id);
  const other = await addAccount('bob@example.org');
  await signIn(visitor, { email: 'ada@example.org', password });
  for (const accountId of [id, other]) {
    const project = await createProject(ada, { accountId, name: 'Map' });
    const { key } = await createKey(ada, { accountId, projectId: project.id });
    expect(key).toMatch(/^sp_live_/u);
    await db('sessions').insert({ id: `session of ${accountId}`, account_id: accountId, expires_at: 1 });
    await db('encryption_keys').insert({ id: `enc_${accountId}`, wrapped_key: 'x', created_at: 1 });
    await db('refresh_tokens').insert({
      ...{ id: `ref_${accountId}`, account_id: accountId, hash: accountId, ciphertext: 'x', created_at: 1 },
      encryption_key_id: `enc_${accountId}`,
    });
    await db('second_factors').insert({
      ...{ id: `fac_${accountId}`, account_id: accountId, ciphertext: 'x', created_at: 1 },
      encryption_key_id: `enc_${accountId}`,
    });
    await db('recovery_codes').insert({ hash: `code of ${accountId}`, account_id: accountId });
    await db('return_urls').insert({ id: `url_${accountId}`, url: accountId, name: 'x', created_at: 1 });
    const consent = { account_id: accountId, return_url_id: `url_${accountId}`, agreed_at: 1 };
    await db('return_url_consents').insert(consent);
    const link = { kind: 'reset', hash: `link of ${accountId}`, expires_at: 1 };
    await db('one_time_links').insert({ account_id: accountId, ...link });
  }
  const keyIds: number[] = await db('api_keys').orderBy('id').pluck('id');
  for (const keyId of keyIds) {
    await db('usage_minutes').insert({ key_id: keyId, minute: 1, requests: 1 });
    const counts = { requests: 1, minute: 1, minute_requests: 1, granted: 1, per_minute: 1, per_day: 1 };
    await db('usage_days').insert({ key_id: keyId, day: 1, ...counts });
    await db('linked_files').insert({
      ...{ hash: `file of ${keyId}`, account_id: keyId === keyIds[0] ? id : other, key_id: keyId },
      ...{ name: 'x', media_type: 'x', bytes: 1, expires_at: 1 },
    });
    const accountId = keyId === keyIds[0] ? id : other;
    await db('limit_alerts').insert({ day: 1, account_id: accountId, key_id: keyId, percent: 80 });
    await db('inbox_requests').insert({
      ...{ id: `req_${keyId}`, kind: 'limits', subject: `limits ${keyId}`, asked_at: 1 },
      ...{ account_id: accountId, key_id: keyId },
    });
    await db('capture_links').insert({
      ...{ id: `lnk_${keyId}`, hash: `link of ${keyId}`, account_id: accountId, key_id: keyId },
      ...{ operation: 'x', ciphertext: 'x', encryption_key_id: `enc_${accountId}` },
      ...{ refresh_seconds: 60, created_at: 1, expires_at: 1 },
    });
    await db('request_log').insert({ key_id: keyId, id: 'x', at: 1, requests: 1, entries: '[]' });
    await db('usage_counts').insert({
      ...{ span_minutes: 1, start_minute: 1, key_id: keyId, operation: 'x', outcome: '2xx', requests: 1 },
      ...Object.fromEntries(Array.from({ length: TIME_PLACES }, (_, place) => [timeColumn(place), 0])),
    });
    await db('oauth_connections').insert({
      ...{ id: `con_${keyId}`, key_id: keyId, client_id: 'x', client_name: 'x' },
      ...{ redirect_uri: 'x', resource: 'x' },
      ...{ code_hash: `hash of ${keyId}`, code_challenge: 'x', expires_at: 1, created_at: 1 },
    });
  }
  const namesOfAccounts = await tablesNaming('account_id');
  const namesOfKeys = await tablesNaming('key_id');
  const rowsOf = async () => [
    ...(await Promise.all(namesOfAccounts.map((name) => db(name).where({ account_id: id })))),
    ...(await Promise.all(namesOfKeys.map((name) => db(name).where({ key_id: keyIds[0] })))),
  ];
  // An empty table would prove nothing here. For a new table, add a row above, and delete it in `deleteAccount`.
  expect((await rowsOf()).map((rows) => rows.length)).toEqual(
    [...namesOfAccounts, ...namesOfKeys].map(() => 1),
  );

  await deleteAccount(operator, id);
  expect((await rowsOf()).flat()).toEqual([]);
  expect(await db('accounts').pluck('id')).toEqual([other]);
  expect(await db('api_keys').pluck('id')).toEqual(keyIds.slice(1));
  expect(await db('usage_days').pluck('key_id')).toEqual(keyIds.slice(1));
  const entries = await entered();
  expect(entries.at(-1)).toEqual(['account.deleted', OPERATOR.accountId, id, OPERATOR.address, null]);
  expect(entries.filter(([, actor]) => actor === id).map(([, , , from]) => from)).toEqual(
    entries.filter(([, actor]) => actor === id).map(() => null),
  );
  for (const name of await allTables()) {
    expect([name, JSON.stringify(await db(name))]).toEqual([name, expect.not.stringContaining('ada@')]);
  }
  await addAccount();
});

test('an owner can delete their account with only its password, and no e-mail remains', async () => {
  await addOperator('first@example.org');
  const id = await addAccount();
  const ada = ownerOf(id);
  await expect(deleteOwnAccount(ada, id, 'wrong')).rejects.toThrow('current password is wrong');
  expect(await findAccountById(operator, id)).toBeDefined();
  await deleteOwnAccount(ada, id, password);
  expect(await findAccountById(operator, id)).toBeUndefined();
  expect((await entered()).slice(-2)).toEqual([
    ['password.refused', id, id, null, null],
    ['account.deleted', id, id, null, null],
  ]);
});
