import type { CaptureService } from '../capture-service.js';
import { decodePng } from '../../../../test/fixtures/capture/decode-png.js';
import { read, shoot } from '../../../../test/fixtures/capture/outcome.js';
import {
  startPageServer,
  type Handler,
  type PageServer,
} from '../../../../test/fixtures/capture/page-server.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

const GREEN = [0, 128, 0];
/** Longer than it takes to capture a page without waiting for anything. */
const SLOW_MS = 300;

const answer =
  (type: string, body: string): Handler =>
  (_request, response) =>
    void setTimeout(() => response.writeHead(200, { 'content-type': type }).end(body), SLOW_MS);

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="200"><rect id="box" width="400" height="200" fill="green"/></svg>';

const page = (style: string, body = '') =>
  `<!doctype html><style>body{margin:0;height:100px}${style}</style><body>${body}`;

/** Documents without scripts, by the part of them that arrives late. */
const LATE: Readonly<Record<string, string>> = {
  'the background of an element': page('body{background:url(/slow.svg)}'),
  'a background that is written with an escape': page(String.raw`body{background:u\72l(/slow.svg)}`),
  'a background in capitals': page('body{background:URL(/slow.svg)}'),
  'one image of a set': page('body{background:image-set("/slow.svg" 1x)}'),
  'the content of a pseudo-element': page('body::before{content:url(/slow.svg)}'),
  'the background of a style attribute': '<!doctype html><body style="margin:0;background:url(/slow.svg)">',
  'the background of an old attribute': '<!doctype html><body background="/slow.svg">',
  'a sheet of styles that another one brings': page('', '<style>@import "/slow.css";</style>'),
  'the background of a sheet of styles': '<!doctype html><link rel="stylesheet" href="/quick.css"><body>',
  'an image that loads on sight': page('', '<img loading="lazy" src="/slow.svg">'),
  'an image in a drawing': page('', '<svg width="400" height="200"><image href="/slow.svg"/></svg>'),
  'a part of another drawing': page('', '<svg width="400" height="200"><use href="/slow.svg#box"/></svg>'),
  'the background of a shadow tree': page(
    'body{height:auto}',
    '<div><template shadowrootmode="open"><style>p{margin:0;height:100px;background:url(/slow.svg)}</style><p></p></template></div>',
  ),
};

const turnGreen = "fetch('/slow.css').then(() => { document.body.style.background = 'green' })";
/** Documents that have had a script but no longer contain one. */
const LEFT: Readonly<Record<string, string>> = {
  'removes itself': page('', `<script>${turnGreen};document.currentScript.remove()</script>`),
  'puts others in the place of all elements': page(
    '',
    `<script>document.body.innerHTML = '<p>loading</p>';${turnGreen}</script>`,
  ),
  'is a handler that removes its element': page('', `<img src="/none" onerror="this.remove();${turnGreen}">`),
  'follows what is in sight': page(
    'p{margin:1500px 0 0;height:100px}',
    `<p></p><script>{
      const p = document.querySelector('p');
      new IntersectionObserver(([{ isIntersecting }]) => {
        if (isIntersecting) document.body.style.background = 'green';
      }).observe(p);
      document.currentScript.remove();
    }</script>`,
  ),
};

/** The names of form fields. They hide methods and properties of the form. */
const FIELDS = [
  'getAttribute',
  'getAttributeNames',
  'checkVisibility',
  'setAttribute',
  'style',
  'shadowRoot',
];

let site: PageServer;
let capture: CaptureService;

beforeAll(async () => {
  site = await startPageServer({
    ...Object.fromEntries(Object.entries(LATE).map(([what, html]) => [`/${encodeURI(what)}`, html])),
    '/slow.svg': answer('image/svg+xml', SVG),
    '/slow.css': answer('text/css', 'body{background:green}'),
    '/quick.css': (_request, response) =>
      void response.writeHead(200, { 'content-type': 'text/css' }).end('body{background:url(/slow.svg)}'),
    ...Object.fromEntries(Object.entries(LEFT).map(([what, html]) => [`/${encodeURI(what)}`, html])),
    '/form': page(
      'p{height:2000px}',
      `<form>${FIELDS.map((name) => `<input name="${name}">`).join('')}</form><p></p><img loading="lazy" src="/slow.svg">`,
    ),
    '/moves-on': page(
      'b{position:fixed;inset:0;background:red}',
      '<b></b><script>setTimeout(() => { location = "/moved-on" }, 100)</script>',
    ),
    '/moved-on': page('b{position:fixed;inset:0;background:red}', '<b></b>'),
    '/asks-again': page('', "<script>(async () => { for (;;) await fetch('/quick.css') })()</script>"),
    '/writes-late': page(
      '',
      "<script>document.body.innerHTML = '<p>loading</p>';fetch('/slow.css').then(() => { document.body.innerHTML = '<p>late text</p>' })</script>",
    ),
    '/without-root': page('', '<script>onload = () => document.documentElement.remove()</script>'),
    '/still': page('body{background:green}'),
  });
  capture = await startTestCapture();
});

afterAll(async () => {
  await capture.close();
  await site.close();
});

test.each(Object.keys(LATE))('on a page without scripts, waits for %s', async (what) => {
  const { body } = await shoot(capture, site.url(`/${encodeURI(what)}`));

  expect(decodePng(body).at(50, 50)).toEqual(GREEN);
});

test('waits for a background image in styles that the caller adds', async () => {
  const { body } = await shoot(capture, site.url('/still'), { css: 'body{background:url(/slow.svg)}' });

  expect(decodePng(body).at(50, 50)).toEqual(GREEN);
});

test.each(Object.keys(LEFT))('waits for a script that %s', async (what) => {
  const { body } = await shoot(capture, site.url(`/${encodeURI(what)}`), { fullPage: true });

  expect(decodePng(body).at(50, 50)).toEqual(GREEN);
});

test('reads the whole text of a page whose script has removed itself', async () => {
  const { content } = await read(capture, site.url('/writes-late'), { mainContentOnly: false });

  expect(content).toBe('late text');
});

test('captures a full page although form fields have the names of methods of the form', async () => {
  expect((await shoot(capture, site.url('/form'), { fullPage: true })).pageHeight).toBeGreaterThan(2_000);
});

test('applies css and hideSelectors also to a page that replaces the first one during the capture', async () => {
  const css = 'body{background:url(/slow.svg)}';
  for (const more of [{}, { waitMs: 500 }]) {
    const { body } = await shoot(capture, site.url('/moves-on'), { css, hideSelectors: ['b'], ...more });
    expect(decodePng(body).at(50, 50)).toEqual(GREEN);
  }
});

test('waits for resources of styles even while scripts make endless requests', async () => {
  const { body } = await shoot(capture, site.url('/asks-again'), { css: 'body{background:url(/slow.svg)}' });

  expect(decodePng(body).at(50, 50)).toEqual(GREEN);
});

test('adding styles to a page without elements is not an error', async () => {
  expect(
    (await shoot(capture, site.url('/without-root'), { css: 'a{background:url(/slow.svg)}' })).pageStatus,
  ).toBe(200);
});
