import type { CaptureService } from '../capture-service.js';
import { outcome, print } from '../../../../test/fixtures/capture/outcome.js';
import { startPageServer, type PageServer } from '../../../../test/fixtures/capture/page-server.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

let site: PageServer;
let capture: CaptureService;

beforeAll(async () => {
  site = await startPageServer({ '/one': '<!doctype html><title>One</title><p>words</p>' });
  capture = await startTestCapture();
});

afterAll(async () => {
  await capture.close();
  await site.close();
});

const ELSEWHERE = 'http://site.example/file';
const STYLES = '<style>p { color: red }</style>';
const inline = (type: string, text: string) => `data:${type};base64,${Buffer.from(text).toString('base64')}`;

test.each([
  `<link rel="stylesheet" href="${ELSEWHERE}"><p>x</p>`,
  `<link rel="preload" as="style" href="${ELSEWHERE}"><p>x</p>`,
  `<link rel="modulepreload" href="${ELSEWHERE}"><p>x</p>`,
  `<style>@import "${ELSEWHERE}";</style><p>x</p>`,
  `<style>@\\69mport "${ELSEWHERE}";</style><p>x</p>`,
  `<svg><style>@import "${ELSEWHERE}";</style></svg>`,
  `<style>@font-face { font-family: f; src: url(${ELSEWHERE}) } p { font-family: f }</style><p>x</p>`,
  `<p style="clip-path:url(${ELSEWHERE}#f)">x</p>`,
  `<p style="clip-path:&#117;rl(${ELSEWHERE}#f)">x</p>`,
])('rejects a header or footer that the browser cannot print, naming its field: %s', async (html) => {
  for (const [fields, names] of [
    [{ headerHtml: html }, '"headerHtml"'],
    [{ headerHtml: '<p>x</p>', footerHtml: html, singlePage: true }, '"footerHtml"'],
  ] as const)
    expect(await outcome(print(capture, site.url('/one'), fields))).toEqual({
      kind: 'invalidRequest',
      message: `The browser cannot print ${names}. A header or footer cannot load style sheets, @import, fonts or clip paths from the network: write the styles into it, and embed the rest as data: addresses.`,
    });
});

test.each([
  `${STYLES}<p>x</p>`,
  `<link rel="stylesheet" href="${inline('text/css', 'p { color: red }')}"><p>x</p>`,
  `<style>@import "${inline('text/css', 'p { color: red }')}";</style><p>x</p>`,
  `<img src="${ELSEWHERE}"><p style="background:url(${ELSEWHERE})">x</p>`,
  `<base href="${ELSEWHERE}"><script src="${ELSEWHERE}"></script><iframe src="${ELSEWHERE}"></iframe><p>x</p>`,
])(
  'prints a header that loads nothing from the network, or only what the browser ignores in a header: %s',
  async (headerHtml) => {
    expect((await print(capture, site.url('/one'), { headerHtml })).pageCount).toBe(1);
  },
);
