import { accountRow } from '../../../test/fixtures/storage/rows.js';
import type { Actor } from '../audit/audit.js';
import { createAuditReader } from '../audit/read-audit.js';
import { testContext } from '../../../test/fixtures/domain-context.js';
import { createKey, type KeyContext } from '../keys/create-key.js';
import { findKey, listKeys } from '../keys/find-keys.js';
import { revokeKey } from '../keys/revoke-key.js';
import type { Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { deleteProject, renameProject } from './change-project.js';
import { createProject, findProject, listProjects } from './project.js';

const nowMs = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const clock = () => nowMs;
const ada: Actor = { accountId: 'acc_a', address: '192.0.2.7', via: 'console' };
let database: TestDatabase;
let storage: Storage;
let context: KeyContext;

const add = async (name: string, accountId = 'acc_a') =>
  (await createProject(context, { accountId, name })).id;
const own = (projectId: string) => ({ accountId: 'acc_a', projectId });
const namesOf = async (accountId: string) => (await listProjects(storage, accountId)).map(({ name }) => name);

beforeEach(async () => {
  database = await createTestDatabase();
  storage = await database.open();
  const { db } = storage;
  context = testContext(db, clock, ada);
  await db('accounts').insert([accountRow('acc_a'), accountRow('acc_b')]);
});

afterEach(async () => {
  await storage.close();
  await database.remove();
});

test('renames a project, unless another project of the account has the name', async () => {
  const [map] = [await add('Map'), await add('Atlas'), await add('Globe', 'acc_b')];
  await renameProject(context, own(map), ' Globe ');
  expect(await namesOf('acc_a')).toEqual(['Atlas', 'Globe']);
  await renameProject(context, own(map), 'Globe');
  await expect(renameProject(context, own(map), 'Atlas')).rejects.toThrow(
    'already has a project named "Atlas"',
  );
  await expect(renameProject(context, own(map), ' ')).rejects.toThrow('1 to 100 characters');
  const entries = await createAuditReader(storage.db).list({ limit: 2 });
  expect(entries.map(({ kind, detail }) => [kind, detail])).toEqual([
    ['project.renamed', map],
    ['project.renamed', map],
  ]);
});

test('deleting a project revokes its working keys, keeps their usage, and audits both the revocation and the deletion', async () => {
  const map = await add('Map');
  const [live, revoked] = [await createKey(context, own(map)), await createKey(context, own(map))];
  await revokeKey(context, { ...revoked, accountId: 'acc_a' });
  await storage.db('usage_minutes').insert({ key_id: live.id, minute: 1, requests: 1 });
  await deleteProject(context, own(map));
  expect(await findKey(context, 'acc_a', live.id)).toMatchObject({
    state: 'revoked',
    revokedAtMs: nowMs,
    projectName: 'Map (deleted 2026-01-02T03:04:05.678Z)',
  });
  expect(await storage.db('usage_minutes')).toHaveLength(1);
  const entries = (await createAuditReader(storage.db).list({ limit: 2 })).reverse();
  expect(entries.map(({ kind, detail }) => [kind, detail])).toEqual([
    ['key.revoked', live.prefix],
    ['project.deleted', map],
  ]);
});

test('a deleted project is not listed or found, rejects changes and new keys, and frees its name', async () => {
  const map = await add('Map');
  await createKey(context, own(map));
  await deleteProject(context, own(map));
  expect([await namesOf('acc_a'), await findProject(storage, 'acc_a', map)]).toEqual([[], undefined]);
  await expect(createKey(context, own(map))).rejects.toThrow('The project is deleted.');
  await expect(deleteProject(context, own(map))).rejects.toMatchObject({ kind: 'notFound' });
  await expect(renameProject(context, own(map), 'x')).rejects.toMatchObject({ kind: 'notFound' });
  await add('Map');
  expect(await namesOf('acc_a')).toEqual(['Map']);
});

test('cannot rename or delete a project of another account', async () => {
  const theirs = await add('Map', 'acc_b');
  await expect(renameProject(context, own(theirs), 'Mine')).rejects.toMatchObject({ kind: 'notFound' });
  await expect(deleteProject(context, own(theirs))).rejects.toMatchObject({ kind: 'notFound' });
  expect(await namesOf('acc_b')).toEqual(['Map']);
});

test('deleting a project that never had a key removes its row, and makes room for another project of the account', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, (_, index) => add(`Project ${index}`)));
  const one = { accountId: 'acc_a', name: 'One more' };
  await expect(createProject(context, one)).rejects.toThrow('You have 20 projects');
  await deleteProject(context, own(ids[0] ?? ''));
  await createProject(context, one);
  expect(await storage.db('projects')).toHaveLength(20);
});

test('deleting a project with a name of 100 characters shortens the name to 60 and adds the time of the deletion', async () => {
  const map = await add('🗺'.repeat(100));
  await createKey(context, own(map));
  await deleteProject(context, own(map));
  expect(await storage.db('projects').pluck('name')).toEqual([
    `${'🗺'.repeat(60)} (deleted 2026-01-02T03:04:05.678Z)`,
  ]);
});

test('a key that is created while its project is deleted is either revoked or not created', async () => {
  const map = await add('Map');
  await createKey(context, own(map));
  const answers = await Promise.allSettled([
    ...Array.from({ length: 5 }, () => createKey(context, own(map))),
    deleteProject(context, own(map)),
    ...Array.from({ length: 5 }, () => createKey(context, own(map))),
  ]);
  expect(answers[5]?.status).toBe('fulfilled');
  expect(await listKeys(context, 'acc_a', 'notEnded')).toEqual([]);
});
