import { errorBody, usageStatistics } from '@signpost/contract';
import { Command } from 'commander';
import { z } from 'zod';
import { HOUR_MS } from '../../platform/time-units.js';
import { commandLine } from '../../../../test/fixtures/command-line.js';
import { startConsoleApp, type ConsoleApp } from '../../../../test/fixtures/console-app.js';
import { ConsoleClient } from '../../../../test/fixtures/console-client.js';
import { connectAssistant, sendForm, sendJson } from '../../../../test/fixtures/oauth/connect-assistant.js';

const EMAIL = 'ada@example.org';
const REDIRECT_URI = 'https://assistant.example/callback';

let app: ConsoleApp;
let ada: ConsoleClient;
let tokens: Awaited<ReturnType<typeof connectAssistant>>;

beforeAll(async () => {
  app = await startConsoleApp();
  ada = new ConsoleClient(app.url);
  await ada.submit('/signup', { email: EMAIL, name: 'Ada', password: 'a long enough password' });
  tokens = await connectAssistant(ada);
});
afterAll(() => app.close());

const oauthError = z.strictObject({ error: z.string(), error_description: z.string().regex(/^[^"\\]+$/u) });
const rejectionOf = async (answer: Response) => [answer.status, oauthError.parse(await answer.json()).error];

test.each(['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'])(
  'the document %s says what tokens are for and who issues them',
  async (path) => {
    const answer = await fetch(app.url + path);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(await answer.json()).toEqual({
      resource: `${app.url}/mcp`,
      authorization_servers: [app.url],
      scopes_supported: ['mcp'],
      bearer_methods_supported: ['header'],
      resource_name: 'Signpost',
    });
  },
);

test('a client on this machine that addresses the server as localhost finds the resource under that name, with the same issuer', async () => {
  const home = app.url.replace('127.0.0.1', 'localhost');
  const refused = await fetch(`${home}/mcp`, { method: 'POST' });
  const address =
    /resource_metadata="([^"]+)"/u.exec(refused.headers.get('www-authenticate') ?? '')?.[1] ?? '';
  expect([refused.status, address.startsWith(home)]).toEqual([401, true]);
  const document = await fetch(address);
  expect(await document.json()).toMatchObject({ resource: `${home}/mcp`, authorization_servers: [app.url] });
});

test.each([
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server/mcp',
  '/.well-known/openid-configuration/mcp',
  '/mcp/.well-known/openid-configuration',
])('the document %s tells a client without a token how to get one', async (path) => {
  expect(await (await fetch(app.url + path)).json()).toMatchObject({
    issuer: app.url,
    authorization_endpoint: `${app.url}/oauth/authorize`,
    token_endpoint: `${app.url}/oauth/token`,
    registration_endpoint: `${app.url}/oauth/register`,
    revocation_endpoint: `${app.url}/oauth/revoke`,
    scopes_supported: ['mcp'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  });
});

test('OAuth routes answer preflight requests, and /oauth/token rejects GET with 405', async () => {
  for (const path of ['/oauth/token', '/oauth/register', '/.well-known/oauth-protected-resource/mcp']) {
    const { status, headers } = await fetch(app.url + path, { method: 'OPTIONS' });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    expect(headers.get('access-control-allow-headers')).toBe(
      'Authorization, Content-Type, MCP-Protocol-Version',
    );
  }
  const got = await fetch(`${app.url}/oauth/token`);
  expect([got.status, got.headers.get('allow')]).toEqual([405, expect.stringContaining('POST')]);
});

test('registers a program with a client identifier and no secret', async () => {
  const answer = await sendJson(`${app.url}/oauth/register`, {
    client_name: 'Editor',
    redirect_uris: [REDIRECT_URI],
    token_endpoint_auth_method: 'client_secret_basic',
  });
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store']);
  expect(await answer.json()).toEqual({
    client_id: expect.stringMatching(/^client_\w{20}$/u),
    client_name: 'Editor',
    redirect_uris: [REDIRECT_URI],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  });
});

describe('rejections have the codes of OAuth, and a description without quotation marks', () => {
  const wrong = { grant_type: 'authorization_code', code: 'x', client_id: 'y', code_verifier: 'z' };

  test.each<[string, Record<string, string>, number, string]>([
    ['no field', {}, 400, 'invalid_request'],
    ['another grant type', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['an unknown code', wrong, 400, 'invalid_grant'],
    ['a forgotten client', { ...wrong, client_id: 'client_forgotten' }, 401, 'invalid_client'],
    ['a body that is too large', { ...wrong, code: 'x'.repeat(17_000) }, 413, 'invalid_request'],
  ])('a token request with %s is rejected with an OAuth error code', async (_, fields, status, code) => {
    const answer = await sendForm(`${app.url}/oauth/token`, fields);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await rejectionOf(answer)).toEqual([status, code]);
  });

  test('a token request with a field twice is rejected as invalid_request', async () => {
    const body = new URLSearchParams([...Object.entries(wrong), ['code', 'w']]);
    const answer = await fetch(`${app.url}/oauth/token`, { method: 'POST', body });
    expect(await rejectionOf(answer)).toEqual([400, 'invalid_request']);
  });

  test('a token request that is not a form is rejected with 415 and invalid_request', async () => {
    const text = { method: 'POST', body: 'hello', headers: { 'Content-Type': 'text/plain' } };
    expect(await rejectionOf(await fetch(`${app.url}/oauth/token`, text))).toEqual([415, 'invalid_request']);
  });

  test('a revocation by another client is rejected as invalid_client', async () => {
    const revoke = { token: tokens.access_token, client_id: 'client_other' };
    const answer = await sendForm(`${app.url}/oauth/revoke`, revoke);
    expect(await rejectionOf(answer)).toEqual([401, 'invalid_client']);
  });
});

test('rejects a flood of registrations with 429 and Retry-After', async () => {
  const register = (body: object) => sendJson(`${app.url}/oauth/register`, body);
  expect(await rejectionOf(await register({}))).toEqual([400, 'invalid_redirect_uri']);
  let answer = await register({ redirect_uris: [REDIRECT_URI] });
  for (let time = 0; time < 20 && answer.ok; time += 1)
    answer = await register({ redirect_uris: [REDIRECT_URI] });
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await rejectionOf(answer)).toEqual([429, 'temporarily_unavailable']);
});

const mcp = (headers: Readonly<Record<string, string>>, query = '', { url } = app) =>
  fetch(`${url}/mcp${query}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_usage', arguments: {} },
    }),
  });
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const metadata = () => `resource_metadata="${app.url}/.well-known/oauth-protected-resource/mcp", scope="mcp"`;
const accessTokenOfB = async () => {
  const cli = commandLine(app.dataDir, () => new Command('signpost'));
  await cli.json('account', 'api-access', 'on', '--email', EMAIL);
  const shown = await cli.json('token', 'show', '--account', EMAIL);
  return z.object({ accessToken: z.string() }).parse(shown).accessToken;
};

test("accepts a connection's token at /mcp, and counts the request for the connection's key", async () => {
  const answer = await mcp(bearer(tokens.access_token));
  const { result } = z
    .object({ result: z.object({ structuredContent: usageStatistics }) })
    .parse(await answer.json());
  expect(result.structuredContent.totalRequests).toBe(1);
});

test("when a connection's limit is used up, the tool says when to try again, and other keys still work", async () => {
  const limited = await startConsoleApp({ SIGNPOST_RATE_PER_DAY: '2' });
  const connected = async (email: string) => {
    const person = new ConsoleClient(limited.url);
    await person.submit('/signup', { email, name: 'Somebody', password: 'a long enough password' });
    return connectAssistant(person);
  };
  const [first, second] = [await connected('grace@example.org'), await connected('linus@example.org')];
  const call = async (token: string) => {
    const { result } = z
      .object({
        result: z.object({
          isError: z.boolean().optional(),
          content: z.array(z.object({ text: z.string() })),
        }),
      })
      .parse(await (await mcp(bearer(token), '', limited)).json());
    return result.isError === true ? result.content[0]?.text : 'answered';
  };
  expect([await call(first.access_token), await call(first.access_token)]).toEqual(['answered', 'answered']);
  expect(await call(first.access_token)).toMatch(
    /2 requests per day, is used up[\s\S]*Do not call this server again for/u,
  );
  expect(await call(second.access_token)).toBe('answered');
  // Calls past the limit run nothing. After too many of them in a minute, the HTTP request itself gets 429.
  let answer = await mcp(bearer(first.access_token), '', limited);
  for (let time = 0; time < 60 && answer.ok; time += 1)
    answer = await mcp(bearer(first.access_token), '', limited);
  expect([answer.status, Number(answer.headers.get('Retry-After')) > 0]).toEqual([429, true]);
  expect((await mcp(bearer(second.access_token), '', limited)).status).toBe(200);
  await limited.close();
});

test('says at /mcp where to get a token if the key or token is missing or of another kind', async () => {
  const stranger = await mcp({});
  expect([stranger.status, stranger.headers.get('www-authenticate')]).toEqual([401, `Bearer ${metadata()}`]);
  for (const headers of [
    bearer(await accessTokenOfB()),
    bearer(tokens.refresh_token),
    bearer(`${tokens.access_token}x`),
    { 'X-Api-Key': tokens.access_token },
  ]) {
    const { status, headers: answered } = await mcp(headers);
    expect([status, answered.get('www-authenticate')]).toEqual([
      401,
      `Bearer error="invalid_token", ${metadata()}`,
    ]);
  }
  const inQuery = await mcp({}, `?access_token=${tokens.access_token}`);
  expect(inQuery.status).toBe(401);
});

test('the tokens of a connection do not work at paths of the API, and an API key does not work as a refresh token', async () => {
  const { access_token: token, refresh_token: refreshToken, clientId } = tokens;
  const sent: readonly Record<string, string>[] = [bearer(token), { 'X-Api-Key': token }];
  for (const headers of sent)
    for (const path of ['/api/usage', '/api/token/status']) {
      const answer = await fetch(app.url + path, { headers });
      expect([path, answer.status]).toEqual([path, 401]);
      expect(errorBody.parse(await answer.json()).error).not.toContain(token);
    }
  const refreshed = await sendJson(`${app.url}/api/token/refresh`, { refreshToken });
  expect(refreshed.status).toBe(401);
  const key = { grant_type: 'refresh_token', refresh_token: app.apiKey, client_id: clientId };
  expect(await rejectionOf(await sendForm(`${app.url}/oauth/token`, key))).toEqual([400, 'invalid_grant']);
});

test('after an access token of a connection expires, a refreshed one works until it is revoked', async () => {
  app.pass(HOUR_MS);
  const ended = await mcp(bearer(tokens.access_token));
  expect([ended.status, errorBody.parse(await ended.json()).error]).toEqual([
    401,
    expect.stringContaining('Get a new one with the refresh token'),
  ]);
  const { refresh_token: refreshToken, clientId } = tokens;
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId };
  const refreshed = await (await sendForm(`${app.url}/oauth/token`, form)).json();
  const { access_token: token } = z.object({ access_token: z.string() }).parse(refreshed);
  expect((await mcp(bearer(token))).status).toBe(200);
  const revoked = await sendForm(`${app.url}/oauth/revoke`, { token, client_id: clientId });
  expect(revoked.status).toBe(200);
  expect((await mcp(bearer(token))).status).toBe(401);
});
