import type { OAuthTokens } from '@signpost/contract';
import { HOUR_MS, SECOND_MS } from '../platform/time-units.js';
import { disableAccount, enableAccount } from '../accounts/account-state.js';
import { deleteAccount } from '../accounts/delete-account.js';
import { listEntries } from '../audit/read-audit.js';
import { ADA, CLIENT, openTestOAuth, type TestOAuth } from '../../../test/fixtures/oauth/test-oauth.js';
import { cleanConnections } from './oauth.js';

const BAD_GRANT: unknown = expect.objectContaining({ code: 'invalid_grant' });

let bench: TestOAuth;
beforeAll(async () => {
  bench = await openTestOAuth();
  const known = { name: 'Other', redirect_uris: '[]', created_at: bench.deps.clock() };
  await bench.db('oauth_clients').insert({ id: 'client_other', ...known, used_at: bench.deps.clock() });
});
afterAll(() => bench.close());
beforeEach(() => bench.clear());

const works = async ({ access_token: token }: OAuthTokens) => (await bench.oauth.verify(token)) !== undefined;
const lastEnding = async () => {
  const [entry] = await listEntries(bench.db, { limit: 1 });
  return [entry?.kind, entry?.detail?.slice(18)];
};
const rows = async (table: string) => (await bench.db(table).select(bench.db.raw('1'))).length;

/** Refreshes one token at the same time from this many windows, alternating between two servers. */
const atOnce = (windows: number, token: string) => {
  const another = bench.another();
  const sent = { grant_type: 'refresh_token', refresh_token: token, client_id: bench.clientId };
  return Promise.all(
    Array.from({ length: windows }, (_, index) =>
      (index % 2 === 0 ? bench.oauth : another).issue(CLIENT, sent),
    ),
  );
};

test.each([2, 3, 12])(
  'returns the same tokens to %i windows that refresh one token at once',
  async (windows) => {
    const first = await bench.signUp();
    const [one, ...others] = await atOnce(windows, first.refresh_token);
    if (one === undefined) throw new Error('No window was answered.');
    for (const other of others) expect(other).toEqual(one);
    expect(one.refresh_token).not.toBe(first.refresh_token);
    expect(await works(one)).toBe(true);
    const next = await bench.refresh(one.refresh_token);
    expect(await works(next)).toBe(true);
    expect(await bench.liveKeys()).toHaveLength(1);
  },
);

test('keeps the access token of another window valid when one window refreshes', async () => {
  const first = await bench.signUp();
  bench.pass(HOUR_MS - 1);
  const second = await bench.refresh(first.refresh_token);
  expect(await works(first)).toBe(true);
  bench.pass(1);
  expect(await works(first)).toBe(false);
  expect(await works(second)).toBe(true);
});

test('returns the same tokens, with their remaining lifetime, to a client that repeats a refresh within 60 s', async () => {
  const first = await bench.signUp();
  const lost = await bench.refresh(first.refresh_token);
  bench.pass(59_001);
  expect(await bench.refresh(first.refresh_token)).toEqual({ ...lost, expires_in: 3_600 - 60 });
});

test('the grace period of a refresh token ends 60 s after its replacement, however often it is used', async () => {
  const first = await bench.signUp();
  const second = await bench.refresh(first.refresh_token);
  for (const ms of [30 * SECOND_MS, 30 * SECOND_MS - 1]) {
    bench.pass(ms);
    expect(await bench.refresh(first.refresh_token)).toMatchObject({ refresh_token: second.refresh_token });
  }
  bench.pass(1);
  await expect(bench.refresh(first.refresh_token)).rejects.toEqual(BAD_GRANT);
});

test('ends the connection and all its tokens if a refresh token is used again after its grace period', async () => {
  const first = await bench.signUp();
  const second = await bench.refresh(first.refresh_token);
  bench.pass(60 * SECOND_MS);
  await expect(bench.refresh(first.refresh_token)).rejects.toEqual(BAD_GRANT);
  expect([await works(first), await works(second)]).toEqual([false, false]);
  await expect(bench.refresh(second.refresh_token)).rejects.toEqual(BAD_GRANT);
  expect(await bench.liveKeys()).toEqual([]);
  expect(await lastEnding()).toEqual(['connection.ended', 'a refresh token was used twice']);
  expect([await rows('oauth_access_tokens'), await rows('oauth_replaced_tokens')]).toEqual([0, 0]);
});

test('each replaced refresh token has its own grace period', async () => {
  const a = await bench.signUp();
  const b = await bench.refresh(a.refresh_token);
  bench.pass(40 * SECOND_MS);
  const c = await bench.refresh(b.refresh_token);
  bench.pass(19 * SECOND_MS);
  const again = await bench.refresh(a.refresh_token);
  expect(again).toEqual({ ...b, expires_in: 3_600 - 59 });
  expect(await bench.refresh(again.refresh_token)).toMatchObject({ refresh_token: c.refresh_token });
  for (const tokens of [a, b, c]) expect(await works(tokens)).toBe(true);
  bench.pass(SECOND_MS);
  expect(await bench.refresh(b.refresh_token)).toMatchObject({ refresh_token: c.refresh_token });
  await expect(bench.refresh(a.refresh_token)).rejects.toEqual(BAD_GRANT);
  expect(await works(c)).toBe(false);
});

