import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { operations, type Operation } from '@signpost/contract';
import { ConsoleClient } from '../fixtures/console-client.js';
import { servePages, type Pages } from '../fixtures/pages.js';
import { NO_BROWSER, startSignpost, type SignpostServer } from '../fixtures/signpost-server.js';
import { UNLIMITED } from '../fixtures/unlimited.js';

const CANARY = 'canary7f3a';
const settings = {
  SIGNPOST_LOG_LEVEL: 'debug',
  ...UNLIMITED,
  SIGNPOST_ALLOW_ADDRESSES: '127.0.0.1',
  SIGNPOST_CAPTURE_TIMEOUT_MS: '2000',
};

let server: SignpostServer;
let pages: Pages;
/** The output of the start, the only place where password and key may be printed. */
let firstWords: string;

const sendHtml = (response: ServerResponse, body: string) =>
  response.writeHead(200, { 'Content-Type': 'text/html' }).end(body);
const NESTED_TOO_DEEPLY = `<body><script>let e=document.body;for(let i=0;i<60000;i++)e=e.appendChild(document.createElement("div"))</script>`;

beforeAll(async () => {
  pages = await servePages({
    [`/never?token=${CANARY}`]: () => undefined,
    [`/crash?token=${CANARY}`]: (_request, response) => sendHtml(response, NESTED_TOO_DEEPLY),
    [`/redirect?token=${CANARY}`]: (_request, response) =>
      response.writeHead(302, { Location: `http://10.0.0.1/?token=${CANARY}` }).end(),
    [`/download?token=${CANARY}`]: (_request, response) =>
      response.writeHead(200, { 'Content-Disposition': `attachment; filename=${CANARY}` }).end('data'),
    [`/talks?token=${CANARY}`]: (_request, response) =>
      sendHtml(
        response,
        `<script>console.error('${CANARY}');setTimeout(()=>{throw new Error('${CANARY}')});alert('${CANARY}')</script>`,
      ),
  });
  server = await startSignpost(settings);
  firstWords = server.output();
});
afterAll(async () => {
  await server.remove();
  await pages.close();
});

/** The output without the unknown paths in the access log, which are logged unchanged. */
const printed = () => server.output().replaceAll(`"path":"/${CANARY}"`, '');
const printedSince = () => printed().slice(firstWords.length);

/** Sends everything that a caller may send to one path, with the canary in all of it. Returns the statuses. */
async function sendEverywhere(method: string, path: string): Promise<readonly number[]> {
  const url = `${server.url}${path}?token=${CANARY}&url=${CANARY}`;
  const credentials = {
    Authorization: `Bearer ${CANARY}`,
    Cookie: `session=${CANARY}`,
    'X-Forwarded-For': CANARY,
    'User-Agent': CANARY,
    Referer: `http://${CANARY}/`,
  };
  const bodies = [JSON.stringify({ [CANARY]: CANARY, postcode: CANARY }), `{"${CANARY}`, CANARY];
  const types = ['application/json', 'text/plain', `application/${CANARY}`];
  const statuses = [];
  for (const key of [server.apiKey, CANARY, `sp_live_${CANARY}`])
    for (const body of method === 'GET' ? [undefined] : bodies)
      for (const type of types) {
        const headers = { ...credentials, 'X-Api-Key': key, 'Content-Type': type };
        const init = body === undefined ? { method, headers } : { method, headers, body };
        const response = await fetch(url, init);
        await response.arrayBuffer();
        statuses.push(response.status);
      }
  return statuses;
}

test('no output contains a header, body, query or credential of a request, whatever its route or error', async () => {
  const served = Object.values<Operation>(operations).map(({ method, path }) => [method, path] as const);
  const others = ['/', '/healthz', '/readyz', '/metrics', '/openapi.json', `/${CANARY}`, `/api/%${CANARY}`];
  const statuses = [];
  for (const [method, path] of [
    ...served,
    ...others.map((path) => ['GET', path] as const),
    ...served.map(([, path]) => ['PUT', path] as const),
  ])
    statuses.push(...(await sendEverywhere(method, path)));
  // An address with very many rejections gets 429 for the rest.
  const answered = statuses.filter((status) => status !== 429);
  expect(new Set(answered)).toEqual(new Set([200, 400, 401, 404, 405, 415]));

  const raw = connect(Number(new URL(server.url).port), '127.0.0.1');
  raw.end(`GET /${CANARY} HTTP/9.${CANARY}\r\n${CANARY}\r\n\r\n`);
  await once(raw.resume(), 'close');
  expect(printed()).not.toContain(CANARY);
});

test('no output contains the secret parts of a captured address, however the capture ends', async () => {
  const { port } = pages;
  const statuses: Record<string, number> = {};
  for (const url of [
    `http://user:${CANARY}@127.0.0.1:${port}/?token=${CANARY}#${CANARY}`,
    `http://127.0.0.1:${port}/never?token=${CANARY}`,
    `http://127.0.0.1:${port}/crash?token=${CANARY}`,
    `http://127.0.0.1:${port}/redirect?token=${CANARY}`,
    `http://127.0.0.1:${port}/download?token=${CANARY}`,
    `http://127.0.0.1:${port}/talks?token=${CANARY}`,
    `http://user:${CANARY}@10.0.0.1/${CANARY}?token=${CANARY}`,
    `http://${CANARY}.invalid/`,
    `https://127.0.0.1:${port}/${CANARY}`,
    `ftp://user:${CANARY}@127.0.0.1/`,
  ]) {
    const response = await server.post('/api/screenshot', { url, width: 50, height: 50 });
    await response.arrayBuffer();
    statuses[url.replaceAll(CANARY, '').replace(String(port), '')] = response.status;
  }
  expect(Object.values(statuses).toSorted()).toEqual([200, 200, 400, 400, 400, 400, 400, 400, 500, 504]);
  // Make sure that the failures were logged, because otherwise the canary's absence would prove nothing.
  expect(printedSince()).toContain('A request was not served.');
  expect(printedSince()).toContain('A request failed.');
  expect(printed()).not.toContain(CANARY);
});

