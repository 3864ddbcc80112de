import type { IncomingMessage } from 'node:http';
import type { CaptureService } from '../capture-service.js';
import {
  BOOTSTRAP,
  COMPONENTS,
  loginPage as page,
  SCRIPTED,
} from '../../../../test/fixtures/capture/login-pages.js';
import { outcome, print, read, shoot } from '../../../../test/fixtures/capture/outcome.js';
import {
  SITE_ADDRESS,
  startPageServer,
  type Handler,
  type PageServer,
  type Routes,
} from '../../../../test/fixtures/capture/page-server.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

const OTHER_ADDRESS = '127.0.0.3';
const SECRET = 'canary-91c4 "quoted"';
const STEPS_MS = 10_000;

/** The fields of a form that was sent, by name. */
async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return new URLSearchParams(text);
}

/** The host and the form of each sign-in request. They show which text was typed into which field. */
const sent: string[] = [];

const isSignedIn = ({ headers }: IncomingMessage) => headers.cookie?.includes('session=1') === true;

/** Returns a handler that signs in and redirects to `leadTo` if the password is right, and otherwise to /wrong. */
const signIn =
  (leadTo: string): Handler =>
  (request, response) => {
    void formOf(request).then((form) => {
      sent.push(`${request.headers.host ?? ''} ${form}`);
      const isRight = form.get('password') === SECRET;
      response.writeHead(
        302,
        isRight ? { location: leadTo, 'set-cookie': 'session=1; Path=/' } : { location: '/wrong' },
      );
      response.end();
    });
  };

const secretPage: Handler = (request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end(
    isSignedIn(request) ? '<main><p>Balance 42 pounds</p></main>' : '<main><p>Sign in first</p></main>',
  );
};

let site: PageServer;
let other: PageServer;
let capture: CaptureService;

const routes = (): Routes => ({
  '/bootstrap': BOOTSTRAP,
  '/scripted': SCRIPTED,
  '/components': COMPONENTS,
  '/session': signIn('/account'),
  '/account': secretPage,
  '/wrong': page('<p>Wrong password</p>'),
  '/two-steps': page('<form method="post" action="/second"><input name="email"><button>Next</button></form>'),
  '/second': page(
    '<form method="post" action="/session"><input type="password" name="password"><button>Sign in</button></form>',
  ),
  '/framed': page('<p>Around</p><iframe src="/bootstrap" width="600" height="400"></iframe>'),
  '/through': page(`<a href="${other.url('/hop')}">Begin</a>`),
  '/never': page('<button onclick="location = \'/hang\'">Go</button>'),
  '/hang': () => undefined,
  '/lured': page(`<a href="${other.url('/phish')}">Next</a>`),
  '/foreign-frame': page(
    `<input id="own"><iframe src="${other.url('/phish')}" width="600" height="400"></iframe>`,
  ),
  '/problems':
    page(`<style>#cover{position:fixed;inset:0;background:#fff8}#move{position:absolute;animation:m .2s infinite linear}@keyframes m{to{left:300px}}</style>
    <button id="hidden" style="display:none">Hidden</button><button id="off" disabled>Off</button>
    <button id="under">Under</button><div id="cover" class="veil"></div>`),
  '/keys': page(
    '<input id="a" autofocus><p id="out"></p><script>a.onkeydown = (event) => { out.textContent += event.key + " "; }</script>',
  ),
  '/all':
    page(`<div style="height:3000px">Top</div><select id="s"><option value="1">One</option><option value="2">Two</option></select>
    <p id="menu">Menu</p><p id="out"></p><script>
    onscroll = () => { document.querySelector('#menu').className = 'scrolled'; };
    document.querySelector('#s').onchange = (event) => { out.textContent += 'chose ' + event.target.value + ' '; };
    document.querySelector('#menu').onmouseover = () => { out.textContent += 'hovered '; };
    setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<p id="late">late</p>'), 700);
    </script>`),
  '/floods': page(
    '<button onclick="out.textContent=\'clicked\'">Go</button><p id="out"></p><script>setInterval(() => { for (let i = 0; i < 2000; i++) console.log({ i }); }, 5)</script>',
  ),
  '/dialogs': page(
    '<button onclick="alert(1); confirm(2); out.textContent = \'after\'">Go</button><p id="out"></p>',
  ),
});

