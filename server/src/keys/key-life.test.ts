import { accountRow } from '../../../test/fixtures/storage/rows.js';
import type { Actor } from '../audit/audit.js';
import { createAuditReader } from '../audit/read-audit.js';
import { HOUR_MS } from '../platform/time-units.js';
import type { Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { findKeyProblem } from './key-finder.js';
import { testContext } from '../../../test/fixtures/domain-context.js';
import { changeKey, checkKeyDetails, disableKey, enableKey, setKeyLimits } from './change-key.js';
import { createKey, type KeyContext } from './create-key.js';
import { findKey, listKeys, listKeysByProject } from './find-keys.js';
import type { Key } from './key.js';
import { replaceKey } from './replace-key.js';
import { revokeKey } from './revoke-key.js';

const BEGAN_MS = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const ADA: Actor = { accountId: 'acc_1', address: '192.0.2.7', via: 'console' };
const OPERATOR: Actor = { accountId: 'acc_2', address: '192.0.2.8', via: 'console' };
const MAP = { accountId: 'acc_1', projectId: 'prj_1' };
let nowMs: number;
let database: TestDatabase;
let storage: Storage;
let ada: KeyContext;
let operator: KeyContext;

beforeEach(async () => {
  nowMs = BEGAN_MS;
  database = await createTestDatabase();
  storage = await database.open();
  const clock = () => nowMs;
  ada = testContext(storage.db, clock, ADA);
  operator = { ...ada, actor: OPERATOR };
  await storage.db('accounts').insert(accountRow('acc_1', { email: 'ada@example.org' }));
  await storage.db('projects').insert({ id: 'prj_1', account_id: 'acc_1', name: 'Map', created_at: 0 });
});

afterEach(async () => {
  await storage.close();
  await database.remove();
});

const keyWithId = async (id: number): Promise<Key> => {
  const key = await findKey(ada, 'acc_1', id);
  if (key === undefined) throw new Error(`There is no key ${id}.`);
  return key;
};
const make = async (more: object = {}) =>
  keyWithId((await createKey(ada, { ...MAP, ...more, mayExceedMaximum: true })).id);
const problem = ({ id }: Pick<Key, 'id'>) => findKeyProblem(ada, id);
const entered = async () =>
  (await createAuditReader(storage.db).list({ limit: 50 }))
    .reverse()
    .map(({ kind, detail }) => [kind, detail]);

test('changes the name of a key, or removes its note and its end date, and leaves the other details', async () => {
  const endsAtMs = nowMs + HOUR_MS;
  const key = await make({ name: ' Laptop ', note: 'of Ada\r\n👩‍💻', endsAtMs });
  expect(key).toMatchObject({ name: 'Laptop', note: 'of Ada\n👩‍💻', endsAtMs, state: 'live' });
  await changeKey(ada, key, { name: 'حاسوب' });
  expect(await keyWithId(key.id)).toMatchObject({ name: 'حاسوب', note: 'of Ada\n👩‍💻', endsAtMs });
  await changeKey(ada, key, { note: ' ', endsAtMs: null });
  expect(await keyWithId(key.id)).toMatchObject({ name: 'حاسوب', note: null, endsAtMs: null });
  expect(await entered()).toEqual([
    ['key.created', key.prefix],
    ['key.changed', key.prefix],
    ['key.changed', `${key.prefix}, ends never`],
  ]);
});

test.each([
  [{ name: 'x'.repeat(101) }, 'must have 1 to 100 characters'],
  [{ name: 'one\ntwo' }, 'must be one line'],
  [{ note: 'x'.repeat(501) }, 'at most 500 characters'],
  [{ note: 'turned \u202eround' }, 'not have control characters'],
  [{ endsAtMs: BEGAN_MS }, 'must be in the future'],
  [{ endsAtMs: Date.UTC(10_000, 0, 1) }, 'must be in the future'],
])('rejects invalid details of a new or existing key: %j', async (details, words) => {
  const key = await make({ name: 'Laptop' });
  await expect(make(details)).rejects.toThrow(words);
  await expect(changeKey(ada, key, details)).rejects.toThrow(words);
  expect(() => checkKeyDetails(details, nowMs)).toThrow(words);
  expect(await keyWithId(key.id)).toEqual(key);
});

test('rejects a key for good after its end date, and lists it as expired', async () => {
  const key = await make({ endsAtMs: nowMs + HOUR_MS });
  nowMs += HOUR_MS - 1;
  expect(await problem(key)).toBeUndefined();
  nowMs += 1;
  expect(await problem(key)).toEqual({ why: 'expired', atMs: key.endsAtMs });
  expect(await keyWithId(key.id)).toMatchObject({ state: 'expired', revokedAtMs: null });
  const { live, ended } = (await listKeysByProject(ada, 'acc_1')).ofProject('prj_1');
  expect([live, ended.latest.map(({ id }) => id), ended.count]).toEqual([[], [key.id], 1]);
  for (const change of [disableKey, enableKey])
    await expect(change(ada, key, 'owner')).rejects.toThrow('is revoked or has ended');
  await expect(changeKey(ada, key, { endsAtMs: nowMs + HOUR_MS })).rejects.toThrow('is revoked or has ended');
  await revokeKey(ada, key);
  expect(await keyWithId(key.id)).toMatchObject({ state: 'expired', revokedAtMs: null });
});

test('rejects a disabled key until it is enabled, and meanwhile lists it as not ended', async () => {
  const key = await make();
  await disableKey(ada, key, 'owner');
  nowMs += 5;
  await disableKey(ada, key, 'owner');
  expect(await keyWithId(key.id)).toMatchObject({ state: 'disabled', disabledAtMs: BEGAN_MS });
  expect(await problem(key)).toEqual({ why: 'disabled' });
  expect([await listKeys(ada, 'acc_1', 'notEnded'), await listKeys(ada, 'acc_1', 'live')]).toMatchObject([
    [{ id: key.id }],
    [],
  ]);
  await enableKey(ada, key, 'owner');
  expect(await problem(key)).toBeUndefined();
  expect(await listKeys(ada, 'acc_1', 'live')).toMatchObject([{ id: key.id, state: 'live' }]);
  expect((await entered()).slice(1)).toEqual([
    ['key.disabled', key.prefix],
    ['key.disabled', key.prefix],
    ['key.enabled', key.prefix],
  ]);
});

test('lets only operators enable a key that an operator disabled, and does not let its owner replace it', async () => {
  const key = await make();
  const rejection = 'The operator of this server disabled the key, and only the operator can enable it.';
  await disableKey(ada, key, 'owner');
  await disableKey(operator, key, 'operator');
  expect(await keyWithId(key.id)).toMatchObject({ state: 'disabled', disabledBy: 'operator' });
  expect(await problem(key)).toEqual({ why: 'disabledByOperator' });
  await disableKey(ada, key, 'owner');
  for (const tried of [enableKey(ada, key, 'owner'), replaceKey(ada, key, { overlapMs: HOUR_MS })])
    await expect(tried).rejects.toThrow(rejection);
  expect(await problem(key)).toEqual({ why: 'disabledByOperator' });
  expect(await storage.db('api_keys')).toHaveLength(1);
  await enableKey(operator, key, 'operator');
  expect(await problem(key)).toBeUndefined();
  await disableKey(ada, key, 'owner');
  expect(await keyWithId(key.id)).toMatchObject({ disabledBy: 'owner' });
  await enableKey(ada, key, 'owner');
  expect(await keyWithId(key.id)).toMatchObject({ state: 'live', disabledBy: null });
});

test('a replacement has the details of the old key, and the old key expires after the overlap', async () => {
  const old = await make({ name: 'Laptop', note: 'of Ada', perMinute: 60, perDay: 'unlimited' });
  const made = await replaceKey(ada, old, { overlapMs: 24 * HOUR_MS });
  const endsAtMs = nowMs + 24 * HOUR_MS;
  const { name, note, perMinute, perDay, projectId } = old;
  expect(await keyWithId(made.id)).toMatchObject({
    name,
    note,
    perMinute,
    perDay,
    projectId,
    replacesId: old.id,
    endsAtMs: null,
    state: 'live',
  });
  expect(await keyWithId(old.id)).toMatchObject({ replacedById: made.id, endsAtMs, state: 'live' });
  nowMs = endsAtMs;
  expect(await problem(old)).toEqual({ why: 'expired', atMs: endsAtMs });
  expect(await problem(made)).toBeUndefined();
  expect((await entered()).slice(1)).toEqual([['key.replaced', `${old.prefix}, by ${made.prefix}`]]);
});

test('replacing a key without overlap ends it at once; an end date before the end of the overlap stays', async () => {
  const [first, second] = [await make(), await make({ endsAtMs: nowMs + HOUR_MS })];
  await replaceKey(ada, first, { overlapMs: 0, mayExceedMaximum: true });
  expect(await problem(first)).toEqual({ why: 'expired', atMs: nowMs });
  await replaceKey(ada, second, { overlapMs: 24 * HOUR_MS, mayExceedMaximum: true });
  expect(await keyWithId(second.id)).toMatchObject({ endsAtMs: nowMs + HOUR_MS });
});

test("rejects the replacement of a key that is expired, revoked, replaced or an assistant's, and an overlap that is not valid, and creates no key", async () => {
  const expired = await make({ endsAtMs: nowMs + HOUR_MS });
  nowMs += HOUR_MS;
  const [revoked, replaced, connected] = [await make(), await make(), await make()];
  await revokeKey(ada, revoked);
  await replaceKey(ada, replaced, { overlapMs: HOUR_MS, mayExceedMaximum: true });
  await storage.db('oauth_connections').insert({
    id: 'con_1',
    key_id: connected.id,
    client_id: 'c',
    client_name: 'c',
    redirect_uri: 'x',
    resource: 'x',
    code_hash: 'x',
    code_challenge: 'x',
    expires_at: 1,
    created_at: 1,
  });
  for (const [key, words] of [
    [expired, 'is already replaced'],
    [revoked, 'is already replaced'],
    [replaced, 'is already replaced'],
    [connected, 'End the connection'],
  ] as const)
    await expect(replaceKey(ada, key, { overlapMs: HOUR_MS, mayExceedMaximum: true })).rejects.toThrow(words);
  await expect(
    replaceKey(ada, connected, { overlapMs: 366 * 24 * HOUR_MS, mayExceedMaximum: true }),
  ).rejects.toThrow('at most 365 days');
  await expect(replaceKey(ada, connected, { overlapMs: -1, mayExceedMaximum: true })).rejects.toThrow(
    'at most 365 days',
  );
  expect(await storage.db('api_keys')).toHaveLength(5);
});

test('of ten concurrent replacements of a key on two servers, only one is created', async () => {
  const key = await make();
  const elsewhere = await database.open();
  try {
    const another = { ...ada, db: elsewhere.db };
    const answers = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        replaceKey(index % 2 === 0 ? ada : another, key, { overlapMs: HOUR_MS }),
      ),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await storage.db('api_keys')).toHaveLength(2);
  } finally {
    await elsewhere.close();
  }
});

