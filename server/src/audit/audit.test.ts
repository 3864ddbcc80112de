import { accountRow } from '../../../test/fixtures/storage/rows.js';
import { systemRandomBytes } from '../platform/random.js';
import { createLogger } from '../platform/log.js';
import type { Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { type Actor, createAudit } from './audit.js';
import { createAuditReader, listEntries } from './read-audit.js';
import { removeOldEntries } from './retention.js';

const dayMs = 86_400_000;
const ada: Actor = { accountId: 'acc_ada', address: '192.0.2.7', via: 'console' };
const stranger: Actor = { accountId: null, address: '198.51.100.1', via: 'console' };
const bob: Actor = { accountId: 'acc_bob', address: '203.0.113.9', via: 'console' };

let database: TestDatabase;
let storage: Storage;
let nowMs: number;
let lines: string;

const clock = () => nowMs;
const log = createLogger('info', { write: (line: string) => (lines += line) });
const audit = createAudit({ clock, randomBytes: systemRandomBytes, log });

beforeEach(async () => {
  nowMs = Date.UTC(2026, 0, 2);
  lines = '';
  database = await createTestDatabase();
  storage = await database.open();
});

afterEach(async () => {
  await storage.close();
  await database.remove();
});

test('lists audit entries newest first, with the e-mails of existing accounts', async () => {
  const { db } = storage;
  await db('accounts').insert(accountRow('acc_ada'));
  await audit.record(db, ada, { kind: 'account.created', subjectId: 'acc_gone', detail: 'operator off' });
  nowMs += 1;
  await audit.record(db, stranger, { kind: 'session.refused', subjectId: 'acc_ada' });
  await audit.record(db, ada, { kind: 'session.signed-in', subjectId: 'acc_ada' });
  const entries = await listEntries(db, { limit: 10 });
  expect(entries.map(({ kind }) => kind)).toEqual([
    'session.signed-in',
    'session.refused',
    'account.created',
  ]);
  expect(entries.at(-1)).toEqual({
    id: expect.any(String),
    atMs: Date.UTC(2026, 0, 2),
    kind: 'account.created',
    via: 'console',
    actor: { id: 'acc_ada', email: 'acc_ada@example.org' },
    subject: { id: 'acc_gone', email: null },
    address: '192.0.2.7',
    detail: 'operator off',
  });
});

test('finds and counts audit entries by acting or affected account, by kind and by time', async () => {
  const { db } = storage;
  const { list, count } = createAuditReader(db);
  await audit.record(db, ada, { kind: 'token.shown', subjectId: 'acc_ada' });
  await audit.record(db, bob, { kind: 'key.revoked', subjectId: 'acc_ada' });
  nowMs += 1_000;
  await audit.record(db, bob, { kind: 'token.shown', subjectId: 'acc_bob' });
  expect(await count({ accountId: 'acc_ada' })).toBe(2);
  expect(await count({ accountId: 'acc_bob', kind: 'token.shown' })).toBe(1);
  expect(await count({ sinceMs: nowMs })).toBe(1);
  const [second, ...more] = await list({ kind: 'token.shown', offset: 1, limit: 1 });
  expect([second?.actor?.id, more]).toEqual(['acc_ada', []]);
});

test('nobody can change or remove an audit entry, except to erase its address, or to remove it after 400 days', async () => {
  const { db } = storage;
  nowMs = Date.now();
  await audit.record(db, ada, { kind: 'token.shown' });
  for (const change of [
    { kind: 'key.revoked' },
    { at: 1 },
    { detail: 'other' },
    { actor_id: null },
    { address: '192.0.2.8' },
    { address: null, subject_id: 'acc_bob' },
  ]) {
    await expect(db('audit').update(change)).rejects.toThrow('The audit only grows');
  }
  await expect(db('audit').delete()).rejects.toThrow('The audit only grows');
  if (storage.dialect === 'postgresql') {
    await expect(db.raw('TRUNCATE audit')).rejects.toThrow('The audit only grows');
  }
  await db('audit').update({ address: null });
  const old = { id: '0', at: nowMs - 400 * dayMs - 60_000, kind: 'token.shown', via: 'console' };
  await db('audit').insert(old);
  await db('audit').where({ id: '0' }).delete();
  expect(await db('audit').pluck('address')).toEqual([null]);
});

test('removes audit entries that are over 400 days old', async () => {
  const { db } = storage;
  nowMs = Date.now();
  const entry = { kind: 'token.shown', via: 'console' };
  await db('audit').insert([
    { ...entry, id: 'old', at: nowMs - 401 * dayMs },
    { ...entry, id: 'young', at: nowMs - 399 * dayMs },
  ]);
  await removeOldEntries(db, nowMs);
  expect(await db('audit').pluck('id')).toEqual(['young']);
});

test('stores no change that cannot be audited, and no audit entry of a change that failed', async () => {
  const { db } = storage;
  const makeAccount = () =>
    db.transaction(async (transaction) => {
      await transaction('accounts').insert(accountRow('acc_new'));
      await audit.record(transaction, ada, { kind: 'account.created', subjectId: 'acc_new' });
    });
  await db.schema.renameTable('audit', 'elsewhere');
  await expect(makeAccount()).rejects.toThrow();
  await db.schema.renameTable('elsewhere', 'audit');
  expect(await db('accounts')).toEqual([]);
  const rolledBack = db.transaction(async (transaction) => {
    await audit.record(transaction, ada, { kind: 'key.created' });
    throw new Error('rolled back');
  });
  await expect(rolledBack).rejects.toThrow('rolled back');
  expect([await db('audit'), lines]).toEqual([[], '']);
});

test('logs an audit entry of a committed transaction, without the IP address', async () => {
  await storage.db.transaction((transaction) =>
    audit.record(transaction, ada, { kind: 'key.revoked', subjectId: 'acc_bob' }),
  );
  expect(JSON.parse(lines)).toMatchObject({
    level: 'info',
    msg: 'Audit.',
    kind: 'key.revoked',
    actor: 'acc_ada',
    subject: 'acc_bob',
    via: 'console',
  });
  expect(lines).not.toContain('192.0.2.7');
});

test('erases the addresses from which an account acted, or somebody unknown acted on it, but not those of other accounts', async () => {
  const { db } = storage;
  await audit.record(db, ada, { kind: 'session.signed-in', subjectId: 'acc_ada' });
  await audit.record(db, stranger, { kind: 'session.refused', subjectId: 'acc_ada' });
  await audit.record(db, stranger, { kind: 'session.refused' });
  await audit.record(db, bob, { kind: 'account.disabled', subjectId: 'acc_ada' });
  await audit.eraseAddresses(db, 'acc_ada');
  const entries = await listEntries(db, { limit: 10 });
  expect(entries.map(({ address }) => address)).toEqual([bob.address, stranger.address, null, null]);
});

test('finds audit entries by day, and reads all thousand entries of a kind, newest first', async () => {
  const { db } = storage;
  const startMs = nowMs;
  for (let day = 0; day < 3; day += 1) {
    nowMs = startMs + day * dayMs;
    await audit.record(db, ada, { kind: 'key.created', detail: `day ${day}` });
  }
  const reader = createAuditReader(db);
  const day = { sinceMs: startMs + dayMs, untilMs: startMs + 2 * dayMs };
  expect(await reader.list({ ...day, limit: 9 })).toMatchObject([{ detail: 'day 1' }]);
  expect(await reader.count(day)).toBe(1);

  await db.transaction(async (transaction) => {
    for (let count = 0; count < 1_000; count += 1)
      await audit.record(transaction, ada, { kind: 'key.revoked', detail: String(count) });
  });
  const seen: string[] = [];
  for await (const some of reader.all({ kind: 'key.revoked' }))
    seen.push(...some.map(({ detail }) => detail ?? ''));
  expect(seen).toEqual(Array.from({ length: 1_000 }, (_, index) => String(999 - index)));
});

test('counts at most 10,000 audit entries', async () => {
  const { db } = storage;
  for (let part = 0; part < 101; part += 1)
    await db('audit').insert(
      Array.from({ length: 100 }, (_, nth) => ({
        id: `aud_${part}_${nth}`,
        at: nowMs,
        kind: 'token.shown',
        via: 'console',
        actor_id: 'acc_ada',
        subject_id: 'acc_ada',
        address: null,
        detail: null,
      })),
    );
  const { count } = createAuditReader(db);
  expect(await count({ accountId: 'acc_ada' })).toBe(10_000);
  expect(await count({ accountId: 'acc_bob' })).toBe(0);
});
