import { captureScreenshotRequest } from '@signpost/contract';
import { decodePng } from '../../../../test/fixtures/capture/decode-png.js';
import { never, outcome, print, read, shoot } from '../../../../test/fixtures/capture/outcome.js';
import { startPageServer, type PageServer } from '../../../../test/fixtures/capture/page-server.js';
import { textOf } from '../../../../test/fixtures/capture/pdf-contents.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';
import type { CaptureService } from '../capture-service.js';

const GREEN = [0, 128, 0];
const RED = [200, 0, 0];
const WHITE = [255, 255, 255];

const BODY = '<!doctype html><style>body{margin:0;background:rgb(200,0,0)}</style><body>';
const MADE_FOR_PHONES = `<!doctype html><meta name="viewport" content="width=device-width">${BODY}`;
/** A page that is green if the expression in its query is true on it. */
const told = (page: string) =>
  `${page}<script>if (eval(decodeURIComponent(location.search.slice(1)))) document.body.style.background = 'green'</script>`;
const SQUARE = 'width:40px;height:40px;background:green';

let site: PageServer;
let capture: CaptureService;

beforeAll(async () => {
  site = await startPageServer({
    '/told': told(MADE_FOR_PHONES),
    '/agent': (request, response) => {
      response.setHeader('content-type', 'text/html');
      const isPhone = request.headers['user-agent']?.includes('iPhone') === true;
      response.end(`${MADE_FOR_PHONES}${isPhone ? '<style>body{background:green}</style>' : ''}`);
    },
    '/desktop': `${BODY}<div style="width:980px;height:2940px;background:#fff"></div><div id="box" style="${SQUARE}"></div>`,
    '/lazy': `${MADE_FOR_PHONES}<div style="height:5000px"></div><img id="box" loading="lazy" width="40" height="40" src="/green.svg">`,
    '/lazy-desktop': `${BODY}<div style="width:980px;height:5000px"></div><img id="box" loading="lazy" width="40" height="40" src="/green.svg">`,
    '/green.svg': (_request, response) => {
      response.setHeader('content-type', 'image/svg+xml');
      response.end(
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="99" height="99" fill="green"/></svg>',
      );
    },
    '/words': `${MADE_FOR_PHONES}<p>as <script>document.write(innerWidth + ' ' + devicePixelRatio + ' ' + matchMedia('(pointer: coarse)').matches)</script></p>`,
    '/tall': `${BODY}<div style="height:3000px"></div>`,
  });
  capture = await startTestCapture({ maxPageHeightPixels: 20_000 });
});

afterAll(async () => {
  await capture.close();
  await site.close();
});

/** Takes a picture in the usual window, unless the options name another. */
const pictureOf = async (path: string, options: object) => {
  const request = captureScreenshotRequest.parse({ url: site.url(path), ...options });
  const { body, pageHeight } = await capture.screenshot(request, never());
  return Object.assign(decodePng(body), { pageHeight });
};
const IPHONE = { device: 'iPhone 15' };

test('without a device or a size, the window is 1920 × 1080', async () => {
  const { width, height } = await pictureOf('/tall', {});
  expect([width, height]).toEqual([1_920, 1_080]);
});

test.each<[string, string]>([
  ['window size', 'innerWidth === 393 && innerHeight === 659'],
  ['pixel ratio', 'devicePixelRatio === 3'],
  ['touch screen', `matchMedia('(pointer: coarse)').matches && 'ontouchstart' in window`],
  ['user agent', `navigator.userAgent.includes('iPhone')`],
])('scripts of a page see the %s of the requested device', async (_what, expression) => {
  const path = `/told?${encodeURIComponent(expression)}`;
  expect((await pictureOf(path, {})).at(50, 50)).toEqual(RED);
  expect((await pictureOf(path, IPHONE)).at(50, 50)).toEqual(GREEN);
});

test('servers receive the user agent of a device, or the one that overrides it', async () => {
  expect((await pictureOf('/agent', IPHONE)).at(50, 50)).toEqual(GREEN);
  expect((await pictureOf('/agent', { ...IPHONE, userAgent: 'Example/1.0' })).at(50, 50)).toEqual(RED);
});

