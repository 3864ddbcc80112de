import { request as httpRequest } from 'node:http';
import { operations, tokenPair } from '@signpost/contract';
import { z } from 'zod';
import { answerOf, rejectionOf } from '../fixtures/answers.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { ConsoleClient } from '../fixtures/console-client.js';
import { runSignpost } from '../fixtures/signpost-server.js';
import { UNLIMITED } from '../fixtures/unlimited.js';

const MAX_REJECTIONS = 300;
const MINUTE_MS = 60_000;
const shownTokens = z.object({ refreshToken: z.string() });

/** One server for all tests. Each test sends from addresses of its own. */
let app: ConsoleApp;
beforeAll(async () => {
  app = await startConsoleApp({
    ...UNLIMITED,
    SIGNPOST_TRUST_PROXY: '127.0.0.1',
  });
});
afterAll(() => app.close());

interface TestRequest {
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const ask = ({ path, body, headers = {} }: TestRequest, address: string) =>
  fetch(app.url + path, {
    ...(body === undefined ? {} : { method: 'POST', body }),
    headers: { 'Content-Type': 'application/json', ...headers, 'X-Forwarded-For': address },
  });

const lookup = (apiKey?: string): TestRequest => ({
  path: operations.lookupPostcode.path,
  body: '{"postcode":"SW1A 1AA"}',
  headers: apiKey === undefined ? {} : { 'X-Api-Key': apiKey },
});
const refresh = (refreshToken: string): TestRequest => ({
  path: operations.refreshToken.path,
  body: JSON.stringify({ refreshToken }),
});
const status = (token: string): TestRequest => ({
  path: operations.getTokenStatus.path,
  headers: { Authorization: `Bearer ${token}` },
});

async function statusesOf(request: TestRequest, address: string, times: number) {
  const statuses = new Map<number, number>();
  for (let time = 0; time < times; time += 1) {
    const answer = await ask(request, address);
    await answer.arrayBuffer();
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
  }
  return Object.fromEntries(statuses);
}

/** The refresh token of the first account. */
async function rightRefreshToken(): Promise<string> {
  const words = ['token', 'show', '--account', app.first.email, '--json'];
  const { stdout } = await runSignpost(app.dataDir, words);
  return shownTokens.parse(JSON.parse(stdout)).refreshToken;
}

/** Sends requests without a key until the address is throttled. */
async function useUp(address: string) {
  await statusesOf({ ...lookup(), body: '' }, address, MAX_REJECTIONS);
}

test('after 300 rejections in a minute an address is throttled, and no other address is', async () => {
  const address = '192.0.2.1';
  expect(await statusesOf(lookup('sp_live_none'), address, MAX_REJECTIONS + 50)).toEqual({
    401: 300,
    429: 50,
  });
  const { headers, body } = await rejectionOf(ask(lookup(), address));
  const seconds = Number(headers.get('Retry-After'));
  expect(seconds).toBeGreaterThan(0);
  expect(body.error).toContain(`${seconds} seconds`);
  expect((await ask(lookup(), '192.0.2.2')).status).toBe(401);
  app.pass(2 * MINUTE_MS);
  expect((await ask(lookup(), address)).status).toBe(401);
});

test("a rejected request without a valid credential counts against the client's address at operations, token endpoints, /mcp and sign-in", async () => {
  const address = '192.0.2.3';
  const kinds: readonly (readonly [TestRequest, number])[] = [
    [lookup(), 401],
    [lookup('nonsense'), 401],
    [{ path: operations.getUsage.path }, 401],
    [status('nonsense'), 401],
    [{ path: operations.getTokenStatus.path }, 401],
    [refresh('nonsense'), 401],
    [{ ...refresh(''), body: '{' }, 400],
    [{ ...refresh(''), body: '{"a":1}' }, 400],
    [{ ...refresh(''), body: 'x'.repeat(70_000) }, 413],
    [{ path: '/mcp', body: '{}' }, 401],
    [{ path: '/signin', body: 'a', headers: { 'Content-Type': 'text/css' } }, 415],
    [{ path: '/signin', body: 'a=b', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }, 403],
  ];
  for (const [request, expected] of kinds)
    expect(await statusesOf(request, address, 1)).toEqual({ [expected]: 1 });
  await statusesOf(lookup(), address, MAX_REJECTIONS - kinds.length);
  for (const [request] of kinds) {
    const answer = await ask(request, address);
    expect([request.path, answer.status]).toEqual([request.path, 429]);
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(answer.headers.get('WWW-Authenticate')).toBeNull();
  }
});

test('a request with a valid key or token is not throttled by its address', async () => {
  const address = '192.0.2.4';
  const refreshToken = await rightRefreshToken();
  await useUp(address);
  expect((await ask(lookup(), address)).status).toBe(429);

  expect((await ask(lookup(app.first.key), address)).status).toBe(200);
  const wrong = { ...lookup(app.first.key), body: '{"nothing":1}' };
  expect(await statusesOf(wrong, address, 5)).toEqual({ 400: 5 });
  const { access_token: accessToken } = (await answerOf(ask(refresh(refreshToken), address), tokenPair)).body;
  expect((await ask(status(accessToken), address)).status).toBe(200);
  const ping = { path: '/mcp', body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' };
  const headers = { 'X-Api-Key': app.first.key, Accept: 'application/json, text/event-stream' };
  expect((await ask({ ...ping, headers }, address)).status).toBe(200);
});

test('a right refresh token in a body of unknown length is not throttled by its address', async () => {
  const address = '192.0.2.9';
  const refreshToken = await rightRefreshToken();
  await useUp(address);
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = {
      'Content-Type': 'application/json',
      'Transfer-Encoding': 'chunked',
      'X-Forwarded-For': address,
    };
    const sending = httpRequest(app.url + operations.refreshToken.path, { method: 'POST', headers });
    sending.once('response', ({ statusCode }) => {
      resolve(statusCode);
      sending.destroy();
    });
    sending.once('error', reject);
    sending.end(JSON.stringify({ refreshToken }));
  });
  expect(status).toBe(200);
});

