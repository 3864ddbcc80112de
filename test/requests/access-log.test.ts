import { z } from 'zod';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { ConsoleClient } from '../fixtures/console-client.js';

const CANARY = 'canary9d1c';
const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const open: ConsoleApp[] = [];
const start = async (settings: Readonly<Record<string, string>>) => {
  const app = await startConsoleApp(settings);
  open.push(app);
  return app;
};
afterEach(() => Promise.all(open.splice(0).map((app) => app.close())));

const line = z.looseObject({
  msg: z.string(),
  path: z.string().optional(),
  requestId: z.string().optional(),
});
const linesOf = (app: ConsoleApp, msg: string) =>
  app
    .log()
    .trim()
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => line.parse(JSON.parse(text)))
    .filter((one) => one.msg === msg);
const ANSWERED = 'A request was answered.';

const lookUp = (app: ConsoleApp, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${app.url}/api/postcode/lookup?token=${CANARY}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Api-Key': app.apiKey, ...headers },
    body: '{"postcode":"SW1A 1AA"}',
  });

test('the access log, if turned on, has one line for a request with its path, caller and response', async () => {
  const app = await start({ SIGNPOST_ACCESS_LOG: 'on', SIGNPOST_TRUST_PROXY: '127.0.0.1' });
  const headers = {
    'X-Forwarded-For': '203.0.113.7',
    'X-Request-Id': 'from-proxy',
    traceparent: TRACEPARENT,
  };
  const answer = await lookUp(app, headers);
  const bytes = (await answer.arrayBuffer()).byteLength;

  expect(answer.headers.get('X-Request-Id')).toBe('from-proxy');
  expect(linesOf(app, ANSWERED)).toEqual([
    {
      level: 'info',
      time: expect.any(String),
      method: 'POST',
      path: '/api/postcode/lookup',
      status: 200,
      elapsedMs: expect.any(Number),
      bytes,
      requestId: 'from-proxy',
      traceparent: TRACEPARENT,
      keyId: expect.any(Number),
      accountId: expect.any(String),
      address: '203.0.113.7',
      msg: ANSWERED,
    },
  ]);
});

test('the access log contains no query, body, parameter, cookie or credential of a request', async () => {
  const app = await start({ SIGNPOST_ACCESS_LOG: 'on', SIGNPOST_RATE_PER_MINUTE: '1' });
  const asked: (readonly [string, RequestInit])[] = [
    ['/api/postcode/lookup', { method: 'POST', body: CANARY, headers: { 'X-Api-Key': CANARY } }],
    ['/api/token/status', { headers: { Authorization: `Bearer ${CANARY}`, Cookie: `signpost=${CANARY}` } }],
    [`/keys/${CANARY}`, { redirect: 'manual' }],
    ['/nothing', { method: 'PUT', headers: { traceparent: `00-${CANARY}` } }],
    ['/mcp', { method: 'POST', body: `{"${CANARY}":1}`, headers: { 'X-Api-Key': app.apiKey } }],
  ];
  for (const [path, init] of asked) await fetch(`${app.url}${path}?next=${CANARY}`, init);
  for (let times = 0; times < 2; times += 1) await lookUp(app);
  await new ConsoleClient(app.url).post('/signin', { email: CANARY, password: CANARY });

  const lines = linesOf(app, ANSWERED);
  expect(lines.map(({ path, status }) => [path, status])).toEqual([
    ['/api/postcode/lookup', 401],
    ['/api/token/status', 401],
    ['/keys/:keyId', 303],
    ['/nothing', 404],
    ['/mcp', 415],
    ['/api/postcode/lookup', 200],
    ['/api/postcode/lookup', 429],
    ['/signin', 403],
  ]);
  expect(lines.map(({ keyId }) => keyId !== undefined)).toEqual([
    false,
    false,
    false,
    false,
    true,
    true,
    true,
    false,
  ]);
  expect(app.log()).not.toContain(CANARY);
  expect(app.log()).not.toContain(app.apiKey);
});

test.each(['/files', '/link'])(
  'the access log omits the rest of a path after %s, however it is requested',
  async (path) => {
    const app = await start({ SIGNPOST_ACCESS_LOG: 'on' });
    for (const method of ['GET', 'HEAD', 'PUT', 'OPTIONS', 'PROPFIND'])
      await fetch(`${app.url}${path}/${CANARY}`, { method });
    for (const wrong of [`${path}/more/${CANARY}`, `/${path}/${CANARY}`, `${path}%2F${CANARY}`])
      await fetch(app.url + wrong);

    const lines = linesOf(app, ANSWERED);
    expect(lines.map(({ path: logged }) => logged)).toEqual([
      ...[`${path}/:token`, `${path}/:token`, path, path, path],
      ...[path, `/${path}`, path],
    ]);
    expect(app.log()).not.toContain(CANARY);
  },
);

test('the access log is off by default', async () => {
  const app = await start({});
  expect((await lookUp(app)).status).toBe(200);
  expect(linesOf(app, ANSWERED)).toEqual([]);
});

test.each([
  ['a traceparent of the right form', TRACEPARENT, TRACEPARENT],
  ['no traceparent of zeros', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, undefined],
  ['no traceparent of another form', CANARY, undefined],
])(
  'the log line of a failed request has the id of its response, and %s',
  async (_what, traceparent, logged) => {
    const app = await start({});
    const answer = await fetch(`${app.url}/api/screenshot`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Api-Key': app.apiKey, traceparent },
      body: '{"url":"https://example.com/"}',
    });
    expect(answer.status).toBe(500);
    expect(Object.keys(z.record(z.string(), z.unknown()).parse(await answer.json()))).toEqual(['error']);
    expect(linesOf(app, 'A request failed.')).toEqual([
      expect.objectContaining({ requestId: answer.headers.get('X-Request-Id'), keyId: expect.any(Number) }),
    ]);
    expect(linesOf(app, 'A request failed.')[0]?.['traceparent']).toBe(logged);
  },
);