test('a picture has the size in pixels of its device, or of the values that override it', async () => {
  const sizeOf = async (options: object) => {
    const { width, height } = await pictureOf('/told', options);
    return [width, height];
  };
  expect(await sizeOf(IPHONE)).toEqual([1_179, 1_977]);
  expect(await sizeOf({ ...IPHONE, width: 300, height: 200, scaleFactor: 1 })).toEqual([300, 200]);
  expect(await sizeOf({ device: 'iPhone 15 landscape', scaleFactor: 1 })).toEqual([734, 343]);
  expect(await sizeOf({ width: 100, height: 60, scaleFactor: 2.5 })).toEqual([250, 150]);
});

test('scaleFactor also applies to pictures of elements, clips, parts and full pages', async () => {
  const options = { width: 1_000, height: 800, scaleFactor: 2 };
  const box = await pictureOf('/desktop', { ...options, selector: '#box' });
  expect([box.width, box.height, box.at(79, 79)]).toEqual([80, 80, GREEN]);
  const clip = await pictureOf('/desktop', { ...options, clip: { x: 20, y: 2_960, width: 40, height: 10 } });
  expect([clip.width, clip.height, clip.at(39, 19), clip.at(41, 19)]).toEqual([80, 20, GREEN, RED]);
  const part = await pictureOf('/desktop', { ...options, part: 4 });
  expect([part.width, part.height, part.at(0, 1_080)]).toEqual([2_000, 1_160, GREEN]);
  const whole = await pictureOf('/desktop', { ...options, fullPage: true });
  expect([whole.width, whole.height, whole.pageHeight]).toEqual([2_000, 5_960, 2_980]);
  expect([whole.at(10, 5_870), whole.at(10, 5_950), whole.at(1_980, 10)]).toEqual([WHITE, GREEN, RED]);
});

test('shows a page that was not made for phones in its full width, as phones do', async () => {
  const { width, height, at } = await pictureOf('/desktop', IPHONE);
  expect([width, height, at(1_178, 10)]).toEqual([1_179, 1_977, WHITE]);
  const whole = await pictureOf('/desktop', { ...IPHONE, fullPage: true });
  expect([whole.width, whole.pageHeight, whole.at(1_178, 10)]).toEqual([1_179, 2_980, WHITE]);
  expect(whole.height).toBe(Math.round((2_980 * 1_179) / 980));
  expect(whole.at(10, whole.height - 10)).toEqual(GREEN);
});

test.each(['/lazy', '/lazy-desktop'])('loads lazy content of the page %s on a device', async (path) => {
  const { at, width } = await pictureOf(path, { ...IPHONE, selector: '#box' });
  expect(at(width - 4, 4)).toEqual(GREEN);
});

test('texts and PDFs also use the device', async () => {
  const { content } = await read(capture, site.url('/words'), { device: 'Pixel 7', format: 'text' });
  expect(content).toContain('as 412 2.625 true');
  const usual = await read(capture, site.url('/words'), { format: 'text' });
  expect(usual.content).toContain('as 1920 1 false');
  const { body } = await print(capture, site.url('/words'), { device: 'Pixel 7' });
  expect(await textOf(body)).toContain('as 412 2.625 true');
});

test.each<[string, Record<string, unknown>, RegExp]>([
  [
    'a window',
    { width: 4_000, height: 100, scaleFactor: 2 },
    /^A window of 4000 × 100 has more than 7680 pixels on a side at a scale of 2\. Make "scaleFactor"/u,
  ],
  [
    'a full page',
    { fullPage: true, scaleFactor: 3, css: 'div{height:7000px!important}' },
    /^The page is 7000 pixels tall, more than the 6666 that a picture may have at its scale\. Cut it/u,
  ],
  [
    'a clip',
    { scaleFactor: 3, clip: { x: 0, y: 0, width: 3_000, height: 10 } },
    /^The picture has 9000 × 30 pixels, more than the 7680 × 20000 that it may have\. Make "scaleFactor" smaller/u,
  ],
  [
    'an element',
    { scaleFactor: 3, selector: 'div', css: 'div{width:3000px}' },
    /has 3000 × 3000 pixels, more than the 2560 × 6666 that a picture may have at its scale/u,
  ],
  [
    'a WebP',
    { scaleFactor: 2, format: 'webp', fullPage: true, css: 'div{height:9000px!important}' },
    /^The picture is 18000 pixels tall, more than the 16383 that a WebP can have/u,
  ],
])('rejects %s with more pixels than allowed, and says what to change', async (_what, options, words) => {
  expect(await outcome(shoot(capture, site.url('/tall'), options))).toEqual({
    kind: 'invalidRequest',
    message: expect.stringMatching(words),
  });
});
