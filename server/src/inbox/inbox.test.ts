import { accountRow } from '../../../test/fixtures/storage/rows.js';
import type { AccountContext } from '../accounts/account-context.js';
import * as accountLinks from '../accounts/account-links.js';
import { setAccountLimits } from '../accounts/account-state.js';
import type { Actor } from '../audit/audit.js';
import { createAuditReader } from '../audit/read-audit.js';
import { bindInstallation } from '../secret/installation.js';
import { createSecretKey } from 'node:crypto';
import { systemRandomBytes as randomBytes } from '../platform/random.js';
import { HOUR_MS } from '../platform/time-units.js';
import { testContext } from '../../../test/fixtures/domain-context.js';
import { setKeyLimits } from '../keys/change-key.js';
import type { Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import {
  askForAccess,
  askForApiAccess,
  askForLimits,
  askForPassword,
  type InboxContext,
} from './ask-operator.js';
import {
  approveRequest,
  countOpenRequests,
  findOpenRequest,
  listLimitRequests,
  listRequests,
  refuseRequest,
} from './inbox.js';

const ADDRESS = '192.0.2.7';
const ADA: Actor = { accountId: 'acc_ada', address: ADDRESS, via: 'console' };
const OPERATOR: Actor = { accountId: 'acc_operator', address: '203.0.113.9', via: 'console' };
const VISITOR: Actor = { accountId: null, address: ADDRESS, via: 'console' };
const ALL = { offset: 0, limit: 1_000 };

let nowMs: number;
let database: TestDatabase;
let storage: Storage;
let visitor: Context;
let news: string[];

type Context = InboxContext & AccountContext;

const contextOn = ({ db }: Pick<Storage, 'db'>, actor: Actor): Context => ({
  ...testContext(db, () => nowMs, actor),
  inboxNews: {
    onNew: (kind, email) => news.push(`new ${kind} ${email}`),
    onFull: (kind) => news.push(`full ${kind}`),
  },
});
const as = (actor: Actor): Context => ({ ...visitor, actor });

/** The error messages of the rejected ones among these calls. */
const rejectionsOf = async (all: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(all)).flatMap((outcome) => ('reason' in outcome ? [String(outcome.reason)] : []));

beforeEach(async () => {
  [nowMs, news] = [1_000, []];
  database = await createTestDatabase();
  storage = await database.open();
  const { db } = storage;
  const secret = createSecretKey(Buffer.alloc(32, 7));
  await bindInstallation(db, secret, { clock: () => nowMs, randomBytes });
  for (const name of ['ada', 'bob']) {
    await db('accounts').insert(accountRow(`acc_${name}`, { email: `${name}@example.org` }));
    await db('projects').insert({ id: `prj_${name}`, account_id: `acc_${name}`, name, created_at: 0 });
  }
  await db('accounts').where({ id: 'acc_bob' }).update({ disabled_at: 1 });
  const key = { project_id: 'prj_ada', prefix: 'sp_live_a', created_at: 0 };
  await db('api_keys').insert({ ...key, id: 1, hash: 'a', per_day: 50 });
  visitor = contextOn(storage, VISITOR);
});
afterEach(async () => {
  await storage.close();
  await database.remove();
});

const stranger = (email: string) => ({ email, name: '', reason: '' });
const limits = { accountId: 'acc_ada', email: 'ada@example.org', perMinute: 600, reason: ' A map ' } as const;
const listOpenRequests = async (context: Context, page: typeof ALL) =>
  (await listRequests(context, page)).requests;
const kinds = async () => (await listOpenRequests(visitor, ALL)).map(({ kind, email }) => `${kind} ${email}`);

test('stores a request for a new password, but none for an unknown e-mail or a disabled account', async () => {
  for (const email of ['ada@example.org', 'nobody@example.org', 'bob@example.org'])
    await askForPassword(visitor, email);
  expect(await kinds()).toEqual(['password ada@example.org']);
  expect(news).toEqual(['new password ada@example.org']);
  const entries = await createAuditReader(storage.db).list({ limit: 10 });
  expect(entries.map(({ kind, subject, detail }) => [kind, subject?.id, detail])).toEqual([
    ['request.made', undefined, 'password'],
    ['request.made', undefined, 'password'],
    ['request.made', 'acc_ada', 'password'],
  ]);
});

test('a request for an account is stored as a request for a password if an account has the e-mail', async () => {
  await askForAccess(visitor, { ...stranger('eve@example.org'), name: ' Eve ', reason: 'Please' });
  nowMs += 1;
  await askForAccess(visitor, { ...stranger('ada@example.org'), reason: 'Lost it' });
  expect(await listOpenRequests(visitor, ALL)).toMatchObject([
    { kind: 'access', email: 'eve@example.org', name: 'Eve', reason: 'Please', accountId: null },
    { kind: 'password', email: 'ada@example.org', reason: 'Lost it', accountId: 'acc_ada' },
  ]);
});

test('replaces an open request for an account if it is sent again, without another notification', async () => {
  await askForAccess(visitor, { ...stranger('eve@example.org'), reason: 'One' });
  await askForAccess(visitor, { ...stranger('eve@example.org'), reason: 'Two' });
  expect(await listOpenRequests(visitor, ALL)).toMatchObject([{ reason: 'Two' }]);
  expect(news).toEqual(['new access eve@example.org']);
});

test('allows one address twenty requests for accounts and passwords together in an hour', async () => {
  for (let time = 0; time < 10; time += 1) {
    await askForPassword(visitor, 'nobody@example.org');
    await askForAccess(visitor, stranger(`eve${time}@example.org`));
  }
  const refused = { kind: 'rateLimited', retryAfterSeconds: 3_600 };
  await expect(askForAccess(visitor, stranger('eve@example.org'))).rejects.toMatchObject(refused);
  await expect(askForPassword(visitor, 'ada@example.org')).rejects.toMatchObject(refused);
  await askForPassword(as({ ...VISITOR, address: '192.0.2.8' }), 'ada@example.org');
  nowMs += HOUR_MS;
  await askForPassword(visitor, 'ada@example.org');
});

/** Adds `count` open requests for accounts. */
async function fill(count: number) {
  const open = Array.from({ length: count }, (_, index) => ({
    id: `req_${index}`,
    kind: 'access',
    subject: `access ${index}`,
    email: `${index}@example.org`,
    asked_at: index,
  }));
  for (let at = 0; at < count; at += 100) await storage.db('inbox_requests').insert(open.slice(at, at + 100));
}

test('five hundred open requests for accounts leave room for a request for a new password', async () => {
  await fill(500);
  await askForAccess(visitor, stranger('late@example.org'));
  expect(news).toEqual(['full access']);
  await askForAccess(visitor, { ...stranger('0@example.org'), reason: 'Again' });
  expect(await countOpenRequests(visitor)).toBe(500);
  await askForPassword(visitor, 'ada@example.org');
  expect(await countOpenRequests(visitor)).toBe(501);
});

test('if there is room for one request, stores one of ten that two servers get at once', async () => {
  await fill(499);
  const second = await database.open();
  const other = contextOn(second, VISITOR);
  await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      askForAccess(index % 2 === 0 ? visitor : other, stranger(`eve${index}@example.org`)),
    ),
  );
  expect(await countOpenRequests(visitor)).toBe(500);
  await second.close();
});

