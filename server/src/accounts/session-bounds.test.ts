import { FROM, openTwoAccounts, type TwoAccounts } from '../../../test/fixtures/two-accounts.js';
import type { AccountContext } from './account-context.js';
import { acceptCode, beginSession, listSessions, readSession, touchSession } from './sessions.js';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
let database: TwoAccounts['database'];
let storage: TwoAccounts['storage'];
let context: TwoAccounts['context'];
let clock: TwoAccounts['clock'];
let adaId: string;
let bobId: string;
let write: TwoAccounts['write'];
let live: TwoAccounts['live'];
let close: TwoAccounts['close'];

beforeEach(async () => {
  ({ database, storage, context, clock, adaId, bobId, write, live, close } = await openTwoAccounts());
});
afterEach(() => close());

const countStored = async () => (await storage.db('sessions').pluck<string[]>('id')).length;

test('an account has at most 50 sessions: a new one ends the one that was unused for longest', async () => {
  for (let nth = 0; nth < 50; nth += 1) {
    clock.nowMs += minuteMs;
    await write(`nth ${nth}`, adaId);
  }
  await write('other', bobId);
  clock.nowMs += hourMs;
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

test('an account with 49 sessions has 50 after twenty more begin at once on two servers', async () => {
  for (let nth = 0; nth < 49; nth += 1) await write(`nth ${nth}`, adaId);
  const elsewhere = await database.open();
  try {
    const contexts = [context, { ...context, db: elsewhere.db }];
    const begin = (on: AccountContext, nth: number) =>
      beginSession(on, `at once ${nth}`, { accountId: adaId, ...FROM });
    const begun = contexts.flatMap((on, first) =>
      Array.from({ length: 10 }, (_, nth) => begin(on, 10 * first + nth)),
    );
    await Promise.all(begun);
    expect(await countStored()).toBe(50);
  } finally {
    await elsewhere.close();
  }
});

test("sign-ins that await a code end none of the owner's sessions, and are limited to 50 as well", async () => {
  await write('own', adaId);
  for (let nth = 0; nth < 60; nth += 1) {
    clock.nowMs += 1;
    await beginSession(context, `no code ${nth}`, { accountId: adaId, awaitsCode: true, ...FROM });
  }
  expect(await live('own', 'no code 9', 'no code 10')).toEqual(['own', 'no code 10']);
  expect(await countStored()).toBe(51);
  for (let nth = 0; nth < 49; nth += 1) await write(`nth ${nth}`, adaId);
  clock.nowMs += 1;
  expect(await acceptCode(storage.db, 'no code 59', clock.nowMs)).toBe(true);
  expect((await listSessions(context, adaId, { offset: 0, limit: 10 })).total).toBe(50);
  expect(await live('own', 'no code 59')).toEqual(['no code 59']);
});

test('if an account has more than 50 sessions, the next sign-in reduces them to 50', async () => {
  const row = {
    account_id: adaId,
    expires_at: clock.nowMs + dayMs,
    begun_at: clock.nowMs,
    used_at: clock.nowMs,
  };
  for (let part = 0; part < 10; part += 1)
    await storage
      .db('sessions')
      .insert(Array.from({ length: 100 }, (_, nth) => ({ ...row, id: `${part}-${nth}` })));
  await write('new', adaId);
  expect(await countStored()).toBe(50);
  expect(await live('new')).toEqual(['new']);
});