test('rejects the replacement of a key once twenty keys of the account were made on the same day', async () => {
  let key = await make();
  for (let time = 1; time < 20; time += 1)
    key = await keyWithId((await replaceKey(ada, key, { overlapMs: 0 })).id);
  await expect(replaceKey(ada, key, { overlapMs: 0 })).rejects.toThrow(
    /^You have 1 live key, and 19 of those made/u,
  );
  expect(await keyWithId(key.id)).toMatchObject({ state: 'live', replacedById: null });
});

test('a key whose limits an operator raised can be replaced once a day, and the replaced key can then only end earlier', async () => {
  const raised = await make();
  await setKeyLimits(ada, raised, { perDay: 1_000_000 });
  const first = await keyWithId(raised.id);
  const second = await keyWithId((await replaceKey(ada, first, { overlapMs: HOUR_MS })).id);
  expect(second).toMatchObject({ perDay: 1_000_000 });
  await expect(replaceKey(ada, second, { overlapMs: 0 })).rejects.toThrow(/replaced another key today/u);
  await expect(changeKey(ada, await keyWithId(first.id), { endsAtMs: null })).rejects.toThrow(
    /it can only end earlier/u,
  );
  nowMs += 24 * HOUR_MS;
  expect(await replaceKey(ada, second, { overlapMs: 0 })).toMatchObject({ prefix: expect.any(String) });
});

test('revoking a key twice keeps the time of the first revocation', async () => {
  const key = await make();
  await revokeKey(ada, key);
  nowMs += HOUR_MS;
  await revokeKey(ada, key);
  expect(await keyWithId(key.id)).toMatchObject({ state: 'revoked', revokedAtMs: BEGAN_MS });
});

test('says that a revoked key, an unknown key, and a key of a disabled account are revoked', async () => {
  const key = await make();
  await storage.db('accounts').update({ disabled_at: 1 });
  expect(await problem(key)).toEqual({ why: 'revoked' });
  await storage.db('accounts').update({ disabled_at: null });
  await revokeKey(ada, key);
  expect([await problem(key), await problem({ id: 99 })]).toEqual([{ why: 'revoked' }, { why: 'revoked' }]);
});
