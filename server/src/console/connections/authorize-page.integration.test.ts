import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { oauthTokens } from '@signpost/contract';
import { z } from 'zod';
import { startConsoleApp, type ConsoleApp } from '../../../../test/fixtures/console-app.js';
import { ConsoleClient } from '../../../../test/fixtures/console-client.js';

const PASSWORD = 'a long enough password';
const REDIRECT = 'https://assistant.example:8443/callback?a=b';
const LOOPBACK = 'http://localhost/callback';
const LOOPBACK_TLS = 'https://localhost:8443/callback';
const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const NAME = 'Claude <script>alert(1)</script>';

let app: ConsoleApp;
let ada: ConsoleClient;
let clientId: string;

const asked = (more: Readonly<Record<string, string>> = {}) => ({
  response_type: 'code',
  client_id: clientId,
  redirect_uri: REDIRECT,
  state: 'a&b',
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
  ...more,
});
const pathFor = (more: Readonly<Record<string, string>> = {}) =>
  `/oauth/authorize?${new URLSearchParams(asked(more))}`;
const statusAndLocation = ({ status, headers }: Response) => [status, headers.get('Location')];
const answer = (said: string, more: Readonly<Record<string, string>> = {}, client = ada) =>
  client.submit(pathFor(), { ...asked(), answer: said, ...more }, '/oauth/authorize');

async function signUp(email: string, { url } = app): Promise<ConsoleClient> {
  const client = new ConsoleClient(url);
  await client.submit('/signup', { email, name: 'Somebody', password: PASSWORD });
  return client;
}

const send = (path: string, body: object, type = 'application/json') =>
  fetch(app.url + path, {
    method: 'POST',
    headers: { 'Content-Type': type },
    body: type === 'application/json' ? JSON.stringify(body) : new URLSearchParams({ ...body }),
  });

async function tokensFor(code: string) {
  const form = { grant_type: 'authorization_code', code, client_id: clientId, code_verifier: VERIFIER };
  const answered = await send('/oauth/token', form, 'application/x-www-form-urlencoded');
  return oauthTokens.parse(await answered.json());
}

const codeIn = (answered: Response) =>
  new URL(answered.headers.get('Location') ?? '').searchParams.get('code') ?? '';

beforeAll(async () => {
  app = await startConsoleApp();
  ada = await signUp('ada@example.org');
  const registered = await send('/oauth/register', {
    client_name: NAME,
    redirect_uris: [REDIRECT, LOOPBACK, LOOPBACK_TLS, 'cursor://anysphere.cursor-retrieval/oauth'],
    logo_uri: 'https://evil.example/logo.svg',
  });
  clientId = z.object({ client_id: z.string() }).parse(await registered.json()).client_id;
});
afterAll(() => app.close());

test('a signed-out visitor signs in and returns to the question whether to connect the assistant', async () => {
  const stranger = new ConsoleClient(app.url);
  const toSignIn = (await stranger.get(pathFor())).headers.get('Location') ?? '';
  const next = new URL(toSignIn, app.url).searchParams.get('next') ?? '';
  const signedIn = await stranger.submit(toSignIn, { email: 'ada@example.org', password: PASSWORD, next });
  expect(statusAndLocation(signedIn)).toEqual([303, pathFor()]);
});

test("the page that asks for consent shows the client's name as text, the destination and the account; its form may lead only to that destination and this server", async () => {
  const answered = await ada.get(pathFor());
  const page = await answered.text();
  for (const words of [
    'Connect <bdi>Claude &lt;script>alert(1)&lt;/script></bdi>?',
    '<strong>assistant.example:8443</strong>',
    'Unknown: it chose this name itself',
    'ada@example.org',
  ])
    expect(page).toContain(words);
  expect(page).not.toContain('<script>alert');
  expect(page).not.toContain('evil.example');
  const policy = answered.headers.get('Content-Security-Policy');
  expect(policy).toContain("form-action 'self' https://assistant.example:8443;");
  expect(policy).toContain("frame-ancestors 'none'");
});