test('an account can have ten open requests for limits and can change them, and other accounts still have room', async () => {
  const key = { project_id: 'prj_ada', prefix: 'sp_live_a', created_at: 0 };
  for (let id = 2; id <= 11; id += 1) await storage.db('api_keys').insert({ ...key, id, hash: `key ${id}` });
  const ask = (keyId: number, perDay: number) => askForLimits(as(ADA), { ...limits, keyId, perDay });
  for (let id = 1; id <= 10; id += 1) await ask(id, 100);
  await expect(ask(11, 100)).rejects.toMatchObject({
    kind: 'invalidRequest',
    message: expect.stringContaining('too many requests waiting for the operator'),
  });
  await ask(1, 200);
  const listed = await listOpenRequests(visitor, ALL);
  expect(listed.map(({ perDay }) => perDay).toSorted()).toEqual([...Array<number>(9).fill(100), 200]);
  await askForLimits(as(OPERATOR), { ...limits, accountId: 'acc_bob', keyId: null, perDay: 5 });
  expect(await countOpenRequests(visitor)).toBe(11);
});

test('stores requests for higher limits of a key or an account, and shows their owner the outcome', async () => {
  await askForLimits(as(ADA), { ...limits, keyId: 1, perDay: 'unlimited' });
  nowMs += 1;
  await askForLimits(as(ADA), { ...limits, keyId: null, perDay: 9 });
  const [ofKey, ofAll] = await listOpenRequests(visitor, ALL);
  expect(ofKey).toMatchObject({
    perMinute: 600,
    perDay: 'unlimited',
    reason: 'A map',
    email: 'ada@example.org',
    key: { id: 1, prefix: 'sp_live_a', projectName: 'ada', perMinute: 'default', perDay: 50 },
  });
  expect(ofAll).toMatchObject({ key: null, perDay: 9 });
  if (ofKey === undefined || ofAll === undefined) throw new Error('Nothing was asked.');
  expect(await approveRequest(as(OPERATOR), ofKey, () => Promise.resolve('done'))).toBe('done');
  await refuseRequest(as(OPERATOR), ofAll, 'Too much.\nSorry.');
  expect(await countOpenRequests(visitor)).toBe(0);
  expect(await listLimitRequests(visitor, 'acc_ada')).toMatchObject([
    { outcome: 'refused', answer: 'Too much.\nSorry.' },
    { outcome: 'approved', answer: null },
  ]);
  nowMs += 1;
  await askForLimits(as(ADA), { ...limits, keyId: null, perDay: 7 });
  expect(await listLimitRequests(visitor, 'acc_ada')).toMatchObject([
    { key: null, outcome: null, answer: null, decidedAtMs: null },
    { key: { id: 1 }, outcome: 'approved' },
  ]);
});

