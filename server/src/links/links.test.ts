import { openTestTokens, START_MS, type TestTokens } from '../../../test/fixtures/tokens/test-tokens.js';
import { listEntries } from '../audit/read-audit.js';
import { deleteAccount } from '../accounts/delete-account.js';
import { revokeKey } from '../keys/revoke-key.js';
import { DAY_MS } from '../platform/time-units.js';
import { createThrottle } from '../throttle/throttle.js';
import { createLinkSealer } from '../tokens/encryption-key.js';
import { rotateKeys } from '../tokens/rotate-keys.js';
import { createLink } from './create-link.js';
import { endLink } from './end-link.js';
import { findLink } from './find-link.js';
import { chunkRows, linkRows } from './link.js';
import { claimCapture, isWhole, removeEndedLinks, storeCapture, storeFailure } from './link-captures.js';
import { listLinks } from './list-links.js';

const MEGABYTE = 1_000_000;
const PAGE = 'https://page.example/hidden-path?q=1';

let bench: TestTokens;
let context: ReturnType<typeof contextOf>;

const contextOf = ({ domain, maker }: TestTokens) => ({
  ...domain,
  linkSealer: createLinkSealer({ ...maker, clock: domain.clock }),
});

beforeEach(async () => {
  bench = await openTestTokens(createThrottle);
  context = contextOf(bench);
  for (const [id, accountId] of [
    [1, 'acc_ada'],
    [2, 'acc_bob'],
  ] as const) {
    const project = `prj_${id}`;
    await bench.db('projects').insert({ id: project, account_id: accountId, name: 'p', created_at: 0 });
    await bench
      .db('api_keys')
      .insert({ id, project_id: project, hash: `hash ${id}`, prefix: `sp_live_${id}`, created_at: 0 });
  }
});
afterEach(() => bench.close());

const make = (keyId = 1, expiresInSeconds = 3_600, refreshSeconds = 60) =>
  createLink(context, {
    keyId,
    operation: 'captureScreenshot',
    request: { url: PAGE },
    refreshSeconds,
    expiresInSeconds,
  });
const find = async (token: string) => findLink(bench.maker.queries, token, context.clock());
const found = async (token: string) => {
  const link = await find(token);
  if (link === undefined) throw new Error('There is no such link.');
  return link;
};
const list = (accountId = 'acc_ada') => listLinks(context, { accountId, offset: 0, limit: 10 });
const png = (bytes: number) => ({ body: Buffer.alloc(bytes, 'abc'), mediaType: 'image/png' });

test('finds a link by its token, and stores neither the token nor the request in readable form', async () => {
  const { token, expiresAtMs } = await make();
  expect(expiresAtMs).toBe(START_MS + 3_600_000);
  const link = await found(token);
  expect(link).toMatchObject({ works: true, key: { id: 1, accountId: 'acc_ada' }, capture: undefined });
  expect(JSON.parse((await context.linkSealer.unseal(bench.db, link.sealed)).toString())).toEqual({
    url: PAGE,
  });
  const stored = await bench.stored();
  for (const secret of [token, 'hidden-path'])
    expect([secret, stored.includes(secret)]).toEqual([secret, false]);
});

test('sorts links by the time of their latest capture or by their end, in either direction', async () => {
  const [first, second] = [await make(1, 3_600), await make(1, 120)];
  await storeCapture(context, await found(second.token), png(4));
  const ids = [(await found(first.token)).id, (await found(second.token)).id];
  const listBy = async (by: 'captured' | 'ends', isDescending: boolean) => {
    const sort = { by, isDescending };
    const { links } = await listLinks(context, { accountId: 'acc_ada', sort, offset: 0, limit: 10 });
    return links.map(({ id }) => ids.indexOf(id));
  };
  expect(await listBy('captured', true)).toEqual([1, 0]);
  expect(await listBy('captured', false)).toEqual([0, 1]);
  expect(await listBy('ends', true)).toEqual([0, 1]);
  expect(await listBy('ends', false)).toEqual([1, 0]);
});