test('a person can sign in even if others at the address were rejected', async () => {
  const address = '192.0.2.7';
  await useUp(address);
  const { email, password } = app.first;
  const visitor = new ConsoleClient(app.url);
  const answer = await visitor.submit('/signin', { email, password }, '/signin', {
    'X-Forwarded-For': address,
  });
  expect(answer.status).toBe(303);
});

test('an IPv6 address counts as its /64, and an IPv4-mapped one as its IPv4 address', async () => {
  await useUp('2001:db8:1:2::1');
  expect((await ask(lookup(), '2001:db8:1:2:ffff::9')).status).toBe(429);
  expect((await ask(lookup(), '2001:db8:1:3::1')).status).toBe(401);
  await useUp('192.0.2.5');
  expect((await ask(lookup(), '::ffff:192.0.2.5')).status).toBe(429);
});

test('an unknown path, or an invalid body with a right key, does not count against an address', async () => {
  const address = '192.0.2.6';
  expect(await statusesOf({ path: '/api/nothing' }, address, MAX_REJECTIONS + 5)).toEqual({ 404: 305 });
  expect(await statusesOf({ ...lookup(app.first.key), body: '{' }, address, MAX_REJECTIONS + 5)).toEqual({
    400: 305,
  });
  expect((await ask(lookup(), address)).status).toBe(401);
});

test('from a throttled address, a long body that can be neither a token nor a form is not read', async () => {
  const address = '192.0.2.8';
  const begin = (path: string, bytes: number) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = {
        'Content-Type': 'application/json',
        'Content-Length': bytes,
        'X-Forwarded-For': address,
      };
      const sending = httpRequest(app.url + path, { method: 'POST', headers });
      sending.once('response', ({ statusCode }) => {
        resolve(statusCode);
        sending.destroy();
      });
      sending.once('error', reject);
      sending.flushHeaders();
    });
  await useUp(address);
  for (const path of [operations.refreshToken.path, '/signin']) expect(await begin(path, 5_000)).toBe(429);
});
