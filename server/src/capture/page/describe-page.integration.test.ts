import { capturePdfRequest, captureScreenshotRequest, LIMITS } from '@signpost/contract';
import type { CaptureService } from '../capture-service.js';
import { never, print, shoot } from '../../../../test/fixtures/capture/outcome.js';
import { startPageServer, type PageServer } from '../../../../test/fixtures/capture/page-server.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

const titled = (title: string, more = '') => `<!doctype html><title>${title}</title>${more}`;

let site: PageServer;
let capture: CaptureService;

beforeAll(async () => {
  site = await startPageServer({
    '/plain': titled(' A  title &amp; more '),
    '/moves': (_request, response) =>
      void response.writeHead(302, { location: '/scripted?from=moves' }).end(),
    '/scripted': titled('first', '<script>onload=()=>{location="/named?a=ü#here"}</script>'),
    '/named': titled('Größe 好', '<img name="title"><form name="URL"></form>'),
    '/untitled': '<!doctype html><p>words',
    '/long': titled(`${'好'.repeat(LIMITS.pageTitleHeaderCharacters.max - 1)}💥 and more`),
  });
  capture = await startTestCapture();
});

afterAll(async () => {
  await capture.close();
  await site.close();
});

test('pictures and PDFs have the address and title of the final page, even if elements are named "title"', async () => {
  const there = { pageUrl: site.url('/named?a=%C3%BC#here'), pageTitle: 'Größe 好', pageStatus: 200 };

  expect(await shoot(capture, site.url('/moves'))).toMatchObject(there);
  expect(await print(capture, site.url('/moves'))).toMatchObject(there);
});

test.each([
  ['/plain', 'A title & more'],
  ['/untitled', ''],
])('for the page %s, the title is "%s"', async (path, pageTitle) => {
  expect(await shoot(capture, site.url(path))).toMatchObject({ pageUrl: site.url(path), pageTitle });
});

test('leaves out user names and passwords of addresses', async () => {
  const secret = site.url('/plain').replace('http://', 'http://someone:hidden@');

  expect((await shoot(capture, secret)).pageUrl).toBe(site.url('/plain'));
});

test('cuts a long title between characters, and a long address between escapes, at the limit', async () => {
  const { pageUrl, pageTitle } = await shoot(capture, site.url(`/long?${'好'.repeat(800)}`));

  expect(pageTitle).toBe('好'.repeat(LIMITS.pageTitleHeaderCharacters.max - 1));
  const { max } = LIMITS.pageUrlHeaderCharacters;
  expect(pageUrl.length).toBeLessThanOrEqual(max);
  expect(pageUrl.length).toBeGreaterThan(max - 3);
  expect(pageUrl).toMatch(/(?:%[\dA-F]{2})+$/u);
});

test.each([
  [{}, ''],
  [{ baseUrl: 'https://someone:hidden@example.com/shop/' }, 'https://example.com/shop/'],
])('HTML that was sent with the fields %j has the address "%s"', async (more, pageUrl) => {
  const html = titled('Invoice');
  const screenshot = captureScreenshotRequest.parse({ html, ...more });
  const pdf = capturePdfRequest.parse({ html, ...more });

  expect(await capture.screenshot(screenshot, never())).toMatchObject({ pageUrl, pageTitle: 'Invoice' });
  expect(await capture.pdf(pdf, never())).toMatchObject({ pageUrl, pageTitle: 'Invoice' });
});