test('lists the links of one account only; ending a link deletes its capture', async () => {
  const { token } = await make();
  await make(2);
  await storeCapture(context, await found(token), png(4));
  const { links, total } = await list();
  expect([total, links]).toEqual([
    1,
    [expect.objectContaining({ page: PAGE, works: true, bytes: 4, capturedAtMs: START_MS })],
  ]);
  const id = links[0]?.id ?? '';
  expect(await endLink(context, { id, accountId: 'acc_bob' })).toBe(false);
  expect(await endLink(context, { id, accountId: 'acc_ada' })).toBe(true);
  expect(await endLink(context, { id, accountId: 'acc_ada' })).toBe(false);
  expect([(await found(token)).works, (await list()).total]).toEqual([false, 0]);
  expect(await chunkRows(bench.db)).toEqual([]);
  const kinds = (await listEntries(bench.db, { accountId: 'acc_ada', limit: 5 })).map(({ kind }) => kind);
  expect(kinds).toEqual(['capture-link.ended', 'capture-link.made']);
});

test('an account has at most 1,000 links of live keys', async () => {
  const { token } = await make();
  const [row] = await linkRows(bench.db);
  for (let part = 0; part < 9; part += 1)
    await linkRows(bench.db).insert(
      Array.from({ length: 111 }, (_, nth) => ({ ...row, id: `l${part}-${nth}`, hash: `h${part}-${nth}` })),
    );
  await expect(make()).rejects.toThrow('has 1,000 links');
  await expect(make(2)).resolves.toBeDefined();
  await endLink(context, { id: (await found(token)).id, accountId: 'acc_ada' });
  await expect(make()).resolves.toBeDefined();
  await expect(make()).rejects.toThrow('has 1,000 links');
  await bench
    .db('api_keys')
    .insert({ id: 3, project_id: 'prj_1', hash: 'hash 3', prefix: 'sp_live_3', created_at: 0 });
  await revokeKey(context, { id: 1, accountId: 'acc_ada', prefix: 'sp_live_1' });
  await expect(make(3)).resolves.toBeDefined();
});

test('requests of links stay readable when the encryption key is replaced', async () => {
  const { token } = await make();
  await rotateKeys(context);
  const { sealed } = await found(token);
  expect((await context.linkSealer.unseal(bench.db, sealed)).toString()).toContain('hidden-path');
});

test('stores a new capture of a link in chunks, byte for byte, in place of the previous one', async () => {
  const { token } = await make();
  await storeCapture(context, await found(token), png(10));
  const file = png(2_500_000);
  await storeCapture(context, await found(token), file);
  const chunks = await chunkRows(bench.db).orderBy('number').select('capture_id', 'body');
  const { capture } = await found(token);
  expect(chunks.map((chunk) => chunk.capture_id)).toEqual(Array(3).fill(capture?.id));
  expect(Buffer.concat(chunks.map(({ body }) => body)).equals(file.body)).toBe(true);
});

test('if two captures of a link are stored at the same time, exactly one is kept, and it is complete', async () => {
  const { token } = await make();
  const link = await found(token);
  await Promise.all([3_000_000, 5].map((bytes) => storeCapture(context, link, png(bytes))));
  const { capture } = await found(token);
  expect(capture !== undefined && (await isWhole(bench.db, capture))).toBe(true);
  expect(new Set(await chunkRows(bench.db).pluck('capture_id'))).toEqual(new Set([capture?.id]));
});

test("making room for one link deletes no chunk of another link's capture that is being stored", async () => {
  const { token } = await make();
  const link = await found(token);
  await storeCapture(context, link, png(4));
  await linkRows(bench.db)
    .where({ id: link.id })
    .update({ bytes: 200 * MEGABYTE });
  await chunkRows(bench.db).insert({
    capture_id: 'coming',
    number: 0,
    link_id: link.id,
    body: Buffer.alloc(9),
  });
  const other = await make();
  await storeCapture(context, await found(other.token), png(4));
  const { capture, hasLostCapture, dueAtMs } = await found(token);
  expect([capture, hasLostCapture, dueAtMs]).toEqual([undefined, true, START_MS + 60_000]);
  expect(await chunkRows(bench.db).where({ link_id: link.id }).pluck('capture_id')).toEqual(['coming']);
});

/** Makes three links, each with a capture that counts as 90 MB. */
async function makeLargeCaptures(): Promise<readonly string[]> {
  const tokens: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    const { token } = await make();
    bench.setClock(START_MS + count);
    await storeCapture(context, await found(token), png(MEGABYTE));
    await linkRows(bench.db)
      .where({ id: (await found(token)).id })
      .update({ bytes: 90 * MEGABYTE });
    tokens.push(token);
  }
  return tokens;
}

