import { readdir, readFile, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { servePages, type Pages } from '../fixtures/pages.js';
import { startSignpost, type SignpostServer } from '../fixtures/signpost-server.js';
import { UNLIMITED } from '../fixtures/unlimited.js';

const CANARY = 'canary4b1d';
const PASSWORD = `${CANARY} "quoted" €`;
const BASIC_AUTH = { username: 'reader', password: `basic${CANARY}` };

let server: SignpostServer;
let pages: Pages;
let other: Pages;

const html = (body: string) => (_request: unknown, response: ServerResponse) => {
  response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<!doctype html><title>A page</title>${body}`);
};
const FORM = '<input id="name"><input id="password" type="password"><button>Sign in</button>';
const scripted = (script: string) =>
  html(`${FORM}<script>
  const button = document.querySelector('button');
  button.onclick = () => { const typed = document.querySelector('#password').value; ${script} };
</script>`);

beforeAll(async () => {
  other = await servePages({ '/form': html(`<form method="post" action="/taken">${FORM}</form>`) });
  pages = await servePages({
    '/form': html(`<form method="post" action="/account">${FORM}</form>`),
    '/never': () => undefined,
    '/waits': scripted(`location = '/never'`),
    // A page that repeats the password in every place where it can.
    '/talks': scripted(`
      console.error(typed); setTimeout(() => { throw new Error(typed); }); alert(typed);
      document.body.insertAdjacentHTML('beforeend', '<div style="position:fixed;inset:0"></div>');
      document.body.lastChild.id = typed; document.body.lastChild.className = 'veil ' + typed;`),
    '/crashes': scripted(
      `let e = document.body; for (let i = 0; i < 60000; i++) e = e.appendChild(document.createElement('div'));`,
    ),
    '/leads-away': html(`<a href="${other.url}/form">Next</a>`),
  });
  server = await startSignpost({
    SIGNPOST_LOG_LEVEL: 'debug',
    SIGNPOST_ACCESS_LOG: 'on',
    ...UNLIMITED,
    SIGNPOST_ALLOW_ADDRESSES: '127.0.0.1',
    // This variable makes Playwright print what it does.
    DEBUG: 'pw:*',
  });
});
afterAll(async () => {
  await server.remove();
  await pages.close();
  await other.close();
});

const TYPING = [
  { fill: '#name', value: `name${CANARY}` },
  { fill: '#password', value: PASSWORD },
];
const SIGN_IN = [...TYPING, { click: 'button' }];

/** Sends a request that contains secrets, which must not be in the answer. Returns the status of the answer. */
async function send(path: string, body: object): Promise<number> {
  const answer = await server.post(path, body);
  const text = Buffer.from(await answer.arrayBuffer()).toString('latin1');
  expect([path, text.includes(CANARY)]).toEqual([path, false]);
  expect(JSON.stringify([...answer.headers])).not.toContain(CANARY);
  return answer.status;
}

const capture = (page: string, steps: readonly object[], more: object = {}) =>
  send('/api/screenshot', {
    url: pages.url + page,
    width: 100,
    height: 100,
    basicAuth: BASIC_AUTH,
    headers: { 'X-Token': CANARY },
    cookies: [{ name: 'session', value: CANARY }],
    steps,
    ...more,
  });

/** Everything that the server stores and shows apart from its answers, such as its output, by name. */
async function everythingKept(): Promise<ReadonlyMap<string, string>> {
  const kept = new Map([['output', server.output()]]);
  kept.set('metrics', await (await fetch(`${server.url}/metrics`)).text());
  kept.set('usage', await (await server.get('/api/usage')).text());
  for (const name of await readdir(server.dataDir, { recursive: true })) {
    const path = join(server.dataDir, name);
    if ((await stat(path)).isFile()) kept.set(name, (await readFile(path)).toString('latin1'));
  }
  return kept;
}

const withSignIn = () => ({ url: `${pages.url}/form`, steps: SIGN_IN });

/** Requests with the statuses of their answers. `send` checks that no answer contains a secret. */
const outcomes: readonly [string, number, () => Promise<number>][] = [
  ['a screenshot behind a sign-in', 200, () => capture('/form', SIGN_IN)],
  ['a PDF behind a sign-in', 200, () => send('/api/pdf', withSignIn())],
  ["a page's content behind a sign-in", 200, () => send('/api/content', withSignIn())],
  [
    'a step whose element is missing',
    400,
    () => capture('/form', [...TYPING, { fill: '#none', value: PASSWORD }], { timeoutMs: 6_000 }),
  ],
  [
    'a choice in a field without choices',
    400,
    () => capture('/form', [...TYPING, { select: '#name', value: CANARY }], { timeoutMs: 6_000 }),
  ],
  [
    'a covered button whose cover has the typed text as its id',
    400,
    () => capture('/talks', [...SIGN_IN, { click: 'button' }], { timeoutMs: 10_000 }),
  ],
  [
    'steps that end on another origin',
    400,
    () => capture('/leads-away', [{ click: 'a' }, ...TYPING], { timeoutMs: 10_000 }),
  ],
  ['a page that never answers', 504, () => capture('/waits', SIGN_IN, { timeoutMs: 4_000 })],
  ['a step with two actions', 400, () => capture('/form', [{ fill: '#name', press: 'a', value: CANARY }])],
  [
    'a step with too long a value',
    400,
    () => capture('/form', [{ fill: '#name', value: CANARY.repeat(2_000) }]),
  ],
  ['a click with a value', 400, () => capture('/form', [{ click: '#name', value: CANARY }])],
  ['a step with a misspelt field', 400, () => capture('/form', [{ fill: '#name', vaule: CANARY }])],
  ['steps with maxAgeSeconds', 400, () => capture('/form', SIGN_IN, { maxAgeSeconds: 60 })],
  ['steps with clickSelectors', 400, () => capture('/form', SIGN_IN, { clickSelectors: ['button'] })],
  [
    'a link to a capture with steps',
    400,
    () => send('/api/link', { operation: 'captureScreenshot', request: withSignIn() }),
  ],
];

test.each(outcomes)('the answer to %s is %i and contains no secret', async (_, status, request) => {
  expect(await request()).toBe(status);
});

test('the answer to a page that crashes after the steps contains no secret', async () => {
  const steps = [...SIGN_IN, { waitForSelector: '#none' }];
  expect(await capture('/crashes', steps, { timeoutMs: 6_000 })).toBeGreaterThanOrEqual(400);
});

test('no log, file or metric contains a value of the steps or a credential of these requests', async () => {
  // Without the log lines of the requests above, the absence of secrets would prove nothing.
  const lines = server.output().split('\n');
  expect(lines.filter((line) => line.includes('"path":"/api/screenshot"')).length).toBeGreaterThan(9);
  const kept = await everythingKept();
  expect([...kept.keys()]).toEqual(expect.arrayContaining(['signpost.db', 'signpost.db-wal']));
  const secrets = [CANARY, Buffer.from(`${BASIC_AUTH.username}:${BASIC_AUTH.password}`).toString('base64')];
  for (const [what, text] of kept)
    for (const secret of secrets)
      expect([what, secret, text.includes(secret)]).toEqual([what, secret, false]);
});
