import { captureScreenshotRequest } from '@signpost/contract';
import type { CaptureService, Screenshot } from '../capture-service.js';
import { decodePng } from '../../../../test/fixtures/capture/decode-png.js';
import { never, outcome, print, shoot } from '../../../../test/fixtures/capture/outcome.js';
import { startPageServer, type PageServer } from '../../../../test/fixtures/capture/page-server.js';
import { textOf } from '../../../../test/fixtures/capture/pdf-contents.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

const GREEN = [0, 128, 0];
const RED = [200, 0, 0];

const page = (body: string, style = '') =>
  `<!doctype html><style>body{margin:0;background:rgb(200,0,0)}${style}</style><body>${body}`;

/** A page that is green if the expression in its query is true on it. */
const TOLD = page(
  `<script>if (eval(decodeURIComponent(location.search.slice(1)))) document.body.style.background = 'green'</script>`,
);
const BOX = '<div id="box" style="width:200px;height:100px;background:green"></div>';
const around = (box: string) => `<div class="around">${box}</div>`;
const GO = `onclick="document.body.style.background='green';this.remove()"`;

let site: PageServer;
let capture: CaptureService;

beforeAll(async () => {
  site = await startPageServer({
    '/told': TOLD,
    '/agent': (request, response) => {
      response.setHeader('content-type', 'text/html');
      const { 'user-agent': agent, 'accept-language': language = '' } = request.headers;
      const isTold = agent === 'Example/1.0' || language.startsWith('cy');
      response.end(page('', isTold ? 'body{background:green}' : ''));
    },
    '/dark': page('', '@media (prefers-color-scheme: dark){body{background:green}}'),
    '/print': page('', '@media print{body{background:green}}'),
    '/scripted': page(
      `<script>document.body.style.background='rgb(1,2,3)'</script>`,
      'body{background:green}',
    ),
    '/box': page(`${BOX}<div style="height:100px;background:green"></div>`),
    '/stubborn-box': page(around(BOX), 'body .around #box{visibility:visible!important}'),
    '/stubborn-box-of-itself': page(around(BOX.replace('green', 'green;visibility:visible!important'))),
    '/stubborn-box-in-layer': page(around(BOX), '@layer{#box{visibility:visible!important}}'),
    '/strict': (_request, response) => {
      response.setHeader('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'");
      response.setHeader('content-type', 'text/html');
      response.end(page('<p>words'));
    },
    '/button': page(`<button id="go" ${GO}>Go</button>`, 'button{position:absolute;left:150px}'),
    '/svg-button': page(`<div ${GO}><svg class="close" width="10" height="10"></svg></div>`),
    '/two-buttons': page(
      `<button class="go" hidden onclick="document.body.textContent=''">Go</button><button class="go" ${GO}>Go</button>`,
    ),
    '/late': page(`<script>setTimeout(() => { document.body.innerHTML = '${BOX}' }, 700)</script>`),
    '/late-image': page(
      `<script>document.write('<img src="/slow' + location.search + '" onerror="document.body.style.background=\\'green\\'">')</script>`,
    ),
    '/late-fetch': page(
      `<script>onload=()=>fetch('/slow' + location.search).then(()=>{document.body.style.background='green'})</script>`,
    ),
    '/words': page(
      `<b>words</b> <i onclick="this.textContent='by a click'"></i> <u>on a screen</u>
      <script>document.querySelector('i').textContent = 'by a script'</script>`,
      '@media print{u{display:none}}',
    ),
    '/moves-on': page(
      `<script>fetch('/slow?ms=60000&a');fetch('/slow?ms=60000&b',{keepalive:true});new Image().src='/slow?ms=60000&c';
      setTimeout(()=>{location='/box'},300)</script><iframe src="/slow?ms=60000&d"></iframe>`,
    ),
    '/clear': '<!doctype html><body style="margin:0">',
    '/tall': page(
      '<div style="height:3000px"></div><div id="box" style="width:50px;height:40px;margin-left:20px;background:green"></div>',
    ),
    '/empty-box': page('<div id="box"></div>'),
    '/wide': page('<div id="box" style="width:9000px;height:10px"></div>'),
    '/lazy': page(
      `<div style="height:9000px"></div><img id="box" loading="lazy" width="40" height="40" src="/green.svg">`,
    ),
    '/green.svg': (_request, response) => {
      response.setHeader('content-type', 'image/svg+xml');
      response.end(
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="green"/></svg>',
      );
    },
    '/consent': page('<a id="go" href="/agreed">Agree</a>'),
    '/agreed': page(`${BOX}<button id="go" onclick="document.body.remove()">Go</button>`),
  });
  capture = await startTestCapture({ timeoutMs: 5_000 });
});

afterAll(async () => {
  await capture.close();
  await site.close();
});

const told = (expression: string) => `/told?${encodeURIComponent(expression)}`;

const colourOf = async (path: string, options: Record<string, unknown> = {}) =>
  decodePng((await shoot(capture, site.url(path), options)).body).at(100, 50);

test.each<[string, string, Record<string, unknown>]>([
  ['colorScheme', '/dark', { colorScheme: 'dark' }],
  ['media', '/print', { media: 'print' }],
  ['locale, for scripts', told(`navigator.language === 'cy'`), { locale: 'cy' }],
  ['locale, in numbers', told(`(1.5).toLocaleString() === '1,5'`), { locale: 'de-DE' }],
  ['locale, for servers', '/agent', { locale: 'cy' }],
  ['timezone', told(`new Date(0).getHours() === 9`), { timezone: 'Asia/Tokyo' }],
  ['userAgent, for scripts', told(`navigator.userAgent === 'Example/1.0'`), { userAgent: 'Example/1.0' }],
  ['userAgent, for servers', '/agent', { userAgent: 'Example/1.0' }],
  ['clickSelectors', '/button', { clickSelectors: ['#go'] }],
  ['clickSelectors, of SVG', '/svg-button', { clickSelectors: ['svg.close'] }],
  ['clickSelectors, the first that can be seen', '/two-buttons', { clickSelectors: ['.go'] }],
  ['css', '/print', { css: 'body { background: green !important }' }],
  ['css, whatever the policy of the page', '/strict', { css: 'body { background: green !important }' }],
  ['waitForSelector', '/late', { waitForSelector: '#box' }],
  ['waitMs', '/late', { waitMs: 900 }],
])('the option %s has an effect in the picture', async (_what, path, options) => {
  expect(await colourOf(path, { animations: 'allow' })).toEqual(RED);
  expect(await colourOf(path, { animations: 'allow', ...options })).toEqual(GREEN);
});

test('with javaScript false, the script of a page does not run', async () => {
  expect(await colourOf('/scripted')).toEqual([1, 2, 3]);
  expect(await colourOf('/scripted', { javaScript: false })).toEqual(GREEN);
});

test('hideSelectors hides elements that match any of its selectors, and leaves their space empty', async () => {
  expect(await colourOf('/box')).toEqual(GREEN);
  expect(await colourOf('/box', { hideSelectors: ['.none', '#box'] })).toEqual(RED);
});

test.each(['div[id="box"', ':is(#box', '#box /* it'])(
  'hideSelectors hides what the unclosed selector %s matches, and what the other selectors match',
  async (selector) => {
    expect(await colourOf('/box', { hideSelectors: [selector, '.none'] })).toEqual(RED);
    expect(await colourOf('/box', { hideSelectors: [selector.replace('box', 'none'), '#box'] })).toEqual(RED);
  },
);

test.each([
  ['by a strong rule', '/stubborn-box'],
  ['by a style of its own', '/stubborn-box-of-itself'],
  ['in a layer', '/stubborn-box-in-layer'],
])(
  'hideSelectors hides an element that is made visible %s, itself or through an ancestor',
  async (_how, path) => {
    expect(await colourOf(path)).toEqual(GREEN);
    for (const selector of ['.around', '#box'])
      expect(await colourOf(path, { hideSelectors: [selector] })).toEqual(RED);
  },
);

test('with waitUntil, domContentLoaded does not wait for images, load waits for them but not for fetches, and networkIdle waits for fetches', async () => {
  const FOR_EVER = '?ms=60000';
  const waiting = (path: string, waitUntil: string) => colourOf(path, { waitUntil, animations: 'allow' });

  expect(await waiting(`/late-image${FOR_EVER}`, 'domContentLoaded')).toEqual(RED);
  expect(await waiting('/late-image?ms=900', 'load')).toEqual(GREEN);
  expect(await waiting(`/late-fetch${FOR_EVER}`, 'load')).toEqual(RED);
  expect(await waiting('/late-fetch?ms=1500', 'networkIdle')).toEqual(GREEN);
});

test('networkIdle waits for the page to which the first one navigates, and ignores requests of the first one', async () => {
  expect(await colourOf('/moves-on', { waitUntil: 'networkIdle' })).toEqual(GREEN);
});

test('failOnPageStatus rejects a page with an error status, and names the status', async () => {
  expect(await outcome(shoot(capture, site.url('/nowhere')))).toMatchObject({ kind: 'captured' });
  expect(await outcome(shoot(capture, site.url('/nowhere'), { failOnPageStatus: true }))).toEqual({
    kind: 'invalidRequest',
    message: 'The page answers with the status 404. Leave "failOnPageStatus" out to capture it as it is.',
  });
});

test('captures a single element far below the window', async () => {
  const { body } = await shoot(capture, site.url('/tall'), { selector: '#box' });
  const picture = decodePng(body);

  expect([picture.width, picture.height]).toEqual([50, 40]);
  expect([picture.at(0, 0), picture.at(49, 39)]).toEqual([GREEN, GREEN]);
});

test.each([{}, { javaScript: false }])(
  'a lazy image far below the window is captured, with the fields %j',
  async (options) => {
    const { body } = await shoot(capture, site.url('/lazy'), { selector: '#box', ...options });
    expect(decodePng(body).at(20, 20)).toEqual(GREEN);
    expect((await print(capture, site.url('/lazy'), options)).pageCount).toBeGreaterThan(1);
  },
);

test('captures the page to which a click leads, without clicking there again', async () => {
  expect(await colourOf('/consent', { clickSelectors: ['#go'] })).toEqual(GREEN);
});

test('captures only the requested clip, even below the window', async () => {
  const clip = { x: 10, y: 2_990, width: 30, height: 20 };
  const picture = decodePng((await shoot(capture, site.url('/tall'), { clip })).body);

  expect([picture.width, picture.height, picture.at(0, 0), picture.at(20, 15)]).toEqual([30, 20, RED, GREEN]);
});

/** The visible colour of a picture if it is shown on a green background. */
async function colourOnGreen({ mediaType, body }: Screenshot) {
  const html = `<body style="background:green"><img src="data:${mediaType};base64,${body.toString('base64')}">`;
  const request = captureScreenshotRequest.parse({ html, width: 200, height: 100 });
  return decodePng((await capture.screenshot(request, never())).body).at(100, 50);
}

test.each(['png', 'webp'])(
  'transparent leaves out the white background of the page, in the format %s',
  async (format) => {
    const opaque = await shoot(capture, site.url('/clear'), { format });
    const clear = await shoot(capture, site.url('/clear'), { format, transparent: true });

    expect([await colourOnGreen(opaque), await colourOnGreen(clear)]).toEqual([[255, 255, 255], GREEN]);
  },
);

test.each([
  ['jpeg', 'image/jpeg', /^\xff\xd8\xff/u],
  ['webp', 'image/webp', /^RIFF....WEBP/su],
])(
  'a picture in the format %s has its media type and first bytes, and is smaller in a lower quality',
  async (format, type, begins) => {
    const [fine, coarse] = [
      await shoot(capture, site.url('/button'), { format, quality: 100 }),
      await shoot(capture, site.url('/button'), { format, quality: 1 }),
    ];

    expect([coarse.mediaType, coarse.body.toString('latin1', 0, 12)]).toEqual([
      type,
      expect.stringMatching(begins),
    ]);
    expect(coarse.body.length).toBeLessThan(fine.body.length);
  },
);

test.each<[string, string, Record<string, unknown>, RegExp]>([
  ['a bad selector', '/box', { waitForSelector: '##' }, /"waitForSelector" must be a CSS selector.*"##"/u],
  ['a bad selector to click', '/box', { clickSelectors: ['##'] }, /"clickSelectors" must be a CSS selector/u],
  ['a bad selector to hide', '/box', { hideSelectors: ['##'] }, /"hideSelectors" must be a CSS selector/u],
  ['a missing element', '/box', { selector: '#none' }, /No element matched "#none" of "selector"/u],
  ['a bad selector to picture', '/box', { selector: '#[' }, /"selector" must be a CSS selector.*"#\["/u],
  [
    'an element that is too wide',
    '/wide',
    { selector: '#box' },
    /has 9000 × 10 pixels, more than the 7680 × \d+ .*smaller one/u,
  ],
  [
    'a clip outside of the page',
    '/tall',
    { clip: { x: 0, y: 4_000, width: 10, height: 10 } },
    /"clip" begins at 0, 4000, outside of the page, which has 200 × 3040 pixels/u,
  ],
  [
    'a page too tall for a WebP',
    '/tall',
    { format: 'webp', fullPage: true, css: '#box{height:20000px!important}' },
    /23000 pixels tall, more than the 16383 that a WebP can have. Use the format png/u,
  ],
  [
    'an error status',
    '/nowhere',
    { failOnPageStatus: true, clickSelectors: ['#none'], waitForSelector: '#none', selector: '#none' },
    /answers with the status 404/u,
  ],
  ['an empty element', '/empty-box', { selector: '#box' }, /takes no room on the page/u],
  [
    'an element that never comes',
    '/box',
    { waitForSelector: '#none' },
    /No element matched "#none" of "waitForSelector" and was visible within 5 s/u,
  ],
])('%s is rejected with an error that names the cause', async (_what, path, options, words) => {
  expect(await outcome(shoot(capture, site.url(path), options))).toEqual({
    kind: 'invalidRequest',
    message: expect.stringMatching(words),
  });
});

test('hideSelectors, css, clickSelectors, javaScript, media and waitForSelector also apply to PDFs', async () => {
  const printed = async (options: Record<string, unknown>) =>
    (await textOf((await print(capture, site.url('/words'), options)).body)).trim();

  expect(await printed({})).toBe('words by a script');
  expect(await printed({ hideSelectors: ['b'] })).toBe('by a script');
  expect(await printed({ css: 'b { display: none }', clickSelectors: ['i'] })).toBe('by a click');
  expect(await printed({ javaScript: false })).toBe('words');
  expect(await printed({ media: 'screen' })).toBe('words by a script on a screen');
  expect(await printed({ waitForSelector: 'i' })).toBe('words by a script');
  expect(await outcome(printed({ waitForSelector: '#none' }))).toEqual({
    kind: 'invalidRequest',
    message: expect.stringMatching(/No element matched "#none" of "waitForSelector" .* within 5 s/u),
  });
});
