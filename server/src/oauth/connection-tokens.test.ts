import { oauthTokens } from '@signpost/contract';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../platform/time-units.js';
import { disableAccount, enableAccount } from '../accounts/account-state.js';
import { deleteAccount } from '../accounts/delete-account.js';
import { listEntries } from '../audit/read-audit.js';
import {
  ADA,
  CLIENT,
  ISSUER,
  openTestOAuth,
  REDIRECT,
  type TestOAuth,
} from '../../../test/fixtures/oauth/test-oauth.js';
import { cleanConnections } from './oauth.js';

const rejection = (code: string): unknown => expect.objectContaining({ code, message: expect.any(String) });
const BAD_GRANT = rejection('invalid_grant');

let bench: TestOAuth;
beforeAll(async () => {
  bench = await openTestOAuth();
  const known = {
    name: 'Other',
    redirect_uris: '[]',
    created_at: bench.deps.clock(),
    used_at: bench.deps.clock(),
  };
  await bench.db('oauth_clients').insert({ id: 'client_other', ...known });
});
afterAll(() => bench.close());
beforeEach(() => bench.clear());

const works = async (accessToken: string) => (await bench.oauth.verify(accessToken)) !== undefined;
const audited = async () =>
  (await listEntries(bench.db, { limit: 2 })).map(({ kind, detail }) => [kind, detail?.slice(18)]);

test('exchanges a code for tokens with a key of their own, and stores neither code nor tokens in readable form', async () => {
  const { code } = await bench.connect();
  const tokens = oauthTokens.strict().parse(await bench.redeem(code));
  expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3_600, scope: 'mcp' });
  const [keyId] = await bench.liveKeys();
  expect(await bench.oauth.verify(tokens.access_token)).toEqual({ id: keyId, accountId: 'acc_ada' });
  expect(await bench.oauth.list('acc_ada')).toMatchObject([
    { keyId, projectName: 'Map', redirectUri: REDIRECT, lastUsedAtMs: null },
  ]);
  expect(await bench.oauth.list('acc_bob')).toEqual([]);
  const stored = await bench.stored();
  for (const secret of [code, tokens.access_token, ...tokens.refresh_token.split('.')])
    expect(stored.includes(secret)).toBe(false);
});

test.each([
  ['another client', { client_id: 'client_other' }],
  ['another redirect', { redirect_uri: 'https://assistant.example/callback' }],
  ['another verifier', { code_verifier: 'w'.repeat(43) }],
])('a code presented with %s is rejected and cannot be used again', async (_what, wrong) => {
  const { code } = await bench.connect();
  await expect(bench.redeem(code, wrong)).rejects.toEqual(BAD_GRANT);
  await expect(bench.redeem(code)).rejects.toEqual(BAD_GRANT);
  expect(await bench.liveKeys()).toEqual([]);
});

test.each([
  ['no verifier', { code_verifier: '' }, 'invalid_request'],
  ['no client', { client_id: '' }, 'invalid_request'],
  ['a parameter twice', { code_verifier: ['a', 'b'] }, 'invalid_request'],
  ['another resource', { resource: 'https://signpost.example/api' }, 'invalid_target'],
  ['another grant', { grant_type: 'password' }, 'unsupported_grant_type'],
  ['a client that is forgotten', { client_id: 'client_forgotten' }, 'invalid_client'],
])('a token request with %s is rejected, but its code can still be used', async (_what, wrong, code) => {
  const connected = await bench.connect();
  await expect(bench.redeem(connected.code, wrong)).rejects.toEqual(rejection(code));
  expect(await works((await bench.redeem(connected.code)).access_token)).toBe(true);
});

test('accepts a code without a redirect URI', async () => {
  const { code } = await bench.connect();
  expect(await works((await bench.redeem(code, { redirect_uri: undefined })).access_token)).toBe(true);
});