test('no output and no error contains a capture’s secrets for its page, however the capture ends', async () => {
  const given = {
    headers: { 'X-Token': CANARY },
    cookies: [{ name: 'session', value: CANARY }],
    basicAuth: { username: 'reader', password: CANARY },
  };
  const statuses: number[] = [];
  for (const [path, more] of [
    ['/', {}],
    [`/never?token=${CANARY}`, {}],
    [`/crash?token=${CANARY}`, {}],
    [`/talks?token=${CANARY}`, {}],
    ['/', { headers: { Host: CANARY, 'X-Token': `${CANARY}\n`, Authorization: CANARY } }],
    ['/', { headers: { Authorization: CANARY } }],
    ['/', { headers: [CANARY], cookies: CANARY, basicAuth: CANARY }],
    ['/', { cookies: [{ name: `${CANARY};`, value: `${CANARY};`, path: CANARY }, CANARY] }],
    ['/', { basicAuth: { username: `${CANARY}:`, password: `\n${CANARY}` } }],
  ] as const) {
    const body = { url: `${pages.url}${path}`, width: 50, height: 50, ...given, ...more };
    const response = await server.post('/api/screenshot', body);
    statuses.push(response.status);
    expect(await response.text()).not.toContain(CANARY);
  }
  expect(statuses).toEqual([200, 504, 500, 200, 400, 400, 400, 400, 400]);
  expect(printed()).not.toContain(CANARY);
  expect(printed()).not.toContain(Buffer.from(`reader:${CANARY}`).toString('base64'));
});

test('no output contains what people type into forms of the console, or into the addresses of its pages', async () => {
  const stored = 'canary8b2e';
  const email = `${stored}@example.org`;
  const password = `password ${CANARY}`;
  const person = new ConsoleClient(server.url);
  const typed = {
    email,
    name: stored,
    password,
    current: password,
    next: CANARY,
    url: `https://${CANARY}.invalid/`,
  };
  const statuses = [
    await person.submit('/signin', typed),
    await person.submit('/signup', typed),
    await person.submit('/overview', typed, '/projects'),
    await person.submit('/overview', typed, `/projects/${CANARY}/keys`),
    await person.submit('/reference/lookupPostcode', { ...typed, postcode: CANARY }),
    await person.submit('/reference/captureScreenshot', typed),
    await person.submit('/reference/lookupPostcode', { partial: CANARY }, '/reference/suggestions'),
    await person.get(`/reference/lookupPostcode?postcode=${CANARY}`),
    await person.submit('/overview', { ...typed, act: 'make' }, '/welcome'),
    await person.get(`/reference?q=${CANARY}`),
    await person.submit('/password', typed),
    await person.post('/password', typed),
    await person.post('/apilogin', { returnUrl: `https://user:${CANARY}@${CANARY}/` }),
    await person.get(`/apilogin?returnUrl=https://${CANARY}/?token=${CANARY}`),
    await person.get(`/apikeys?token=${CANARY}`),
    await person.get(`/operator/accounts/${CANARY}?token=${CANARY}`),
    await person.get(`/keys/${CANARY}`),
    await person.get(`/${CANARY}`, { Accept: 'text/html' }),
    await new ConsoleClient(server.url).get(`/overview?token=${CANARY}`),
    await new ConsoleClient(server.url).get(`/signin?next=/${CANARY}`),
  ].map(({ status }) => status);
  expect(statuses.filter((status) => status >= 500)).toEqual([]);
  expect(new Set(statuses)).toEqual(new Set([200, 303, 400, 401, 403, 404]));
  expect(server.output()).not.toContain(stored);
  expect(printed()).not.toContain(CANARY);
});

/** Reads every file in a folder and its subfolders. Returns their bytes by path in the folder. */
async function filesOf(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const name of await readdir(folder, { recursive: true })) {
    const path = join(folder, name);
    if ((await stat(path)).isFile()) files.set(name, await readFile(path));
  }
  return files;
}

test('the one-time password and the key are printed only at the first start, and stored in no file in plain text', async () => {
  const password = /One-time password +(\S+)/u.exec(firstWords)?.[1] ?? '';
  const secretOfKey = server.apiKey.slice(16);
  expect(firstWords).toContain(secretOfKey);
  expect(password).not.toBe('');

  const running = await filesOf(server.dataDir);
  expect([...running.keys()]).toEqual(expect.arrayContaining(['signpost.db', 'signpost.db-wal', 'secret']));
  await server.end('SIGTERM');
  const stopped = await filesOf(server.dataDir);
  const again = await startSignpost({ ...settings, ...NO_BROWSER }, server.dataDir);
  expect((await again.get('/api/usage', server.apiKey)).status).toBe(200);
  await again.end('SIGTERM');

  for (const secret of [secretOfKey, password, CANARY]) {
    for (const [name, bytes] of [...running, ...stopped, ...(await filesOf(server.dataDir))])
      expect([name, bytes.includes(secret)]).toEqual([name, false]);
    expect(printedSince()).not.toContain(secret);
    expect(again.output()).not.toContain(secret);
  }
});