test('a replaced refresh token presented by another client is rejected, and ends nothing', async () => {
  const first = await bench.signUp();
  const second = await bench.refresh(first.refresh_token);
  const other = { client_id: 'client_other' };
  await expect(bench.refresh(first.refresh_token, other)).rejects.toEqual(BAD_GRANT);
  bench.pass(60 * SECOND_MS);
  await expect(bench.refresh(first.refresh_token, other)).rejects.toEqual(BAD_GRANT);
  expect(await works(second)).toBe(true);
  expect(await works(await bench.refresh(second.refresh_token))).toBe(true);
});

test.each([
  ['the new refresh token', ({ second }: { second: OAuthTokens }) => second.refresh_token],
  ['the replaced refresh token', ({ first }: { first: OAuthTokens }) => first.refresh_token],
  ['the old access token', ({ first }: { first: OAuthTokens }) => first.access_token],
  ['the new access token', ({ second }: { second: OAuthTokens }) => second.access_token],
])('revoking a connection by %s ends it without a grace period', async (_which, pick) => {
  const first = await bench.signUp();
  const second = await bench.refresh(first.refresh_token);
  await bench.oauth.revoke(CLIENT, { token: pick({ first, second }), client_id: bench.clientId });
  for (const { refresh_token: token } of [first, second])
    await expect(bench.refresh(token)).rejects.toEqual(BAD_GRANT);
  expect([await works(first), await works(second)]).toEqual([false, false]);
  expect(await lastEnding()).toEqual(['connection.ended', 'by the assistant']);
});

test('a connection that its owner ended has no grace period', async () => {
  const first = await bench.signUp();
  await bench.refresh(first.refresh_token);
  for (const { id } of await bench.oauth.list('acc_ada')) await bench.oauth.end(ADA, 'acc_ada', id);
  await expect(bench.refresh(first.refresh_token)).rejects.toEqual(BAD_GRANT);
});

test('a connection whose key was revoked has no grace period', async () => {
  const first = await bench.signUp();
  const second = await bench.refresh(first.refresh_token);
  for (const id of await bench.liveKeys()) await bench.revokeKey(id);
  await expect(bench.refresh(first.refresh_token)).rejects.toEqual(BAD_GRANT);
  expect(await works(second)).toBe(false);
});

test('a disabled account gets no tokens in the grace period; once enabled, it can use the rest of the period', async () => {
  const first = await bench.signUp();
  const second = await bench.refresh(first.refresh_token);
  await disableAccount(bench.domain, 'acc_ada');
  await expect(bench.refresh(first.refresh_token)).rejects.toEqual(BAD_GRANT);
  expect(await works(second)).toBe(false);
  await enableAccount(bench.domain, 'acc_ada');
  expect(await bench.refresh(first.refresh_token)).toEqual(second);
  expect(await works(second)).toBe(true);
});

test('deleting an account deletes all tokens of its connections', async () => {
  const one = await openTestOAuth();
  const { refresh_token: token } = await one.signUp();
  await one.refresh(token);
  await deleteAccount(one.domain, 'acc_ada');
  for (const table of ['oauth_connections', 'oauth_access_tokens', 'oauth_replaced_tokens'])
    expect([table, await one.db(table).select()]).toEqual([table, []]);
  await one.close();
});

test('stores neither a replaced refresh token nor the tokens that replaced it in readable form', async () => {
  const first = await bench.signUp();
  const second = await bench.refresh(first.refresh_token);
  const stored = await bench.stored();
  for (const { access_token: access, refresh_token: refresh } of [first, second])
    for (const secret of [access, ...refresh.split('.')]) expect(stored.includes(secret)).toBe(false);
});

test('of a client that refreshes in a loop, keeps the newest 100 access tokens and 100 replaced refresh tokens', async () => {
  let tokens = await bench.signUp();
  const all = [tokens];
  for (let turn = 0; turn < 120; turn += 1) {
    bench.pass(1);
    tokens = await bench.refresh(tokens.refresh_token);
    all.push(tokens);
  }
  expect(await rows('oauth_access_tokens')).toBe(100);
  expect(await rows('oauth_replaced_tokens')).toBe(100);
  const working = await Promise.all(all.map(works));
  expect(working).toEqual(all.map((_, at) => at >= all.length - 100));
  bench.pass(60 * SECOND_MS);
  await bench.refresh(tokens.refresh_token);
  expect(await rows('oauth_replaced_tokens')).toBe(1);
});

test('removes all expired tokens and no others, however many there are', async () => {
  const first = await bench.signUp();
  const second = await bench.refresh(first.refresh_token);
  const [connectionId] = await bench.db('oauth_connections').pluck('id');
  const nowMs = bench.deps.clock();
  const expired = Array.from({ length: 2_345 }, (_, index) => ({
    hash: `expired-${index}`,
    connection_id: connectionId,
    expires_at: nowMs - index,
  }));
  for (let start = 0; start < expired.length; start += 400)
    await bench.db('oauth_access_tokens').insert(expired.slice(start, start + 400));
  const clean = () => cleanConnections({ ...bench.deps, actor: CLIENT });
  await clean();
  expect([await rows('oauth_access_tokens'), await rows('oauth_replaced_tokens')]).toEqual([2, 1]);
  expect(await bench.refresh(first.refresh_token)).toEqual(second);
  bench.pass(60 * SECOND_MS);
  await clean();
  expect([await rows('oauth_access_tokens'), await rows('oauth_replaced_tokens')]).toEqual([2, 0]);
  expect(await works(second)).toBe(true);
});