const haveCaptures = (tokens: readonly string[]) =>
  Promise.all(tokens.map(async (token) => (await found(token)).capture !== undefined));

test('keeps at most 200 MB of captures per account, and deletes the oldest first', async () => {
  const tokens = await makeLargeCaptures();
  const { token } = await make();
  await storeCapture(context, await found(token), png(MEGABYTE));
  expect(await haveCaptures([...tokens, token])).toEqual([false, true, true, true]);
});

test('a capture of a link that has ended is not stored, and no other capture is deleted for it', async () => {
  const tokens = await makeLargeCaptures();
  const before = await haveCaptures(tokens);
  const { token } = await make();
  const link = await found(token);
  await endLink(context, { id: link.id, accountId: 'acc_ada' });
  await storeCapture(context, link, png(50 * MEGABYTE));
  expect(await haveCaptures(tokens)).toEqual(before);
  expect(await chunkRows(bench.db).where({ link_id: link.id })).toEqual([]);
});

test('a link cannot be claimed while another claim lasts, nor after a failure until the next try is due', async () => {
  const { token } = await make();
  const link = await found(token);
  const claim = (nowMs: number) => claimCapture(bench.db, link, nowMs, nowMs + 100);
  expect([await claim(0), await claim(99), await claim(100)]).toEqual([true, false, true]);
  await storeFailure(bench.db, link, 'timeout', 500);
  expect(await found(token)).toMatchObject({ failure: 'timeout', dueAtMs: 500 });
  expect([await claim(499), await claim(500)]).toEqual([false, true]);
});

test('a link cannot be claimed for a new capture before its refresh interval has passed', async () => {
  const { token } = await make();
  const link = await found(token);
  await storeCapture(context, link, png(3));
  const claim = (nowMs: number) => claimCapture(bench.db, link, nowMs, nowMs + 100);
  expect([await claim(START_MS + 59_999), await claim(START_MS + 60_000)]).toEqual([false, true]);
});

test('a link whose capture was deleted can be claimed once, from a minute after that capture was made', async () => {
  const { token } = await make(1, 3_600, 600);
  const link = await found(token);
  await storeCapture(context, link, png(3));
  const claim = (nowMs: number) => claimCapture(bench.db, link, nowMs, nowMs + 100);
  expect(await claim(START_MS + 60_000)).toBe(false);
  await linkRows(bench.db).where({ id: link.id }).update({ capture_id: null, media_type: null, bytes: null });
  expect([await claim(START_MS + 59_999), await claim(START_MS + 60_000)]).toEqual([false, true]);
  expect(await claim(START_MS + 60_000)).toBe(false);
});

test("a failed capture of a server whose claim has expired leaves another server's claim in place", async () => {
  const { token } = await make();
  const link = await found(token);
  await claimCapture(bench.db, link, 0, 100);
  await claimCapture(bench.db, link, 100, 300);
  await storeFailure(bench.db, link, 'timeout', 500, 100);
  expect(await found(token)).toMatchObject({ failure: undefined, claimedUntilMs: 300 });
  await storeFailure(bench.db, link, 'timeout', 500, 300);
  expect(await found(token)).toMatchObject({ failure: 'timeout', claimedUntilMs: 0 });
});

test('cleaning up deletes captures of expired links and of revoked keys at once, and an expired link 30 days later', async () => {
  const [short, revoked, live] = [await make(1, 60), await make(2), await make(1, 90 * 86_400)];
  for (const { token } of [short, revoked, live]) await storeCapture(context, await found(token), png(3));
  await revokeKey(context, { id: 2, accountId: 'acc_bob', prefix: 'sp_live_2' });
  bench.setClock(START_MS + 60_000);
  await removeEndedLinks(bench.db, context.clock());
  expect(await chunkRows(bench.db)).toHaveLength(1);
  expect((await found(short.token)).works).toBe(false);
  await removeEndedLinks(bench.db, START_MS + 60_000 + 30 * DAY_MS);
  expect([await find(short.token), (await found(live.token)).capture]).toEqual([
    undefined,
    expect.anything(),
  ]);
});

test('deleting an account deletes its links and captures', async () => {
  await bench.change('acc_bob', { is_operator: true });
  const { token } = await make();
  await storeCapture(context, await found(token), png(3));
  await deleteAccount(context, 'acc_ada');
  expect([await find(token), await chunkRows(bench.db)]).toEqual([undefined, []]);
});
