import { accountRow } from '../../../test/fixtures/storage/rows.js';
import { testContext } from '../../../test/fixtures/domain-context.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { deleteAccount } from '../accounts/delete-account.js';
import { revokeKey } from '../keys/revoke-key.js';
import { systemRandomBytes as randomBytes } from '../platform/random.js';
import { MINUTE_MS } from '../platform/time-units.js';
import type { Storage } from '../storage/storage.js';
import { createLinkedFiles, removeExpiredFiles } from './linked-files.js';

const MEGABYTE = 1_000_000;
const ADA = { id: 1, accountId: 'acc_ada' };
const BEN = { id: 2, accountId: 'acc_ben' };

let database: TestDatabase;
let storage: Storage;
let nowMs: number;
beforeEach(async () => {
  nowMs = 1_000;
  database = await createTestDatabase();
  storage = await database.open();
  for (const { id, accountId } of [ADA, BEN]) {
    await storage.db('accounts').insert(accountRow(accountId, { is_operator: true }));
    const project = `prj_${id}`;
    await storage.db('projects').insert({ id: project, account_id: accountId, name: 'p', created_at: 0 });
    await storage
      .db('api_keys')
      .insert({ id, project_id: project, hash: `hash ${id}`, prefix: `p${id}`, created_at: 0 });
  }
});
afterEach(async () => {
  await storage.close();
  await database.remove();
});

/** Opens the linked files as one of several servers that use the database. */
const server = () =>
  createLinkedFiles({
    db: storage.db,
    clock: () => nowMs,
    randomBytes,
    publicUrl: () => 'https://s.example',
  });
const pdf = (body: Buffer) => ({ name: 'page.pdf', mediaType: 'application/pdf', body });
const tokenOf = (url = '') => /^https:\/\/s\.example\/files\/(\w{22})$/u.exec(url)?.[1] ?? '';
const keep = async (key = ADA, body = Buffer.from('%PDF')) => {
  nowMs += 1;
  return tokenOf(await server().keep(key, pdf(body)));
};

async function read(token: string): Promise<Buffer | undefined> {
  const file = await server().open(token);
  if (file === undefined) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of file.chunks) chunks.push(chunk);
  return Buffer.concat(chunks);
}
const areThere = async (tokens: readonly string[]) =>
  Promise.all(tokens.map(async (token) => (await server().open(token)) !== undefined));
const rowsIn = async (table: string) => (await storage.db(table).select()).length;

test('another server reads a linked file of several chunks unchanged', async () => {
  const body = Buffer.alloc(2_500_000, 'abcdefghi');
  const token = await keep(ADA, body);
  expect(await server().open(token)).toMatchObject({
    name: 'page.pdf',
    mediaType: 'application/pdf',
    bytes: body.length,
  });
  expect((await read(token))?.equals(body)).toBe(true);
  expect(await rowsIn('linked_file_chunks')).toBe(3);
});

test('stores no file address in the database, and opens nothing at an incomplete or changed address', async () => {
  const token = await keep();
  expect((await database.stored()).includes(token)).toBe(false);
  expect(await areThere([token.slice(1), `${token}0`, '', '%', token.toLowerCase()])).not.toContain(true);
});

test('opens a linked file for ten minutes', async () => {
  const token = await keep();
  nowMs += 10 * MINUTE_MS - 1;
  expect(await areThere([token])).toEqual([true]);
  nowMs += 1;
  expect(await areThere([token])).toEqual([false]);
});

test('keeps the 20 newest files of an account, separately from other accounts', async () => {
  const other = await keep(BEN);
  const tokens: string[] = [];
  for (let file = 0; file < 22; file += 1) tokens.push(await keep());
  expect(await areThere([other, ...tokens])).toEqual([
    true,
    false,
    false,
    ...Array.from({ length: 20 }, () => true),
  ]);
});

test('keeps at most 200 MB of files per account: removes the oldest one, and does not store one of more than 200 MB', async () => {
  const first = await keep();
  const second = await keep();
  const [oldest] = await storage.db('linked_files').orderBy('expires_at').pluck('hash');
  await storage
    .db('linked_files')
    .where({ hash: oldest })
    .update({ bytes: 199 * MEGABYTE });
  const third = await keep(ADA, Buffer.alloc(MEGABYTE - 4));
  expect(await areThere([first, second, third])).toEqual([true, true, true]);
  const fourth = await keep();
  expect(await areThere([first, second, third, fourth])).toEqual([false, true, true, true]);
  expect(await server().keep(ADA, pdf(Buffer.alloc(200 * MEGABYTE + 1)))).toBeUndefined();
});

test('does not open a file if its key was revoked or its account disabled', async () => {
  const [adas, bens] = [await keep(ADA), await keep(BEN)];
  await revokeKey(
    testContext(storage.db, () => nowMs),
    { ...ADA, prefix: 'sp_live_x' },
  );
  await storage.db('accounts').where({ id: BEN.accountId }).update({ disabled_at: nowMs });
  expect(await areThere([adas, bens])).toEqual([false, false]);
});

test('deletes the files of a deleted account', async () => {
  await keep(ADA);
  await deleteAccount(
    testContext(storage.db, () => nowMs),
    ADA.accountId,
  );
  expect([await rowsIn('linked_files'), await rowsIn('linked_file_chunks')]).toEqual([0, 0]);
});

test('removeExpiredFiles deletes expired files and those of revoked keys, and no others', async () => {
  await keep(ADA);
  nowMs += 10 * MINUTE_MS;
  await keep(ADA);
  const kept = await keep(BEN);
  await revokeKey(
    testContext(storage.db, () => nowMs),
    { ...ADA, prefix: 'sp_live_x' },
  );
  await removeExpiredFiles(storage.db, nowMs);
  expect([await rowsIn('linked_files'), await rowsIn('linked_file_chunks')]).toEqual([1, 1]);
  expect(await areThere([kept])).toEqual([true]);
});