test('ends the connection if its code is used a second time', async () => {
  const { code } = await bench.connect();
  const tokens = await bench.redeem(code);
  await expect(bench.redeem(code)).rejects.toEqual(BAD_GRANT);
  expect(await works(tokens.access_token)).toBe(false);
  await expect(bench.refresh(tokens.refresh_token)).rejects.toEqual(BAD_GRANT);
  expect(await bench.liveKeys()).toEqual([]);
  expect(await audited()).toEqual([
    ['connection.ended', 'a code was used twice or wrongly'],
    ['connection.made', 'assistant.example'],
  ]);
});

test('of four concurrent uses of a code only one gets tokens, and these are revoked', async () => {
  const { code } = await bench.connect();
  const answers = await Promise.allSettled(Array.from({ length: 4 }, () => bench.redeem(code)));
  const got = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  expect(got).toHaveLength(1);
  for (const { access_token: token } of got) expect(await works(token)).toBe(false);
});

test('expires a code after two minutes', async () => {
  const first = await bench.connect();
  bench.pass(120 * SECOND_MS - 1);
  expect(await works((await bench.redeem(first.code)).access_token)).toBe(true);
  const { code } = await bench.connect();
  bench.pass(120 * SECOND_MS);
  await expect(bench.redeem(code)).rejects.toEqual(BAD_GRANT);
});

test('an access token expires after an hour, and the refresh token gets another one', async () => {
  const first = await bench.signUp();
  bench.pass(HOUR_MS - 1);
  expect(await works(first.access_token)).toBe(true);
  bench.pass(1);
  expect(await works(first.access_token)).toBe(false);
  const second = await bench.refresh(first.refresh_token);
  expect(await works(second.access_token)).toBe(true);
  expect(second.refresh_token).not.toBe(first.refresh_token);
  expect(await works((await bench.refresh(second.refresh_token)).access_token)).toBe(true);
});

test.each([
  ['another client', { client_id: 'client_other' }, 'invalid_grant'],
  ['a wider scope', { scope: 'mcp admin' }, 'invalid_scope'],
  ['another resource', { resource: 'https://signpost.example/api/' }, 'invalid_target'],
  ['a client that is forgotten', { client_id: 'client_forgotten' }, 'invalid_client'],
])('rejects a refresh token presented with %s, and keeps it valid', async (_what, wrong, code) => {
  const tokens = await bench.signUp();
  await expect(bench.refresh(tokens.refresh_token, wrong)).rejects.toEqual(rejection(code));
  expect(await works((await bench.refresh(tokens.refresh_token)).access_token)).toBe(true);
});

test('rejects malformed refresh tokens as invalid grants', async () => {
  const { access_token: access, refresh_token: refresh } = await bench.signUp();
  const [family = '', turn = ''] = refresh.split('.');
  for (const text of [access, family, `${family}.`, `.${turn}`, `${refresh}.x`, `sp_live_${'a'.repeat(38)}`])
    await expect(bench.refresh(text)).rejects.toEqual(BAD_GRANT);
  expect(await works(access)).toBe(true);
});

test('accepts tokens only while the server has the address for which they were issued', async () => {
  const tokens = await bench.signUp();
  bench.moveTo('https://elsewhere.example');
  expect(await works(tokens.access_token)).toBe(false);
  await expect(bench.refresh(tokens.refresh_token)).rejects.toEqual(BAD_GRANT);
  bench.moveTo(ISSUER);
  expect(await works(tokens.access_token)).toBe(true);
});

test('rejects the access token and the refresh token of a revoked key', async () => {
  const { access_token: access, refresh_token: refresh } = await bench.signUp();
  await bench.revokeKey((await bench.liveKeys())[0] ?? 0);
  expect(await works(access)).toBe(false);
  await expect(bench.refresh(refresh)).rejects.toEqual(BAD_GRANT);
  expect(await bench.oauth.list('acc_ada')).toEqual([]);
});