test.each([
  [LOOPBACK.replace('localhost', 'localhost:51234'), 'http://localhost:51234'],
  [LOOPBACK_TLS, 'https://localhost:8443'],
  ['cursor://anysphere.cursor-retrieval/oauth', 'cursor:'],
])('for the redirect URI %s, consent is asked each time, with a warning', async (redirectUri, source) => {
  for (let time = 0; time < 2; time += 1) {
    const answered = await ada.get(pathFor({ redirect_uri: redirectUri }));
    expect(answered.status).toBe(200);
    expect(await answered.text()).toContain('any program could use this name');
    expect(answered.headers.get('Content-Security-Policy')).toContain(`form-action 'self' ${source};`);
    await answer('connect', { redirect_uri: redirectUri });
  }
});

test.each([
  ['an unknown client', { client_id: 'client_unknown' }],
  ['another redirect', { redirect_uri: 'https://evil.example/' }],
  ['a script', { redirect_uri: 'javascript:alert(1)' }],
])('authorization with %s gets an error page and no redirect, on GET and POST', async (_what, wrong) => {
  for (const answered of [await ada.get(pathFor(wrong)), await answer('connect', wrong)]) {
    expect(statusAndLocation(answered)).toEqual([400, null]);
    expect(await answered.text()).toContain('You were not sent anywhere');
  }
});

test('never connects to an address that the operator does not allow, to fetch a client document', async () => {
  let connections = 0;
  const listener = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const guarded = await startConsoleApp({ SIGNPOST_ALLOW_ADDRESSES: '192.0.2.1' });
  const grace = await signUp('grace@example.org', guarded);
  for (const host of ['127.0.0.1', 'localhost', '[::ffff:7f00:1]']) {
    const wrong = { client_id: `https://${host}:${port}/client.json` };
    const fields = { ...asked(wrong), answer: 'connect' };
    for (const answered of [
      await grace.get(pathFor(wrong)),
      await grace.submit('/account', fields, '/oauth/authorize'),
    ])
      expect(statusAndLocation(answered)).toEqual([400, null]);
  }
  expect(connections).toBe(0);
  // Proves that the counter works: a server that allows this address does connect to it.
  await ada.get(pathFor({ client_id: `https://127.0.0.1:${port}/client.json` }));
  expect(connections).toBeGreaterThan(0);
  await guarded.close();
  listener.close();
});

test('rejects an authorization request that has redirect_uri twice', async () => {
  const answered = await ada.get(`${pathFor()}&redirect_uri=${encodeURIComponent('https://evil.example/')}`);
  expect(statusAndLocation(answered)).toEqual([400, null]);
});

test('an error in the request of a known client leads back to the client by a link, not by a redirect', async () => {
  const answered = await ada.get(pathFor({ code_challenge_method: 'plain' }));
  expect(statusAndLocation(answered)).toEqual([400, null]);
  const href = /href="(https:[^"]+)"/u.exec(await answered.text())?.[1] ?? '';
  const back = new URL(href.replaceAll('&amp;', '&'));
  expect(Object.fromEntries(back.searchParams)).toMatchObject({
    a: 'b',
    error: 'invalid_request',
    state: 'a&b',
    iss: app.url,
  });
});

test('rejects an answer without the CSRF token of the form, or with the token of another account', async () => {
  const fields = { ...asked(), answer: 'connect' };
  expect(statusAndLocation(await ada.post('/oauth/authorize', fields))).toEqual([403, null]);
  const grace = await signUp('grace@example.org');
  const page = await (await grace.get(pathFor())).text();
  const token = /name="_csrf" value="([^"]+)"/u.exec(page)?.[1] ?? '';
  const crossed = await ada.post('/oauth/authorize', { _csrf: token, ...fields });
  expect(statusAndLocation(crossed)).toEqual([403, null]);
});

