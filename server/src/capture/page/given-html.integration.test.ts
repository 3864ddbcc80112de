import { capturePdfRequest, captureScreenshotRequest, readPageRequest } from '@signpost/contract';
import { decodePng } from '../../../../test/fixtures/capture/decode-png.js';
import { never } from '../../../../test/fixtures/capture/outcome.js';
import {
  type PageServer,
  SITE_ADDRESS,
  startPageServer,
} from '../../../../test/fixtures/capture/page-server.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';
import type { CaptureService } from '../capture-service.js';

const GREEN = [0, 128, 0];

const svg = (fill: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><rect width="200" height="100" fill="${fill}"/></svg>`;

let site: PageServer;
let capture: CaptureService;

beforeAll(async () => {
  site = await startPageServer({
    '/shop/green.svg': (_request, response) => {
      response.setHeader('content-type', 'image/svg+xml');
      response.end(svg('green'));
    },
    '/elsewhere': '<p>Elsewhere',
  });
  capture = await startTestCapture({
    timeoutMs: 10_000,
    resolve: () => Promise.resolve([{ address: SITE_ADDRESS, family: 4 }]),
  });
});

afterAll(async () => {
  await capture.close();
  await site.close();
});

const colourOf = async (html: string, more: Record<string, unknown> = {}) => {
  const request = captureScreenshotRequest.parse({ html, width: 200, height: 100, ...more });
  return decodePng((await capture.screenshot(request, never())).body).at(100, 50);
};

const read = (html: string, more: Record<string, unknown> = {}) =>
  capture.content(readPageRequest.parse({ html, format: 'text', mainContentOnly: false, ...more }), never());

/** The value of an expression on a page that was sent as HTML. */
async function told(expression: string): Promise<unknown> {
  const script = `(async () => { document.body.textContent = JSON.stringify(await ${expression}); document.body.id = 'told'; })()`;
  const { content } = await read(`<!doctype html><body><script>${script}</script>`, {
    waitForSelector: '#told',
  });
  return JSON.parse(content);
}

test('HTML is captured, printed and read as a page with status 200', async () => {
  expect(await colourOf('<body style="background:green">')).toEqual(GREEN);
  const pdf = await capture.pdf(
    capturePdfRequest.parse({ html: '<h1>One</h1><h1 style="break-before:page">Two €</h1>' }),
    never(),
  );
  expect(pdf).toMatchObject({ pageCount: 2, pageStatus: 200 });
  expect(await read('<title>Words</title><p lang="en">Zoë’s 💥')).toMatchObject({
    url: null,
    pageStatus: 200,
    title: 'Words',
    content: 'Zoë’s 💥',
  });
});

test('HTML has a secure origin of its own with storage, and nothing else is at that origin', async () => {
  expect(await told('[isSecureContext, localStorage.length, document.compatMode, document.cookie]')).toEqual([
    true,
    0,
    'CSS1Compat',
    '',
  ]);
  const origins = [await told('self.origin'), await told('self.origin')];
  expect(new Set(origins).size).toBe(2);
  expect(await told(`fetch('/other').then(({ status }) => status)`)).toBe(404);
  expect(await told(`fetch(location.href).then(({ status }) => status)`)).toBe(404);
});

test('HTML loads resources over http from allowed addresses, and none from a forbidden one', async () => {
  const image = (address: string) => `<body style="margin:0"><img width="200" height="100" src="${address}">`;
  expect(await colourOf(image(site.url('/shop/green.svg')))).toEqual(GREEN);
  expect(await colourOf(image(`http://pictures.example:${site.port}/shop/green.svg`))).toEqual(GREEN);
  const before = site.requestedPaths.length;
  const refused = `http://127.0.0.1:${site.port}/shop/green.svg`;
  expect(await colourOf(image(refused))).not.toEqual(GREEN);
  expect(await told(`fetch('${refused}', { mode: 'no-cors' }).then(() => 'read', () => 'refused')`)).toBe(
    'refused',
  );
  expect(site.requestedPaths.length).toBe(before);
});

test.each([
  ['', 'BackCompat'],
  ['<!doctype html>', 'CSS1Compat'],
  [
    '\uFEFF <!-- a --> <!DOCTYPE html>\n<html lang="cy" data-a="<b>">\n<!-- c --><head class="d">',
    'CSS1Compat',
  ],
])(
  'relative addresses are resolved against baseUrl, and the beginning %p of the HTML keeps its meaning',
  async (begin, mode) => {
    const baseUrl = site.url('/shop/list?of=1');
    const html = `${begin}<link rel="icon" href="data:,"><body style="margin:0"><img src="green.svg">`;
    expect(await colourOf(html, { baseUrl })).toEqual(GREEN);
    const script =
      '<script>document.body.textContent = `${document.compatMode} ${document.documentElement.lang}`</script>';
    const { url, content } = await read(`${html}${script}`, { baseUrl });
    expect([url, content.trim()]).toEqual([baseUrl, `${mode} ${begin.includes('cy') ? 'cy' : ''}`.trim()]);
  },
);

test('links in HTML are returned as they were sent, or as complete addresses if there is a baseUrl', async () => {
  const html = '<p><a href="/a">A</a> <a href="https://b.example/">B</a> <a href="#c">C</a>';
  const asked = { format: 'markdown', includeLinks: true };
  const alone = await read(html, asked);
  expect(alone.content).toContain('[A](/a)');
  expect(alone.links).toEqual([{ url: 'https://b.example/', text: 'B' }]);
  const based = await read(html, { ...asked, baseUrl: 'https://a.example/shop/' });
  expect(based.content).toContain('[A](https://a.example/a)');
  expect(based.links).toContainEqual({ url: 'https://a.example/a', text: 'A' });
});

test('HTML that navigates to a page is captured as that page', async () => {
  const { url, content } = await read(`<script>location = '${site.url('/elsewhere')}'</script>`);
  expect([url, content]).toEqual([site.url('/elsewhere'), 'Elsewhere']);
});

test('accepts five megabytes of HTML', async () => {
  const html = `<body style="background:green">${'<!-- padding -->'.repeat(312_000)}`;
  expect(await colourOf(html)).toEqual(GREEN);
});
