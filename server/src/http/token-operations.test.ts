import { errorBody, tokenPair, tokenStatus } from '@signpost/contract';
import type { FastifyInstance } from 'fastify';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { z } from 'zod';
import { createCaptureCaches } from '../operations/capture-cache.js';
import { MeteredCalls } from '../operations/metered-call.js';
import { apiKeyOperations } from '../operations/operations.js';
import { tokenOperations } from '../operations/token-operations.js';
import { openDirectoryStore, type DirectoryStore } from '../postcodes/directory-store.js';
import { createThrottle } from '../throttle/throttle.js';
import { rotateKeys } from '../tokens/rotate-keys.js';
import { noCaptures } from '../../../test/fixtures/capture/no-captures.js';
import { silentLog } from '../../../test/fixtures/silent-log.js';
import {
  ISSUER,
  MINUTE_MS,
  openTestTokens,
  START_MS,
  type TestTokens,
} from '../../../test/fixtures/tokens/test-tokens.js';
import type { TokenPair } from '../tokens/tokens.js';
import { Meter } from '../usage/meter.js';
import { createHttpServer } from './http-server.js';
import { Metrics } from './metrics.js';
import { RejectionLimit } from './auth/rejection-limit.js';
import { StrangerBudget } from './auth/stranger-budget.js';
import { ServedHosts } from './served-hosts.js';
import { CompressedBodies } from './compressed-bodies.js';
import { ProxyWatch } from './connections.js';

const STATUS = '/api/token/status';
const REFRESH = '/api/token/refresh';
const API_KEY = `sp_live_${'a'.repeat(38)}`;

let bench: TestTokens;
let directories: DirectoryStore;
let server: FastifyInstance;
let pair: TokenPair;

const unused = () => Promise.reject(new Error('Not of this test.'));

beforeEach(async () => {
  bench = await openTestTokens(createThrottle);
  directories = await openDirectoryStore({ dataDir: '/nowhere' });
  server = createHttpServer({
    isSample: () => true,
    operations: apiKeyOperations({
      directories,
      capture: { ...noCaptures(), reserve: unused },
      readUsage: unused,
      readProjectName: unused,
      captureCaches: createCaptureCaches(() => 0, 1),
      makeLink: unused,
    }),
    tokenOperations: tokenOperations(bench.tokens),
    verifyAccessToken: (presented) => bench.tokens.verify(presented),
    publicKeys: () => bench.tokens.publicKeys(),
    findKey: () => Promise.resolve(undefined),
    calls: new MeteredCalls({
      counter: new Meter(unused, bench.maker.clock, () => undefined),
      monotonicMs: () => 0,
    }),
    servedHosts: new ServedHosts([], silentLog),
    strangers: new StrangerBudget(() => 0),
    bodies: new CompressedBodies(),
    rejectionLimit: new RejectionLimit(() => 0),
    metrics: new Metrics(),
    metricsToken: undefined,
    readiness: unused,
    serverUrl: ISSUER,
    notFoundPage: { html: '', headers: {} },
    trustProxy: ['127.0.0.1'],
    proxyWatch: new ProxyWatch(['127.0.0.1'], silentLog),
    log: silentLog,
    clock: bench.maker.clock,
    randomBytes: bench.maker.randomBytes,
    logsRequests: () => false,
  });
  pair = await bench.tokens.pairOf('acc_ada');
});
afterEach(async () => {
  await server.close();
  await directories.close();
  await bench.close();
});

const status = (authorization?: string) =>
  server.inject({ url: STATUS, headers: authorization === undefined ? {} : { authorization } });

const refresh = (payload: string | object, address = '192.0.2.1') =>
  server.inject({
    method: 'POST',
    url: REFRESH,
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    payload,
  });

type Answer = Awaited<ReturnType<typeof status>>;

/** The token with an invalid signature: its last ten characters are reversed, or replaced if that changes nothing. */
function withLastReversed(token: string): string {
  const end = [...token.slice(-10)].reverse().join('');
  return token.endsWith(end) ? `${token.slice(0, -10)}AAAAAAAAAA` : token.slice(0, -10) + end;
}

/** Checks that a response is a 401 in the form that the token API uses. Returns its error message. */
function rejection(answer: Answer, challenge: string): string {
  expect(answer.statusCode).toBe(401);
  expect(answer.headers).toMatchObject({ 'www-authenticate': challenge, 'cache-control': 'no-store' });
  return errorBody.strict().parse(answer.json()).error;
}
const INVALID = 'Bearer error="invalid_token"';

