import { testContext } from '../../../test/fixtures/domain-context.js';
import type { Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import type { AccountContext } from './account-context.js';
import { createAccount } from './create-account.js';
import { acceptCode, beginSession, listSessions, readSession, touchSession } from './sessions.js';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const from = { address: '192.0.2.7', browser: 'Firefox on Linux' };
let nowMs: number;
let database: TestDatabase;
let storage: Storage;
let context: AccountContext;
let adaId: string;
let bobId: string;

beforeEach(async () => {
  nowMs = 10 * hourMs;
  database = await createTestDatabase();
  storage = await database.open();
  context = testContext(storage.db, () => nowMs);
  const create = async (email: string) => (await createAccount(context, { email })).account.id;
  adaId = await create('ada@example.org');
  bobId = await create('bob@example.org');
});

afterEach(async () => {
  await storage.close();
  await database.remove();
});

const write = (id: string, accountId: string) => beginSession(context, id, { accountId, ...from });

const live = async (...ids: string[]) => {
  const found = await Promise.all(ids.map((id) => readSession(context, id)));
  return ids.filter((_, index) => found[index] !== undefined);
};

const countStored = async () => (await storage.db('sessions').pluck<string[]>('id')).length;

test('an account has at most 50 sessions: the one that was not used for longest ends for the next', async () => {
  for (let nth = 0; nth < 50; nth += 1) {
    nowMs += minuteMs;
    await write(`nth ${nth}`, adaId);
  }
  await write('other', bobId);
  nowMs += hourMs;
  const oldest = await readSession(context, 'nth 0');
  expect(oldest && (await touchSession(context, 'nth 0', oldest))).toBe(true);
  await write('one more', adaId);
  expect(await live('nth 0', 'nth 1', 'nth 2', 'one more', 'other')).toEqual([
    ...['nth 0', 'nth 2', 'one more', 'other'],
  ]);
  expect(await countStored()).toBe(51);
  expect((await listSessions(context, adaId, { offset: 45, limit: 10 })).sessions).toHaveLength(5);
  expect((await listSessions(context, adaId, { offset: 0, limit: 10 })).total).toBe(50);
});

test('twenty sessions that begin at once on two servers beside 49 others are 50 in the end', async () => {
  for (let nth = 0; nth < 49; nth += 1) await write(`nth ${nth}`, adaId);
  const elsewhere = await database.open();
  try {
    const contexts = [context, { ...context, db: elsewhere.db }];
    const begin = (on: AccountContext, nth: number) =>
      beginSession(on, `at once ${nth}`, { accountId: adaId, ...from });
    const begun = contexts.flatMap((on, first) =>
      Array.from({ length: 10 }, (_, nth) => begin(on, 10 * first + nth)),
    );
    await Promise.all(begun);
    expect(await countStored()).toBe(50);
  } finally {
    await elsewhere.close();
  }
});

test('sign-ins that wait for a code end no session of the owner, and are at most 50 too', async () => {
  await write('own', adaId);
  for (let nth = 0; nth < 60; nth += 1) {
    nowMs += 1;
    await beginSession(context, `no code ${nth}`, { accountId: adaId, awaitsCode: true, ...from });
  }
  expect(await live('own', 'no code 9', 'no code 10')).toEqual(['own', 'no code 10']);
  expect(await countStored()).toBe(51);
  for (let nth = 0; nth < 49; nth += 1) await write(`nth ${nth}`, adaId);
  nowMs += 1;
  expect(await acceptCode(storage.db, 'no code 59', nowMs)).toBe(true);
  expect((await listSessions(context, adaId, { offset: 0, limit: 10 })).total).toBe(50);
  expect(await live('own', 'no code 59')).toEqual(['no code 59']);
});

test('sessions that a database has beyond the bound end with the next sign-in', async () => {
  const row = { account_id: adaId, expires_at: nowMs + dayMs, begun_at: nowMs, used_at: nowMs };
  for (let part = 0; part < 10; part += 1)
    await storage
      .db('sessions')
      .insert(Array.from({ length: 100 }, (_, nth) => ({ ...row, id: `${part}-${nth}` })));
  await write('new', adaId);
  expect(await countStored()).toBe(50);
  expect(await live('new')).toEqual(['new']);
});
