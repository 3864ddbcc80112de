import type { CaptureService } from '../capture-service.js';
import { loginPage as page } from '../../../../test/fixtures/capture/login-pages.js';
import { outcome, read, shoot } from '../../../../test/fixtures/capture/outcome.js';
import {
  SITE_ADDRESS,
  startPageServer,
  type PageServer,
  type Routes,
} from '../../../../test/fixtures/capture/page-server.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

const OTHER_ADDRESS = '127.0.0.3';
const SECRET = 'canary-5e2d';

/** A page that takes the keyboard again and again, and tells its server about each key and text that it gets. */
const THIEF = page(`<input id="field" oninput="fetch('/typed')" onkeydown="fetch('/pressed')"><script>
  setInterval(() => field.focus(), 1);
  addEventListener('blur', () => field.focus());
</script>`);
const FIELD =
  '<input type="password" id="password" oninput="out.textContent = \'has \' + value.length"><p id="out"></p>';
/** A field that is slow when it gets the keyboard, so that frames have time to take the keyboard from it. */
const SLOW_FIELD = FIELD.replace(
  'id="password"',
  'id="password" onfocus="for (const end = performance.now() + 60; performance.now() < end;);"',
);
const TYPED = `text="has ${SECRET.length}"`;

let site: PageServer;
/** On the same site as `site`, but with another origin. Its frames share the process of the page. */
let neighbour: PageServer;
/** On another site than `site`, so that its frames have a process of their own. */
let stranger: PageServer;
let capture: CaptureService;

/** Two pages, one around a document of the neighbour, and one around a document of the stranger. */
const around = (name: string, markup: (address: string) => string): Routes => ({
  [`/${name}-neighbour`]: page(markup(neighbour.url('/thief'))),
  [`/${name}-stranger`]: page(markup(stranger.url('/thief'))),
});
const frame = (address: string) => `<iframe src="${address}" width="300" height="100"></iframe>`;
const closedTree = (content: string) =>
  `<x-box></x-box><script>customElements.define('x-box', class extends HTMLElement {
    constructor() { super(); this.attachShadow({ mode: 'closed' }).innerHTML = ${JSON.stringify(content)}; }
  });</script>`;

beforeAll(async () => {
  neighbour = await startPageServer({ '/thief': THIEF });
  stranger = await startPageServer({ '/thief': THIEF }, OTHER_ADDRESS);
  site = await startPageServer({
    ...around('frame', (address) => SLOW_FIELD + frame(address)),
    ...around(
      'object',
      (address) => `<object data="${address}" type="text/html" width="300" height="100"></object>`,
    ),
    ...around('tree', (address) => closedTree(frame(address))),
    '/field': page(FIELD),
    '/script-address': page(`<a href="javascript:'<p>Made by a script</p>'">Go</a>`),
    '/keys': page('<p id="out"></p><script>onkeydown = ({ key }) => out.append(key);</script>'),
    '/read-only': page('<input id="a" readonly value="1">'),
    '/asks': page(
      '<input id="a"><script>addEventListener("beforeunload", (event) => { event.preventDefault(); event.returnValue = "Stay?"; });</script>',
    ),
  });
  capture = await startTestCapture({ allowAddresses: [SITE_ADDRESS, OTHER_ADDRESS], timeoutMs: 60_000 });
});
afterAll(async () => {
  await capture.close();
  for (const server of [site, neighbour, stranger]) await server.close();
});

const taken = () =>
  [...neighbour.requestedPaths, ...stranger.requestedPaths].filter(
    (path) => path === '/typed' || path === '/pressed',
  );

test.each(['neighbour', 'stranger'])(
  'types into the field of a step while a frame of another origin (%s) takes the keyboard again and again',
  async (whose) => {
    const steps = [{ waitMs: 300 }, { fill: '#password', value: SECRET }, { waitForSelector: TYPED }];
    expect(await outcome(shoot(capture, site.url(`/frame-${whose}`), { steps }))).toEqual({
      kind: 'captured',
      message: '',
    });
    expect(taken()).toEqual([]);
  },
);

test.each(['frame-neighbour', 'frame-stranger', 'object-neighbour', 'object-stranger', 'tree-neighbour'])(
  'presses no key while a document of another origin has the keyboard (the page %s)',
  async (path) => {
    const steps = [{ waitMs: 300 }, { press: 'a' }];
    const ended = await outcome(shoot(capture, site.url(`/${path}`), { steps, timeoutMs: 12_000 }));
    expect(ended).toEqual({
      kind: 'invalidRequest',
      message: expect.stringMatching(/it would type into|does not say which of its frames/u),
    });
    expect(taken()).toEqual([]);
  },
);

const textOf = async (path: string, steps: readonly object[]) =>
  (await read(capture, site.url(path), { format: 'text', mainContentOnly: false, steps })).content;

test('the error says that a field is read-only', async () => {
  const steps = [{ fill: '#a', value: SECRET }];
  expect(await outcome(shoot(capture, site.url('/read-only'), { steps, timeoutMs: 8_000 }))).toEqual({
    kind: 'invalidRequest',
    message: 'Step 1 (fill "#a") failed: it is read-only.',
  });
});

test('presses characters that no keyboard of the United States has', async () => {
  expect(await textOf('/keys', [{ press: '€' }, { press: 'ß' }])).toContain('€ß');
});

test('captures a document that a javascript: address has made', async () => {
  expect(await textOf('/script-address', [{ click: 'a' }])).toContain('Made by a script');
});

test('leaves a page that asks whether to leave it', async () => {
  const steps = [{ click: '#a' }, { press: 'b' }, { goto: site.url('/field') }];
  expect((await shoot(capture, site.url('/asks'), { steps })).pageUrl).toBe(site.url('/field'));
});
