import { createSecretKey } from 'node:crypto';
import { testContext } from '../../../test/fixtures/domain-context.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import type { Actor } from '../audit/audit.js';
import { createAuditReader } from '../audit/read-audit.js';
import { createKey, type KeyContext } from '../keys/create-key.js';
import { systemRandomBytes as randomBytes } from '../platform/random.js';
import { bindInstallation } from '../secret/installation.js';
import type { Database, Storage } from '../storage/storage.js';
import { TIME_RANGES, timeColumn } from '../usage/response-times.js';
import type { AccountContext } from './account-context.js';
import { findAccountById } from './account.js';
import { createAccount } from './create-account.js';
import { deleteAccount, deleteOwnAccount } from './delete-account.js';
import { createProject } from './project.js';
import { signIn } from './sign-in.js';
import { signUp } from './sign-up.js';

const password = 'correct horse battery';
const clock = () => 1_000;
const OPERATOR: Actor = { accountId: 'acc_operator', address: '203.0.113.9', via: 'console' };
const VISITOR: Actor = { accountId: null, address: '192.0.2.7', via: 'console' };

let database: TestDatabase;
let storage: Storage;
let db: Database;
let operator: AccountContext & KeyContext;
let visitor: AccountContext;
let ada: string;
let bob: string;
/** The ids of Ada's key and Bob's key, in this order. */
let keyIds: readonly number[];
let namesOfAccounts: readonly string[];
let namesOfKeys: readonly string[];
/** How many rows of Ada and of her key each table had before she was deleted. */
let counted: readonly number[];

async function allTables(): Promise<string[]> {
  return storage.dialect === 'sqlite'
    ? db('sqlite_master').where({ type: 'table' }).pluck('name')
    : db('pg_tables').whereRaw('schemaname = current_schema()').pluck('tablename');
}

/** The tables that have a column of this name. */
async function tablesNaming(column: string): Promise<string[]> {
  const names = await allTables();
  const found = await Promise.all(
    names.map(async (name) => ((await db.schema.hasColumn(name, column)) ? [name] : [])),
  );
  return found.flat();
}

/** The rows of an account and of its key, by table. */
const rowsOf = async (accountId: string, keyId: number | undefined): Promise<unknown[][]> => [
  ...(await Promise.all(namesOfAccounts.map((name) => db(name).where({ account_id: accountId })))),
  ...(await Promise.all(namesOfKeys.map((name) => db(name).where({ key_id: keyId })))),
];

/** Adds a project and a key of the account, and a row in every table whose rows belong to an account. */
async function addRowsOfAccount(accountId: string): Promise<void> {
  const owner = { ...operator, actor: { ...VISITOR, accountId } };
  const project = await createProject(owner, { accountId, name: 'Map' });
  await createKey(owner, { accountId, projectId: project.id });
  await db('sessions').insert({ id: `session of ${accountId}`, account_id: accountId, expires_at: 1 });
  await db('encryption_keys').insert({ id: `enc_${accountId}`, wrapped_key: 'x', created_at: 1 });
  await db('refresh_tokens').insert({
    id: `ref_${accountId}`,
    account_id: accountId,
    hash: accountId,
    ciphertext: 'x',
    created_at: 1,
    encryption_key_id: `enc_${accountId}`,
  });
  await db('second_factors').insert({
    id: `fac_${accountId}`,
    account_id: accountId,
    ciphertext: 'x',
    created_at: 1,
    encryption_key_id: `enc_${accountId}`,
  });
  await db('recovery_codes').insert({ hash: `code of ${accountId}`, account_id: accountId });
  await db('return_urls').insert({ id: `url_${accountId}`, url: accountId, name: 'x', created_at: 1 });
  const consent = { account_id: accountId, return_url_id: `url_${accountId}`, agreed_at: 1 };
  await db('return_url_consents').insert(consent);
  const link = { kind: 'reset', hash: `link of ${accountId}`, expires_at: 1 };
  await db('one_time_links').insert({ account_id: accountId, ...link });
}