beforeAll(async () => {
  other = await startPageServer(
    {
      '/hop': (_request, response) => response.writeHead(302, { location: site.url('/bootstrap') }).end(),
      '/phish': page(
        '<form method="post" action="/taken"><input type="password" name="password" autofocus><button>Sign in</button></form>',
      ),
      '/taken': signIn('/phish'),
    },
    OTHER_ADDRESS,
  );
  const handlers: Record<string, Routes[string]> = {};
  site = await startPageServer(handlers);
  Object.assign(handlers, routes());
  capture = await startTestCapture({
    allowAddresses: [SITE_ADDRESS, OTHER_ADDRESS],
    concurrency: 2,
    timeoutMs: 60_000,
  });
});
afterAll(async () => {
  await capture.close();
  await site.close();
  await other.close();
});
beforeEach(() => {
  sent.length = 0;
});

const textOf = async (path: string, steps: readonly object[], more: object = {}) =>
  (await read(capture, site.url(path), { format: 'text', mainContentOnly: false, steps, ...more })).content;

const CREDENTIALS = (email: string, password: string) => [
  { fill: email, value: 'reader@example.com' },
  { fill: password, value: SECRET },
];

test.each<[string, string, readonly object[]]>([
  [
    'with labels that float',
    '/bootstrap',
    [...CREDENTIALS('#floatingInput', '#floatingPassword'), { click: 'role=button[name="Sign in"]' }],
  ],
  [
    'that comes late, moves, and is sent by a script',
    '/scripted',
    [
      ...CREDENTIALS('[aria-label="Email"]', '[aria-label="Password"]'),
      { click: 'text=Sign in' },
      { waitForSelector: 'text=Balance' },
    ],
  ],
  [
    'of web components',
    '/components',
    [
      ...CREDENTIALS('x-field >> nth=0 >> input', 'x-field[label="Password"] input'),
      { click: 'button' },
      { waitForSelector: 'text=Balance' },
    ],
  ],
  [
    'in two steps',
    '/two-steps',
    [
      { fill: '[name=email]', value: 'reader@example.com' },
      { click: 'button' },
      { fill: '[name=password]', value: SECRET },
      { press: 'Enter' },
    ],
  ],
  [
    'that is reached over another site and back',
    '/through',
    [{ click: 'text=Begin' }, ...CREDENTIALS('#floatingInput', '#floatingPassword'), { press: 'Enter' }],
  ],
])('signs in with a form %s', async (_what, path, steps) => {
  expect(await textOf(path, steps)).toContain('Balance 42 pounds');
});

test('a text, a picture and a PDF are captured after steps that sign in inside a frame of the same origin', async () => {
  const steps = [
    ...CREDENTIALS('#floatingInput', '#floatingPassword'),
    { click: 'text="Sign in"' },
    { waitForSelector: 'text=Balance' },
    { goto: site.url('/account') },
  ];
  expect(await textOf('/framed', steps)).toContain('Balance 42 pounds');
  expect((await shoot(capture, site.url('/framed'), { steps })).pageUrl).toBe(site.url('/account'));
  expect((await print(capture, site.url('/framed'), { steps })).pageUrl).toBe(site.url('/account'));
});

test('presses keys by name, selects, hovers, scrolls and waits', async () => {
  expect(await textOf('/keys', [{ press: 'ArrowDown' }, { press: 'b' }, { press: 'Control+c' }])).toContain(
    'ArrowDown b Control c',
  );
  const steps = [
    ...[{ scrollTo: '#s' }, { waitForSelector: '.scrolled' }, { select: '#s', value: 'Two' }],
    { hover: '#menu' },
    { waitForSelector: '#late' },
    { waitMs: 1 },
  ];
  expect(await textOf('/all', steps)).toMatch(/chose 2 hovered/u);
});

