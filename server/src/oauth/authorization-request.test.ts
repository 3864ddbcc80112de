import {
  ADA,
  ISSUER,
  openTestOAuth,
  REDIRECT,
  type TestOAuth,
} from '../../../test/fixtures/oauth/test-oauth.js';
import { OAuthError } from './oauth-error.js';

let bench: TestOAuth;
beforeAll(async () => (bench = await openTestOAuth()));
afterAll(() => bench.close());

const read = (more: object) => bench.oauth.readRequest({ ...bench.query, ...more }, ADA.accountId);
const rejection = (code: string): unknown => expect.objectContaining({ code, message: expect.any(String) });

test.each([
  ['no client', { client_id: undefined }, 'invalid_request'],
  ['an unknown client', { client_id: 'client_unknown' }, 'invalid_client'],
  ['a client of no form', { client_id: "x'; --" }, 'invalid_client'],
  ['a client twice', { client_id: ['client_a', 'client_b'] }, 'invalid_request'],
  ['no redirect', { redirect_uri: undefined }, 'invalid_request'],
  ['a redirect twice', { redirect_uri: [REDIRECT, REDIRECT] }, 'invalid_request'],
  [
    'a redirect with another query',
    { redirect_uri: 'https://assistant.example/callback' },
    'invalid_request',
  ],
  [
    'a redirect with more path',
    { redirect_uri: 'https://assistant.example/callback/?tenant=a%20b' },
    'invalid_request',
  ],
  [
    'a redirect to another host',
    { redirect_uri: 'https://evil.example/callback?tenant=a%20b' },
    'invalid_request',
  ],
  ['a redirect to a script', { redirect_uri: 'javascript:alert(1)' }, 'invalid_request'],
  ['a redirect with a fragment', { redirect_uri: `${REDIRECT}#x` }, 'invalid_request'],
])('rejects an authorization request with %s', async (_what, wrong, code) => {
  await expect(read(wrong)).rejects.toEqual(rejection(code));
});

test.each([
  ['another response_type', { response_type: 'token' }, 'unsupported_response_type'],
  ['no response_type', { response_type: '' }, 'invalid_request'],
  ['another response_mode', { response_mode: 'fragment' }, 'invalid_request'],
  ['no challenge', { code_challenge: undefined }, 'invalid_request'],
  ['an invalid challenge', { code_challenge: 'short' }, 'invalid_request'],
  ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['a challenge without its method', { code_challenge_method: undefined }, 'invalid_request'],
  ['a challenge twice', { code_challenge: ['a'.repeat(43), 'b'.repeat(43)] }, 'invalid_request'],
  ['only other scopes', { scope: 'openid profile' }, 'invalid_scope'],
  ['another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
  ['two resources', { resource: [`${ISSUER}/mcp`, 'https://other.example'] }, 'invalid_request'],
  ['too long a resource', { resource: `${ISSUER}/${'a'.repeat(2_048)}` }, 'invalid_request'],
])('a request with %s is redirected with an error, the state and the issuer', async (_what, wrong, code) => {
  const { problem, ...request } = await read(wrong);
  expect(problem).toEqual(rejection(code));
  if (problem === undefined) throw new Error('There is no problem.');
  const back = new URL(bench.oauth.rejectionOf({ ...request, problem }, problem));
  expect(back.href.startsWith(`${REDIRECT}&`)).toBe(true);
  const { state } = bench.query;
  expect(Object.fromEntries(back.searchParams)).toMatchObject({ error: code, state, iss: ISSUER });
});

test('if the state is repeated, the request has a problem, and no state to return', async () => {
  const { problem, state } = await read({ state: ['a', 'b'] });
  expect([problem, state]).toEqual([rejection('invalid_request'), undefined]);
});

test.each([
  ['without scope and resource', { scope: undefined, resource: undefined }],
  ['with more scopes than there are', { scope: 'mcp offline_access openid' }],
  ['for a host in capitals', { resource: 'HTTPS://SIGNPOST.EXAMPLE/mcp' }],
  ['for the resource with a slash', { resource: `${ISSUER}/mcp/` }],
  ['for the server itself', { resource: ISSUER }],
])('a request %s is redirected with a code, the state and the issuer', async (_what, more) => {
  const request = await read(more);
  expect(request.problem).toBeUndefined();
  const back = new URL(await bench.oauth.allow(ADA, request, 'prj_ada'));
  const { state } = bench.query;
  expect(Object.fromEntries(back.searchParams)).toEqual({
    tenant: 'a b',
    state,
    iss: ISSUER,
    code: expect.stringMatching(/^sp_code_/u),
  });
});

test('redirects without a state if the request has none', async () => {
  const request = await read({ state: undefined });
  const answers = [
    await bench.oauth.allow(ADA, request, 'prj_ada'),
    bench.oauth.rejectionOf(request, new OAuthError('access_denied', 'No.')),
  ];
  for (const url of answers) expect(new URL(url).searchParams.has('state')).toBe(false);
});

test("connections count against the account's limit of 20 live keys", async () => {
  const request = await read({});
  const bob = { ...ADA, accountId: 'acc_bob' };
  for (let time = 0; time < 20; time += 1) await bench.oauth.allow(bob, request, 'prj_bob');
  await expect(bench.oauth.allow(bob, request, 'prj_bob')).rejects.toThrow(/20 live keys/u);
});
