import { createSecretKey } from 'node:crypto';
import { type Actor, type Audit, createAudit } from '../audit/audit.js';
import { createAuditReader } from '../audit/read-audit.js';
import { testContext } from '../../../test/fixtures/domain-context.js';
import { createKey } from '../keys/create-key.js';
import { systemRandomBytes } from '../platform/random.js';
import { bindInstallation } from '../secret/installation.js';
import type { AccountRow } from '../storage/rows.js';
import type { Storage } from '../storage/storage.js';
import { createThrottle } from '../throttle/throttle.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { type AccountService, createAccountService } from './account-service.js';
import { cheapPasswordHasher } from '../../../test/fixtures/cheap-passwords.js';
import { TIME_PLACES, timeColumn } from '../usage/response-times.js';

const password = 'correct horse battery';
const address = '192.0.2.7';
const clock = () => 1_000;
const operator: Actor = { accountId: 'acc_operator', address: '203.0.113.9', via: 'console' };

let database: TestDatabase;
let storage: Storage;
let audit: Audit;
let accounts: AccountService;

const serviceOn = ({ db }: Pick<Storage, 'db'>): AccountService =>
  createAccountService({
    ...{ db, clock, randomBytes: systemRandomBytes, audit },
    throttle: createThrottle({ db, clock }),
    passwordHasher: cheapPasswordHasher(),
  });

beforeEach(async () => {
  database = await createTestDatabase();
  storage = await database.open();
  await bindInstallation(storage.db, createSecretKey(Buffer.alloc(32, 7)), {
    clock,
    randomBytes: systemRandomBytes,
  });
  audit = createAudit({ clock, randomBytes: systemRandomBytes });
  accounts = serviceOn(storage);
});

afterEach(async () => {
  await storage.close();
  await database.remove();
});

const entered = async () =>
  (await createAuditReader(storage.db).list({ limit: 50 }))
    .reverse()
    .map(({ kind, actor, subject, ...entry }) => [kind, actor?.id, subject?.id, entry.address, entry.detail]);

const signUp = async (email = 'ada@example.org') =>
  (await accounts.signUp({ email, name: '', password, address })).id;

const addOperator = async (email: string, disabledAt: number | null = null) => {
  const { account } = await accounts.create(operator, { email, password, isOperator: true });
  await storage.db<AccountRow>('accounts').where({ id: account.id }).update({ disabled_at: disabledAt });
  return account.id;
};

test('signing up, in and out, what was refused, and changes of the password are entered with their address', async () => {
  const id = await signUp();
  const ada: Actor = { accountId: id, address, via: 'console' };
  await accounts.signIn({ email: 'ada@example.org', password, address });
  await expect(accounts.signIn({ email: 'ada@example.org', password: 'x', address })).rejects.toThrow();
  await expect(accounts.signIn({ email: 'who@example.org', password: 'x', address })).rejects.toThrow();
  await accounts.signOut(ada);
  const change = { accountId: id, current: 'wrong', next: 'another good password' };
  await expect(accounts.changePassword(ada, change)).rejects.toThrow('current password is wrong');
  await accounts.changePassword(ada, { ...change, current: password });
  await accounts.setPassword(operator, id);
  expect(await entered()).toEqual([
    ['account.signed-up', id, id, address, null],
    ['session.signed-in', id, id, address, null],
    ['session.refused', undefined, id, address, null],
    ['session.refused', undefined, undefined, address, null],
    ['session.signed-out', id, id, address, null],
    ['password.refused', id, id, address, null],
    ['password.changed', id, id, address, null],
    ['password.replaced', operator.accountId, id, operator.address, null],
  ]);
});

test('audits the changes of an operator with the operator as actor', async () => {
  await addOperator('first@example.org');
  const id = await addOperator('second@example.org');
  await accounts.setApiAccess(operator, id, true);
  await accounts.setApiAccess(operator, id, false);
  await accounts.setLimits(operator, id, { captures: 3 });
  await accounts.setOperator(operator, id, false);
  await accounts.setOperator(operator, id, true);
  await accounts.disable(operator, id);
  await accounts.enable(operator, id);
  const project = await accounts.createCappedProject(operator, { accountId: id, name: 'Map' });
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
    new Set([JSON.stringify([operator.accountId, id, operator.address])]),
  );
});

