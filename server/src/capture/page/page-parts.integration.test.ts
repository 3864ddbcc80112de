import type { CaptureService } from '../capture-service.js';
import { decodePng, type Picture } from '../../../../test/fixtures/capture/decode-png.js';
import { outcome, shoot } from '../../../../test/fixtures/capture/outcome.js';
import { startPageServer, type PageServer } from '../../../../test/fixtures/capture/page-server.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

const BAND_PIXELS = 50;
const BANDS = 27;
/** A window whose height is not a multiple of the bands' height, so that parts begin inside of bands. */
const WINDOW = { width: 100, height: 420 };
const MAX_PAGE_HEIGHT = 1_000;

const colour = (index: number) => [(index * 53) % 256, (index * 97) % 256, (index * 151) % 256];
const band = (_: unknown, index: number) =>
  `<div style="height:${BAND_PIXELS}px;background:rgb(${colour(index).join()})"></div>`;
const page = (body: string, style = '') => `<!doctype html><style>body{margin:0}${style}</style>${body}`;

const HEADER = 'header{position:fixed;top:0;left:50px;right:0;height:10px;background:green}';

let site: PageServer;
let capture: CaptureService;

beforeAll(async () => {
  site = await startPageServer({
    '/bands': page(`<header></header>${Array.from({ length: BANDS }, band).join('')}`, HEADER),
    '/grows': page(
      `<div id="all" style="height:900px"></div><script>
        new IntersectionObserver(([entry]) => {
          if (entry.isIntersecting) all.style.cssText = 'height:1250px;background:green';
        }).observe(all.appendChild(Object.assign(document.createElement('i'), { style: 'position:absolute;top:890px;width:1px;height:1px' })));
      </script>`,
    ),
    '/short': page('<p>words'),
    '/appears-far-down': page(
      `<div style="height:3000px"></div><b></b><script>
        const b = document.querySelector('b');
        new IntersectionObserver(([entry]) => {
          if (entry.isIntersecting) b.style.background = 'green';
        }).observe(b);
      </script>`,
      'b{display:block;height:360px}',
    ),
  });
  capture = await startTestCapture({ maxPageHeightPixels: MAX_PAGE_HEIGHT });
});

afterAll(async () => {
  await capture.close();
  await site.close();
});

const shown = async (path: string, more: Record<string, unknown>) => {
  const { body, pageHeight, pageParts } = await shoot(capture, site.url(path), { ...WINDOW, ...more });
  return { picture: decodePng(body), pageHeight, pageParts };
};

const columns = ({ height, at }: Picture) => Array.from({ length: height }, (_, y) => at(20, y));
const bandsFrom = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, y) => colour(Math.floor((from + y) / BAND_PIXELS)));

test('the parts of a page join to the whole page, with its fixed header once', async () => {
  const whole = BANDS * BAND_PIXELS;
  const parts = [];
  for (const part of [1, 2, 3, 4]) parts.push(await shown('/bands', { part }));

  expect(parts.map(({ pageHeight, pageParts }) => [pageHeight, pageParts])).toEqual(
    Array(4).fill([whole, 4]),
  );
  expect(parts.map(({ picture }) => picture.height)).toEqual([420, 420, 420, whole - 3 * 420]);
  expect(parts.flatMap(({ picture }) => columns(picture))).toEqual(bandsFrom(0, whole));
  expect(parts.map(({ picture }) => picture.at(80, 5).join() === '0,128,0')).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test('rejects a part after the last one, with the number of parts', async () => {
  const asked = shoot(capture, site.url('/bands'), { ...WINDOW, part: 5, fullPage: true });

  expect(await outcome(asked)).toEqual({
    kind: 'invalidRequest',
    message: '"part" must be at most 4, but is 5: the page is 1350 pixels tall, and each part 420.',
  });
});

test('captures a part of the page that exists only once lazy content has appeared', async () => {
  const { picture, pageParts } = await shown('/grows', { part: 3 });

  expect([pageParts, picture.height, picture.at(50, 300)]).toEqual([3, 410, [0, 128, 0]]);
});

test('a page that is shorter than the window has one part', async () => {
  const { picture, pageHeight, pageParts } = await shown('/short', { part: 1 });

  expect([picture.height, pageHeight, pageParts]).toEqual([420, 420, 1]);
});

test('cuts a full page at the requested maximum height, and returns its full height', async () => {
  const { picture, pageHeight, pageParts } = await shown('/bands', { fullPage: true, maxHeight: 610 });

  expect([picture.height, pageHeight, pageParts]).toEqual([610, BANDS * BAND_PIXELS, undefined]);
  expect(columns(picture)).toEqual(bandsFrom(0, 610));
  expect((await shown('/short', { fullPage: true, maxHeight: 610 })).picture.height).toBe(420);
});

test('rejects a page that is too tall to be captured completely, with a solution', async () => {
  for (const more of [{}, { maxHeight: 1_001 }])
    expect(await outcome(shown('/bands', { fullPage: true, ...more }))).toEqual({
      kind: 'invalidRequest',
      message:
        'The page is 1350 pixels tall, more than the 1000 that a picture may have. Cut it with "maxHeight", ask for it in parts with "part", or leave fullPage out.',
    });
});

test('a part further down than the maximum height of a picture shows what a script shows once it is in view', async () => {
  const { picture, pageParts } = await shown('/appears-far-down', { part: 8 });

  expect(pageParts).toBe(8);
  expect(picture.at(20, 100)).toEqual([0, 128, 0]);
});