test('rejects the tokens of an expired key, and keeps those of a disabled key', async () => {
  const { access_token: access, refresh_token: refresh } = await bench.signUp();
  const [id] = await bench.liveKeys();
  const keys = () => bench.db('api_keys').where({ id });
  await keys().update({ disabled_at: 1 });
  // The meter rejects calls with a disabled key. The connection stays, and works again once the key is enabled.
  expect(await works(access)).toBe(true);
  const renewed = await bench.refresh(refresh);
  expect(await bench.oauth.list('acc_ada')).toHaveLength(1);
  await keys().update({ ends_at: bench.deps.clock() });
  expect(await works(renewed.access_token)).toBe(false);
  await expect(bench.refresh(renewed.refresh_token)).rejects.toEqual(BAD_GRANT);
  expect(await bench.oauth.list('acc_ada')).toEqual([]);
});

test('rejects the tokens of a disabled account, and deletes those of a deleted one', async () => {
  const one = await openTestOAuth();
  const { access_token: access, refresh_token: refresh } = await one.signUp();
  await disableAccount(one.domain, 'acc_ada');
  expect(await one.oauth.verify(access)).toBeUndefined();
  await expect(one.refresh(refresh)).rejects.toEqual(BAD_GRANT);
  await enableAccount(one.domain, 'acc_ada');
  expect(await one.oauth.verify(access)).toBeDefined();
  await deleteAccount(one.domain, 'acc_ada');
  expect(await one.oauth.verify(access)).toBeUndefined();
  expect(await one.db('oauth_connections').select()).toEqual([]);
  await one.close();
});

test('a client can revoke its own connection with its access token, or with its refresh token, even a replaced one', async () => {
  const revoke = (token: string, clientId = bench.clientId) =>
    bench.oauth.revoke(CLIENT, { token, client_id: clientId });
  const [first, second] = [await bench.signUp(), await bench.signUp()];
  await expect(revoke(first.access_token, 'client_other')).rejects.toEqual(rejection('invalid_client'));
  await revoke('nothing that there is');
  expect(await works(first.access_token)).toBe(true);
  await revoke(first.access_token);
  await revoke(first.access_token);
  await bench.refresh(second.refresh_token);
  await revoke(second.refresh_token);
  expect(await bench.liveKeys()).toEqual([]);
  expect((await audited())[0]).toEqual(['connection.ended', 'by the assistant']);
});

test('the owner of a connection can end it, another account cannot', async () => {
  const tokens = await bench.signUp();
  const [connection] = await bench.oauth.list('acc_ada');
  const id = connection?.id ?? '';
  await bench.oauth.end({ ...ADA, accountId: 'acc_bob' }, 'acc_bob', id);
  expect(await works(tokens.access_token)).toBe(true);
  await bench.oauth.end(ADA, 'acc_ada', id);
  expect(await works(tokens.access_token)).toBe(false);
  expect(await bench.liveKeys()).toEqual([]);
  expect((await audited())[0]).toEqual(['connection.ended', 'by its owner']);
});

test('removes connections that were not used for 30 days or whose code was not exchanged, with their keys', async () => {
  const clean = () => cleanConnections({ ...bench.deps, actor: CLIENT });
  const tokens = await bench.signUp();
  await bench.connect();
  bench.pass(30 * DAY_MS - 1);
  await clean();
  expect(await bench.liveKeys()).toHaveLength(1);
  const renewed = await bench.refresh(tokens.refresh_token);
  bench.pass(30 * DAY_MS);
  await expect(bench.refresh(renewed.refresh_token)).rejects.toEqual(BAD_GRANT);
  expect(await bench.oauth.list('acc_ada')).toEqual([]);
  await clean();
  expect(await bench.liveKeys()).toEqual([]);
  expect(await bench.db('oauth_connections').select()).toEqual([]);
  expect((await audited())[0]).toEqual(['connection.ended', 'not used any more']);
});