test('sessions that are ended and a second factor that is taken away are entered where there were any', async () => {
  const id = await signUp();
  const ada: Actor = { accountId: id, address, via: 'console' };
  const before = (await entered()).length;
  await accounts.endSession(ada, id, 'no session');
  await accounts.endOtherSessions(ada, id, 'own');
  await accounts.removeSecondFactor(operator, id);
  expect((await entered()).slice(before)).toEqual([]);
  for (const session of ['one', 'two', 'three'])
    await storage.db('sessions').insert({ id: session, account_id: id, expires_at: 2_000 });
  await storage.db('accounts').where({ id }).update({ has_second_factor: true });
  await accounts.endSession(ada, id, 'one');
  expect(await storage.db('sessions').orderBy('id').pluck('id')).toEqual(['three', 'two']);
  await accounts.endOtherSessions(ada, id, 'own');
  await accounts.removeSecondFactor(operator, id);
  expect(await storage.db('sessions')).toEqual([]);
  expect((await entered()).slice(before).map(([kind, actor]) => [kind, actor])).toEqual([
    ['session.ended', id],
    ['session.ended', id],
    ['second-factor.off', operator.accountId],
  ]);
});

test('audits no change that was rejected', async () => {
  await signUp();
  const before = await entered();
  await expect(signUp()).rejects.toThrow('An account with the e-mail');
  await expect(accounts.create(operator, { email: 'ada@example.org', password })).rejects.toThrow(
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

test('a deleted account leaves nothing in any table but its number in the audit, and no address there', async () => {
  const { db } = storage;
  const id = await signUp();
  const ada: Actor = { accountId: id, address, via: 'console' };
  const other = await signUp('bob@example.org');
  await accounts.signIn({ email: 'ada@example.org', password, address });
  for (const accountId of [id, other]) {
    const project = await accounts.createProject(ada, { accountId, name: 'Map' });
    const { key } = await createKey(testContext(db, clock, ada), { accountId, projectId: project.id });
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
  // A table that is empty here would prove nothing. If you add a table, add a row above, and its deletion.
  expect((await rowsOf()).map((rows) => rows.length)).toEqual(
    [...namesOfAccounts, ...namesOfKeys].map(() => 1),
  );

  await accounts.remove(operator, id);
  expect((await rowsOf()).flat()).toEqual([]);
  expect(await db('accounts').pluck('id')).toEqual([other]);
  expect(await db('api_keys').pluck('id')).toEqual(keyIds.slice(1));
  expect(await db('usage_days').pluck('key_id')).toEqual(keyIds.slice(1));
  const entries = await entered();
  expect(entries.at(-1)).toEqual(['account.deleted', operator.accountId, id, operator.address, null]);
  expect(entries.filter(([, actor]) => actor === id).map(([, , , from]) => from)).toEqual(
    entries.filter(([, actor]) => actor === id).map(() => null),
  );
  for (const name of await allTables()) {
    expect([name, JSON.stringify(await db(name))]).toEqual([name, expect.not.stringContaining('ada@')]);
  }
  await signUp();
});

test('lets owners delete their account with only its password, and keeps no address', async () => {
  await addOperator('first@example.org');
  const id = await signUp();
  const ada: Actor = { accountId: id, address, via: 'console' };
  await expect(accounts.deleteOwn(ada, id, 'wrong')).rejects.toThrow('current password is wrong');
  expect(await accounts.find(id)).toBeDefined();
  await accounts.deleteOwn(ada, id, password);
  expect(await accounts.find(id)).toBeUndefined();
  expect((await entered()).slice(-2)).toEqual([
    ['password.refused', id, id, null, null],
    ['account.deleted', id, id, null, null],
  ]);
});

const lastOperator = /last enabled operator/u;

test('keeps the last enabled operator from being demoted, disabled or deleted', async () => {
  const id = await addOperator('only@example.org');
  await addOperator('disabled@example.org', 1);
  const only: Actor = { accountId: id, address, via: 'console' };
  const before = await entered();
  await expect(accounts.setOperator(operator, id, false)).rejects.toThrow(lastOperator);
  await expect(accounts.disable(operator, id)).rejects.toThrow(lastOperator);
  await expect(accounts.remove(operator, id)).rejects.toThrow(lastOperator);
  await expect(accounts.deleteOwn(only, id, password)).rejects.toThrow(lastOperator);
  expect(await accounts.find(id)).toMatchObject({ isOperator: true, disabledAtMs: null });
  expect(await entered()).toEqual(before);
});

const ways: readonly [string, (service: AccountService, id: string) => Promise<void>][] = [
  ['unmade', (service, id) => service.setOperator(operator, id, false)],
  ['disabled', (service, id) => service.disable(operator, id)],
  ['deleted', (service, id) => service.remove(operator, id)],
];

test.each(ways)('of two operators that are %s at once, by two servers, one stays', async (_, end) => {
  const ids = [await addOperator('one@example.org'), await addOperator('two@example.org')];
  const other = await database.open();
  try {
    const services = [accounts, serviceOn(other)];
    const ended = await Promise.allSettled(ids.map((id, index) => end(services[index] ?? accounts, id)));
    expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const left = await storage.db('accounts').where({ is_operator: true, disabled_at: null });
    expect(left).toHaveLength(1);
  } finally {
    await other.close();
  }
});