test('closes the dialogs that a click opens', async () => {
  expect(await textOf('/dialogs', [{ click: 'text=Go' }])).toContain('after');
});

test('steps on a page that floods the console end in a capture or an error for the caller, and another capture succeeds', async () => {
  const flooding = outcome(
    shoot(capture, site.url('/floods'), {
      steps: [{ click: 'text=Go' }, { waitMs: 3_000 }],
      timeoutMs: 6_000,
    }),
  );
  await shoot(capture, site.url('/wrong'));
  expect(['captured', 'timeout', 'invalidRequest']).toContain((await flooding).kind);
});

test.each<[string, object, string]>([
  ['missing', { click: '#none' }, 'Step 2 (click "#none") failed: no element matches it: it is missing'],
  [
    'hidden',
    { click: '#hidden' },
    'Step 2 (click "#hidden") failed: it is hidden: one element matches, and none is visible',
  ],
  ['disabled', { click: '#off' }, 'Step 2 (click "#off") failed: it is disabled'],
  ['covered', { click: '#under' }, 'Step 2 (click "#under") failed: it is covered by "div#cover"'],
  ['no selector', { click: 'foo[[' }, 'Step 2 (click "foo[[") failed: this is not a selector'],
])('the error of a step names the fault of its element or selector: %s', async (_what, step, message) => {
  const ended = await outcome(
    shoot(capture, site.url('/problems'), { steps: [{ waitMs: 1 }, step], timeoutMs: 16_000 }),
  );
  expect(ended).toEqual({ kind: 'invalidRequest', message: expect.stringContaining(message) });
});

test('rejects a key that does not exist', async () => {
  const ended = await outcome(shoot(capture, site.url('/keys'), { steps: [{ press: 'Entr' }] }));
  expect(ended).toEqual({
    kind: 'invalidRequest',
    message: expect.stringContaining('Step 1 (press) failed: there is no such key'),
  });
});

test.each<[string, string, readonly object[]]>([
  [
    'that a link leads to',
    '/lured',
    [{ click: 'text=Next' }, { fill: '[name=password]', value: SECRET }, { press: 'Enter' }],
  ],
  ['that a link leads to, by a key', '/lured', [{ click: 'a' }, { waitForSelector: 'form' }, { press: 'a' }]],
  ['in a frame', '/foreign-frame', [{ fill: '[name=password]', value: SECRET }]],
])('does not type into another site %s', async (_where, path, steps) => {
  const ended = await outcome(shoot(capture, site.url(path), { steps, timeoutMs: 20_000 }));
  expect(ended.kind).toBe('invalidRequest');
  expect(ended.message).toMatch(/it would type into|missing/u);
  expect(ended.message).not.toContain('canary');
  expect(sent).toEqual([]);
});

test('types into another site to which "goto" has led', async () => {
  const steps = [
    { goto: other.url('/phish') },
    { fill: '[name=password]', value: SECRET },
    { click: 'button' },
  ];
  await shoot(capture, site.url('/account'), { steps });
  expect(sent).toHaveLength(1);
});

test('a step cannot go to an address that is not allowed', async () => {
  const ended = await outcome(
    shoot(capture, site.url('/account'), { steps: [{ goto: 'http://10.0.0.1/' }] }),
  );
  const direct = await outcome(shoot(capture, 'http://10.0.0.1/'));
  expect(ended).toEqual(direct);
  expect(ended.kind).toBe('invalidRequest');
});

test('waiting for a page that never arrives ends at the time limit', async () => {
  const ended = await outcome(
    shoot(capture, site.url('/never'), { steps: [{ click: 'text=Go' }], timeoutMs: 4_000 }),
  );
  expect(ended.kind).toBe('timeout');
});

test(
  'the error of a failing step does not repeat its value',
  async () => {
    const steps = [{ fill: '#none', value: SECRET }];
    const ended = await outcome(shoot(capture, site.url('/account'), { steps, timeoutMs: 3_000 }));
    expect(ended.message).toContain('Step 1 (fill "#none") failed');
    expect(ended.message).not.toContain('canary');
  },
  STEPS_MS + 10_000,
);