test('status returns the account of the token and its expiry, and must not be cached', async () => {
  const answer = await status(`Bearer ${pair.accessToken}`);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers['www-authenticate']).toBeUndefined();
  expect(tokenStatus.strict().parse(answer.json())).toEqual({
    result: 'success',
    identity: { id: 'acc_ada', email: 'ada@example.org', name: null },
    valid_to: '2026-01-02T06:04:05.000Z',
  });
});

test('refresh returns a new access token and the same refresh token, and must not be cached', async () => {
  bench.setClock(START_MS + MINUTE_MS);
  const answer = await refresh({ refreshToken: pair.refreshToken });
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['cache-control']).toBe('no-store');
  const body = tokenPair.strict().parse(answer.json());
  expect(body).toMatchObject({
    result: 'success',
    refresh_token: pair.refreshToken,
    valid_to: '2026-01-02T06:05:05.000Z',
  });
  expect(body.access_token).not.toBe(pair.accessToken);
  for (const token of [body.access_token, pair.accessToken])
    expect((await status(`Bearer ${token}`)).statusCode).toBe(200);
});

test('accepts the word Bearer in small letters or capitals, or followed by several spaces', async () => {
  for (const start of ['bearer ', 'BEARER ', 'Bearer   '])
    expect((await status(start + pair.accessToken)).statusCode).toBe(200);
});

test('status rejects a request without a bearer token with 401, and says what the header must hold', async () => {
  const value = 'the word Bearer, a space, then the access token.';
  for (const wrong of [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    pair.accessToken,
    `Basic ${pair.accessToken}`,
    `Bearer${pair.accessToken}`,
    `Bearer: ${pair.accessToken}`,
    `Bearer "${pair.accessToken}" x`,
    `Bearer ${pair.accessToken} ${pair.accessToken}`,
  ])
    expect(rejection(await status(wrong), 'Bearer')).toContain(value);
});

test.each([
  ['a refresh token', () => pair.refreshToken, /^This is a refresh token/u],
  ['an API key', () => API_KEY, /^This is an API key, which goes into the header "X-Api-Key"/u],
  ['a changed access token', () => withLastReversed(pair.accessToken), /^The access token is not valid/u],
  ['something else', () => 'hello', /^The access token is not valid/u],
])('%s as bearer gets 401, with the reason and without the token', async (_what, token, words) => {
  const error = rejection(await status(`Bearer ${token()}`), INVALID);
  expect(error).toMatch(words);
  expect(error).not.toContain(token());
});

test('accepts an access token 179 minutes 59 seconds after it was issued, and rejects it after 180 minutes', async () => {
  bench.setClock(START_MS + 180 * MINUTE_MS - 1_000);
  expect((await status(`Bearer ${pair.accessToken}`)).statusCode).toBe(200);
  bench.setClock(START_MS + 180 * MINUTE_MS);
  expect(rejection(await status(`Bearer ${pair.accessToken}`), INVALID)).toMatch(
    /ended at 2026-01-02T06:04:05/u,
  );
});

test.each([
  ['an access token', () => pair.accessToken, /^This is an access token/u],
  ['an API key', () => API_KEY, /^This is an API key/u],
  ['an unknown one', () => `rt_${'0'.repeat(38)}`, /^The refresh token is not valid/u],
])('%s as refresh token gets 401, with the reason and without the token', async (_what, token, words) => {
  const error = rejection(await refresh({ refreshToken: token() }), INVALID);
  expect(error).toMatch(words);
  expect(error).not.toContain(token());
});

test('refresh rejects a wrong body with 400, without repeating the token in it', async () => {
  const { refreshToken } = pair;
  const wrong = [
    ['', /is empty/u],
    ['{', /is not valid JSON/u],
    ['{}', /"refreshToken" is missing/u],
    [JSON.stringify(refreshToken), /must be a JSON object with "refreshToken", but is a string\.$/u],
    [{ refreshToken: '' }, /"refreshToken" must be a string of at least 1 character, but is ""/u],
    [{ refreshToken: [refreshToken] }, /"refreshToken" must be a string of .*, but is a list of 1/u],
    [{ refreshToken: 12_345 }, /but is a number/u],
    [{ refresh_token: refreshToken }, /did you mean "refreshToken"\?/u],
    [{ refreshToken, more: refreshToken }, /"more" is not a field/u],
  ] as const;
  for (const [body, words] of wrong) {
    const answer = await refresh(body);
    const { error } = errorBody.strict().parse(answer.json());
    expect([answer.statusCode, error]).toEqual([400, expect.stringMatching(words)]);
    expect(error).not.toContain(refreshToken.slice(0, 12));
    expect(error).not.toContain('12345');
    expect(answer.headers['cache-control']).toBe('no-store');
  }
});