test('declining leads back to the client with access_denied and makes no connection', async () => {
  const grace = await signUp('no@example.org');
  const back = new URL((await answer('cancel', {}, grace)).headers.get('Location') ?? '');
  expect(back.origin + back.pathname).toBe('https://assistant.example:8443/callback');
  expect(Object.fromEntries(back.searchParams)).toEqual({
    a: 'b',
    error: 'access_denied',
    error_description: 'The person said no.',
    state: 'a&b',
    iss: app.url,
  });
  expect(await (await grace.get('/assistants')).text()).toContain('No assistant is connected.');
});

test('agreeing makes a project if the account has none, and the owner, but no other account, can end the connection', async () => {
  const linus = await signUp('linus@example.org');
  const answered = await answer('connect', {}, linus);
  expect([answered.status, answered.headers.get('Referrer-Policy')]).toEqual([303, 'no-referrer']);
  const { access_token: token } = await tokensFor(codeIn(answered));
  const list = await (await linus.get('/assistants')).text();
  for (const words of ['Claude &lt;script>', 'assistant.example:8443', 'Assistants', 'never'])
    expect(list).toContain(words);
  const connection = /name="connection" value="([^"]+)"/u.exec(list)?.[1] ?? '';
  const call = () =>
    fetch(`${app.url}/mcp`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        Authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    });
  expect((await call()).status).toBe(200);
  // Another account's form must not end the connection.
  await ada.submit('/account', { connection }, '/account/connections');
  expect((await call()).status).toBe(200);
  const ended = await linus.submit('/account', { connection }, '/account/connections');
  expect(statusAndLocation(ended)).toEqual([303, '/assistants?done=connection-ended']);
  expect((await call()).status).toBe(401);
  const activity = await (await linus.get('/account/activity')).text();
  for (const words of ['Assistant connected', 'Connection of an assistant ended', 'by its owner'])
    expect(activity).toContain(words);
});

test('with several projects, the person chooses the one that the assistant works for', async () => {
  const tim = await signUp('tim@example.org');
  for (const name of ['Map', 'Atlas']) await tim.submit('/overview', { name }, '/projects');
  const page = await (await tim.get(pathFor())).text();
  expect(page).toContain('<select id="project" name="project"');
  const ids = new Map(
    [...page.matchAll(/value="(prj_\w+)"[^>]*>(\w+)</gu)].map(([, id, name]) => [name, id]),
  );
  expect([...ids.keys()].toSorted()).toEqual(['Atlas', 'Map']);
  await tokensFor(codeIn(await answer('connect', { project: ids.get('Atlas') ?? '' }, tim)));
  const list = await (await tim.get('/assistants')).text();
  expect(list).toContain(`<a href="/projects/${ids.get('Atlas')}"><bdi>Atlas</bdi></a>`);
  expect(list).not.toContain('<bdi>Map</bdi>');
});

test('rejects a project of another account with the same error as one that does not exist', async () => {
  const [bob, eve] = [await signUp('bob@example.org'), await signUp('eve@example.org')];
  for (const each of [bob, eve]) await each.submit('/overview', { name: 'Map' }, '/projects');
  const [project = ''] = /prj_\w+/u.exec(await (await bob.get('/projects')).text()) ?? [];
  expect(project).not.toBe('');
  for (const chosen of [project, 'prj_other']) {
    const answered = await answer('connect', { project: chosen }, eve);
    expect([answered.status, await answered.text()]).toEqual([
      400,
      expect.stringContaining('You have no such project.'),
    ]);
  }
});

test('neither the code nor the tokens of a connection are logged, or stored in readable form', async () => {
  const code = codeIn(await answer('connect', {}, await signUp('log@example.org')));
  const tokens = await tokensFor(code);
  for (const secret of [code, tokens.access_token, ...tokens.refresh_token.split('.')]) {
    expect(app.log()).not.toContain(secret);
    expect((await app.storedBytes()).includes(secret)).toBe(false);
  }
});