/** Adds a row in every table whose rows belong to a key. */
async function addRowsOfKey(accountId: string, keyId: number): Promise<void> {
  await db('usage_minutes').insert({ key_id: keyId, minute: 1, requests: 1 });
  const counts = { requests: 1, minute: 1, minute_requests: 1, granted: 1, per_minute: 1, per_day: 1 };
  await db('usage_days').insert({ key_id: keyId, day: 1, ...counts });
  await db('linked_files').insert({
    hash: `file of ${keyId}`,
    account_id: accountId,
    key_id: keyId,
    name: 'x',
    media_type: 'x',
    bytes: 1,
    expires_at: 1,
  });
  await db('limit_alerts').insert({ day: 1, account_id: accountId, key_id: keyId, percent: 80 });
  await db('inbox_requests').insert({
    id: `req_${keyId}`,
    kind: 'limits',
    subject: `limits ${keyId}`,
    asked_at: 1,
    account_id: accountId,
    key_id: keyId,
  });
  await db('capture_links').insert({
    id: `lnk_${keyId}`,
    hash: `link of ${keyId}`,
    account_id: accountId,
    key_id: keyId,
    operation: 'x',
    ciphertext: 'x',
    encryption_key_id: `enc_${accountId}`,
    refresh_seconds: 60,
    created_at: 1,
    expires_at: 1,
  });
  await db('request_log').insert({ key_id: keyId, id: 'x', at: 1, requests: 1, entries: '[]' });
  await db('usage_counts').insert({
    span_minutes: 1,
    start_minute: 1,
    key_id: keyId,
    operation: 'x',
    outcome: '2xx',
    requests: 1,
    ...Object.fromEntries(Array.from({ length: TIME_RANGES }, (_, index) => [timeColumn(index), 0])),
  });
  await db('oauth_connections').insert({
    id: `con_${keyId}`,
    key_id: keyId,
    client_id: 'x',
    client_name: 'x',
    redirect_uri: 'x',
    resource: 'x',
    code_hash: `hash of ${keyId}`,
    code_challenge: 'x',
    expires_at: 1,
    created_at: 1,
  });
}

const auditEntries = async () =>
  (await createAuditReader(db).list({ limit: 50 }))
    .toReversed()
    .map(({ kind, actor, subject, ...entry }) => [kind, actor?.id, subject?.id, entry.address, entry.detail]);

const signUpAs = async (email: string) => (await signUp(visitor, { email, name: '', password })).id;

beforeAll(async () => {
  database = await createTestDatabase();
  storage = await database.open();
  ({ db } = storage);
  await bindInstallation(db, createSecretKey(Buffer.alloc(32, 7)), { clock, randomBytes });
  operator = testContext(db, clock, OPERATOR);
  visitor = { ...operator, actor: VISITOR };
  ada = await signUpAs('ada@example.org');
  bob = await signUpAs('bob@example.org');
  await signIn(visitor, { email: 'ada@example.org', password });
  for (const id of [ada, bob]) await addRowsOfAccount(id);
  keyIds = await db('api_keys').orderBy('id').pluck('id');
  for (const [index, keyId] of keyIds.entries()) await addRowsOfKey(index === 0 ? ada : bob, keyId);
  namesOfAccounts = await tablesNaming('account_id');
  namesOfKeys = await tablesNaming('key_id');
  counted = (await rowsOf(ada, keyIds[0])).map((rows) => rows.length);
  await deleteAccount(operator, ada);
});
afterAll(async () => {
  await storage.close();
  await database.remove();
});

test('deleting an account leaves no row of it or its key in any table with a column account_id or key_id', async () => {
  // An empty table would prove nothing here. For a new table, add a row above, and delete it in `deleteAccount`.
  expect(counted).toEqual([...namesOfAccounts, ...namesOfKeys].map(() => 1));
  expect((await rowsOf(ada, keyIds[0])).flat()).toEqual([]);
});

test('deleting an account keeps every row of another account and its key', async () => {
  expect((await rowsOf(bob, keyIds[1])).map((rows) => rows.length)).toEqual(counted);
  expect(await db('accounts').where({ id: bob }).pluck('id')).toEqual([bob]);
  expect(await db('api_keys').pluck('id')).toEqual(keyIds.slice(1));
});

test('the audit keeps the id of a deleted account, but no address from which it acted', async () => {
  const entries = await auditEntries();
  expect(entries).toContainEqual(['account.deleted', OPERATOR.accountId, ada, OPERATOR.address, null]);
  const addresses = entries.filter(([, actor]) => actor === ada).map(([, , , address]) => address);
  expect(addresses).not.toEqual([]);
  expect(new Set(addresses)).toEqual(new Set([null]));
});

test('a deleted account leaves its e-mail in no table, and somebody else may sign up with it', async () => {
  for (const name of await allTables())
    expect([name, JSON.stringify(await db(name))]).toEqual([name, expect.not.stringContaining('ada@')]);
  expect(await signUpAs('ada@example.org')).not.toBe(ada);
});

test('an owner can delete their account only with its password, and their address does not remain in the audit', async () => {
  await createAccount(operator, { email: 'first@example.org', password, isOperator: true });
  const id = await signUpAs('cy@example.org');
  const owner = { ...operator, actor: { ...VISITOR, accountId: id } };
  await expect(deleteOwnAccount(owner, id, 'wrong')).rejects.toThrow('current password is wrong');
  expect(await findAccountById(operator, id)).toBeDefined();
  await deleteOwnAccount(owner, id, password);
  expect(await findAccountById(operator, id)).toBeUndefined();
  expect((await auditEntries()).slice(-2)).toEqual([
    ['password.refused', id, id, null, null],
    ['account.deleted', id, id, null, null],
  ]);
});