test('fifty refreshes at once return different access tokens and the same refresh token', async () => {
  const { refreshToken } = pair;
  const answers = await Promise.all(Array.from({ length: 50 }, () => refresh({ refreshToken })));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 50 }, () => 200));
  const bodies = answers.map((answer) => tokenPair.parse(answer.json()));
  expect(new Set(bodies.map((body) => body.refresh_token))).toEqual(new Set([refreshToken]));
  expect(new Set(bodies.map((body) => body.access_token)).size).toBe(50);
});

test('rejects too many wrong refresh tokens of one address with 429, and still serves valid ones', async () => {
  const wrong = { refreshToken: `rt_${'0'.repeat(38)}` };
  for (let tries = 0; tries < 20; tries += 1) expect((await refresh(wrong)).statusCode).toBe(401);
  const throttled = await refresh(wrong);
  expect([throttled.statusCode, throttled.headers['retry-after']]).toEqual([429, '60']);
  errorBody.strict().parse(throttled.json());
  expect((await refresh({ refreshToken: pair.refreshToken })).statusCode).toBe(200);
  expect((await refresh(wrong, '192.0.2.2')).statusCode).toBe(401);
  expect((await status(`Bearer ${pair.accessToken}`)).statusCode).toBe(200);
});

test.each([
  ['disabled', { disabled_at: 1 }, /is disabled/u],
  ['without API access', { has_api_access: false }, /API access is not enabled/u],
])(
  'once an account is %s, status and refresh reject its tokens at the next call',
  async (_state, change, words) => {
    expect((await status(`Bearer ${pair.accessToken}`)).statusCode).toBe(200);
    await bench.change('acc_ada', change);
    expect(rejection(await status(`Bearer ${pair.accessToken}`), INVALID)).toMatch(words);
    expect(rejection(await refresh({ refreshToken: pair.refreshToken }), INVALID)).toMatch(words);
  },
);

test('refresh rejects GET with 405, and status ignores a token in the query', async () => {
  const answer = await server.inject({ method: 'GET', url: REFRESH });
  expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'POST']);
  const byQuery = await server.inject({ url: `${STATUS}?access_token=${pair.accessToken}` });
  rejection(byQuery, 'Bearer');
});

const keySet = z.strictObject({
  keys: z.array(
    z.strictObject({
      kty: z.literal('OKP'),
      crv: z.literal('Ed25519'),
      x: z.string().length(43),
      kid: z.string(),
      alg: z.literal('EdDSA'),
      use: z.literal('sig'),
    }),
  ),
});

test('lets other services verify tokens by the published keys, also tokens from before a rotation', async () => {
  await rotateKeys(bench.domain);
  const { accessToken } = await bench.tokens.issueAccessToken('acc_bob');
  const answer = await server.inject({ url: '/.well-known/jwks.json' });
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'public, max-age=60',
  });
  const published = createLocalJWKSet(keySet.parse(answer.json()));
  const options = { issuer: ISSUER, audience: 'signpost-referral', currentDate: new Date(START_MS) };
  for (const [token, sub] of [
    [pair.accessToken, 'acc_ada'],
    [accessToken, 'acc_bob'],
  ] as const)
    expect((await jwtVerify(token, published, options)).payload.sub).toBe(sub);
});

test('in the OpenAPI document, status needs an access token and has WWW-Authenticate, and refresh needs none and has Retry-After', async () => {
  const answers = (status: string, header: string) => ({ [status]: { headers: { [header]: {} } } });
  expect((await server.inject({ url: '/openapi.json' })).json()).toMatchObject({
    paths: {
      [STATUS]: { get: { security: [{ accessToken: [] }], responses: answers('401', 'WWW-Authenticate') } },
      [REFRESH]: { post: { security: [], responses: answers('429', 'Retry-After') } },
    },
  });
});