test('stores one request for API access if an account asks twice', async () => {
  for (const actor of [ADA, ADA]) await askForApiAccess(as(actor), limits);
  expect([await kinds(), news]).toEqual([['apiAccess ada@example.org'], ['new apiAccess ada@example.org']]);
});

test('a request is decided once, and stays open if the work of its approval fails', async () => {
  await askForAccess(visitor, stranger('eve@example.org'));
  const request = await firstRequest();
  const failing = approveRequest(as(OPERATOR), request, () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  expect(await countOpenRequests(visitor)).toBe(1);
  await refuseRequest(as(OPERATOR), request, '');
  await expect(refuseRequest(as(OPERATOR), request, '')).rejects.toThrow('no longer open');
  await expect(findOpenRequest(visitor, request.id)).rejects.toThrow('no longer open');
});

const firstRequest = async () => {
  const [request] = await listOpenRequests(visitor, ALL);
  if (request === undefined) throw new Error('Nothing was asked.');
  return request;
};

const auditKinds = async () =>
  (await createAuditReader(storage.db).list({ limit: 10 })).map(({ kind }) => kind);

test('makes one working password link for two approvals at once on two servers', async () => {
  await askForPassword(visitor, 'ada@example.org');
  const request = await firstRequest();
  const second = await database.open();
  const links: string[] = [];
  const approve = async (server: Pick<Storage, 'db'>) => {
    const { link } = await approveRequest(contextOn(server, OPERATOR), request, (within) =>
      accountLinks.createPasswordLink(within, 'acc_ada'),
    );
    links.push(link.token);
  };
  expect(await rejectionsOf([approve(storage), approve(second)])).toEqual([
    expect.stringContaining('no longer open'),
  ]);
  expect(links).toHaveLength(1);
  expect(await accountLinks.openLink(visitor, links[0] ?? '')).toMatchObject({ account: { id: 'acc_ada' } });
  expect((await auditKinds()).sort()).toEqual(['link.made', 'request.approved', 'request.made']);
  await second.close();
});

test('a request for an account is approved once, even if two approvals come at once, and not if the e-mail is taken', async () => {
  await askForAccess(visitor, stranger('eve@example.org'));
  const request = await firstRequest();
  const approve = async (email: string) => {
    const prepared = await accountLinks.prepareInvitation(as(OPERATOR), { email });
    return approveRequest(as(OPERATOR), request, (within) => accountLinks.storeInvitation(within, prepared));
  };
  await expect(approve('ada@example.org')).rejects.toThrow('already');
  expect(await countOpenRequests(visitor)).toBe(1);
  const rejections = await rejectionsOf([approve('eve@example.org'), approve('eve@example.org')]);
  expect(rejections).toEqual([expect.stringContaining('no longer open')]);
  expect(await storage.db('accounts').whereLike('email', 'eve%')).toHaveLength(1);
});

test('changes no limits if a request for limits is approved after it was refused', async () => {
  const key = { id: 1, prefix: 'sp_live_a', accountId: 'acc_ada' };
  const raised = { perMinute: 600, perDay: 5_000 };
  for (const keyId of [1, null]) {
    await askForLimits(as(ADA), { ...limits, keyId, perDay: 9 });
    const request = await firstRequest();
    await refuseRequest(as(OPERATOR), request, 'No');
    const late = approveRequest(as(OPERATOR), request, (within) =>
      keyId === null ? setAccountLimits(within, 'acc_ada', raised) : setKeyLimits(within, key, raised),
    );
    await expect(late).rejects.toThrow('no longer open');
  }
  const { db } = storage;
  expect(await db('accounts').where({ id: 'acc_ada' })).toMatchObject([{ per_minute: null, per_day: null }]);
  expect(await db('api_keys').where({ id: 1 }).first()).toMatchObject({ per_minute: null, per_day: 50 });
  expect(await auditKinds()).not.toContain('request.approved');
});

test('after a decision, keeps nothing of a stranger but audit entries without the e-mail', async () => {
  await askForAccess(visitor, { ...stranger('eve@example.org'), name: 'Eve' });
  await approveRequest(as(OPERATOR), await firstRequest(), () => Promise.resolve());
  expect(await storage.db('inbox_requests')).toEqual([]);
  const audit = JSON.stringify(await storage.db('audit'));
  expect(audit).toContain('request.approved');
  expect(audit).not.toMatch(/eve/iu);
});

test('rejects a reason of more than 1,000 characters, and says its length', async () => {
  const reason = '\u{1f5fa}'.repeat(1_001);
  await expect(askForAccess(visitor, { ...stranger('eve@example.org'), reason })).rejects.toThrow(
    'The text has 1001 characters. Shorten it to 1000 or fewer.',
  );
  await askForAccess(visitor, { ...stranger('eve@example.org'), reason: reason.slice(2) });
});
