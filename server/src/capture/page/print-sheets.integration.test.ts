import { getDocumentProxy } from 'unpdf';
import type { CaptureService, Pdf } from '../capture-service.js';
import { outcome, print } from '../../../../test/fixtures/capture/outcome.js';
import {
  type Handler,
  startPageServer,
  type PageServer,
} from '../../../../test/fixtures/capture/page-server.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

const POINTS_PER_PIXEL = 0.75;
const row = '<p style="height:100px;margin:0">row</p>';
const page = (body: string, style = '') =>
  `<!doctype html><title>Rows</title><style>body{margin:0}${style}</style>${body}<p id="end" style="margin:0">end</p>`;

const marginsAsStyles: Handler = (_request, response) => {
  response.setHeader('content-type', 'text/css');
  response.end('@page{margin:0}');
};

/** A site whose style sheets the pages may not read. */
let other: PageServer;
let site: PageServer;
let capture: CaptureService;

beforeAll(async () => {
  other = await startPageServer({ '/margins.css': marginsAsStyles });
  site = await startPageServer({
    '/rows': page(row.repeat(60)),
    '/screens': page(
      `<section>first</section><section>second</section>${row}`,
      'section{min-height:100vh}section+section{min-height:0;height:50vh}',
    ),
    '/breaks': page(`<div style="break-after:page">one</div>two`),
    '/strict': (_request, response) => {
      response.setHeader('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'");
      response.setHeader('content-type', 'text/html');
      response.end(page(row));
    },
    '/own-margins': page(row.repeat(20), '@media print{@page{margin:0;margin-bottom:1px}}'),
    '/own-room': page(row.repeat(20), '@page{margin:150px}'),
    '/own-margins.css': marginsAsStyles,
    '/imported-margins': page(row.repeat(20), '@import "/own-margins.css";'),
    '/hidden-margins': page(`<link rel="stylesheet" href="${other.url('/margins.css')}">${row.repeat(20)}`),
    '/hidden-and-readable-margins': page(
      `<style>@page{margin-left:1cm}@page:first{margin-top:2px}</style><link rel="stylesheet" href="${other.url('/margins.css')}">${row.repeat(20)}`,
    ),
    '/hidden-and-readable-left': page(
      `<style>@page{margin-left:1cm}@media (width < 1px){@page{margin-top:1px}}</style><link rel="stylesheet" href="${other.url('/margins.css')}">${row.repeat(20)}`,
    ),
    '/hidden-margins-and-room': page(
      `<style>@page{margin:150px}</style><link rel="stylesheet" media="(width < 1px)" href="${other.url('/margins.css')}">${row.repeat(20)}`,
    ),
    '/too-tall': page('<div style="height:20000px"></div>'),
  });
  capture = await startTestCapture();
});

afterAll(async () => {
  await capture.close();
  await site.close();
  await other.close();
});

/**
 * The page count of a PDF, the size of its first sheet (the width in points, the height in pixels), and the words on
 * that sheet, each with the distance in pixels from the top of the sheet to the word's baseline.
 */
async function read({ body, pageCount }: Pdf) {
  const document = await getDocumentProxy(new Uint8Array(body));
  const sheet = await document.getPage(1);
  const [, , width = 0, height = 0] = sheet.view;
  const { items } = await sheet.getTextContent();
  const words = items.flatMap((item) =>
    'str' in item && item.str.trim() !== ''
      ? [{ text: item.str, y: (height - Number(item.transform[5])) / POINTS_PER_PIXEL }]
      : [],
  );
  const yOf = (text: string) => words.find((word) => word.text === text)?.y ?? NaN;
  return { pageCount, width, height: height / POINTS_PER_PIXEL, words, yOf };
}

const printed = async (path: string, more: Record<string, unknown>) =>
  read(await print(capture, site.url(path), more));

test('singlePage prints a page on one sheet as tall as the page, also in landscape and scaled', async () => {
  const plain = await printed('/rows', { singlePage: true });
  const turned = await printed('/rows', { singlePage: true, landscape: true });
  const scaled = await printed('/rows', {
    singlePage: true,
    scale: 0.5,
    marginTop: '96px',
    marginBottom: '96px',
  });

  expect([plain.pageCount, turned.pageCount, scaled.pageCount]).toEqual([1, 1, 1]);
  expect(plain.words).toHaveLength(61);
  for (const { height, yOf } of [plain, turned]) {
    expect(yOf('end')).toBeGreaterThan(6_000);
    expect(height - yOf('end')).toBeLessThan(20);
  }
  expect(plain.height).toBeGreaterThan(6_000);
  expect(turned.width).toBeGreaterThan(plain.width);
  expect(scaled.yOf('end')).toBeGreaterThan(3_096);
  expect(scaled.height).toBeGreaterThan(3_192);
  expect(scaled.height).toBeLessThan(3_192 + 20);
});

test('an element that is as tall as the window does not grow with the sheet', async () => {
  const { pageCount, height, yOf } = await printed('/screens', { singlePage: true });

  expect(pageCount).toBe(1);
  expect(yOf('second')).toBeLessThan(1_100);
  expect(height).toBeLessThan(1_024 * 1.5 + 100 + 100);
});

test('rejects a page that does not fit on one sheet, with a solution', async () => {
  const tall = await outcome(print(capture, site.url('/too-tall'), { singlePage: true }));
  const broken = await outcome(print(capture, site.url('/breaks'), { singlePage: true }));

  expect(tall.kind).toBe('invalidRequest');
  expect(tall.message).toMatch(
    /^The page needs a sheet of 5\d\d\d mm, more than the 5080 mm .* "scale" smaller/u,
  );
  expect(broken.message).toMatch(/does not fit on one sheet.*Leave "singlePage" out/u);
  expect((await printed('/too-tall', { singlePage: true, scale: 0.9 })).pageCount).toBe(1);
});

const tall = (pixels: number) =>
  `<div style="font-size:12px;height:${pixels}px" onclick="x"><span class="title"></span>, <b class="pageNumber"></b> of <b class="totalPages"></b></div>`;

test('prints given headers and footers, which cover no content, also on a page with a strict content policy', async () => {
  for (const path of ['/rows', '/strict']) {
    const { words, height, yOf } = await printed(path, {
      headerHtml: tall(200),
      footerHtml: '<i style="font-size:9px">foot</i>',
    });
    const text = words.map((word) => word.text).join('');
    expect(text).toMatch(/Rows,1of\d/u);
    expect(yOf('foot')).toBeGreaterThan(height - 38);
    expect(yOf('row')).toBeGreaterThan(220);
    expect(yOf('row')).toBeLessThan(260);
    expect(words.filter((word) => word.text === 'row').every(({ y }) => y < height - 37)).toBe(true);
  }
});

test.each(['/own-margins', '/imported-margins', '/hidden-margins', '/hidden-and-readable-margins'])(
  "header and footer cover no content, whatever the page's own margins are: the page %s",
  async (path) => {
    const { words, height, yOf } = await printed(path, { displayHeaderFooter: true });
    expect(yOf('row')).toBeGreaterThan(38);
    expect(words.filter((word) => word.text === 'row').every(({ y }) => y < height - 38)).toBe(true);
    expect((await printed(path, {})).yOf('row')).toBeLessThan(38);
  },
);

test.each(['/hidden-margins', '/hidden-and-readable-left'])(
  'requested margins hold with a header although a style sheet cannot be read: the page %s',
  async (path) => {
    const { yOf } = await printed(path, { displayHeaderFooter: true, marginTop: '400px' });
    expect(yOf('row')).toBeGreaterThan(400);
  },
);

test.each(['/own-room', '/hidden-margins-and-room'])(
  'does not change page margins that are large enough for header and footer: the page %s',
  async (path) => {
    const withHeader = await printed(path, { displayHeaderFooter: true });
    const without = await printed(path, {});

    expect(withHeader.yOf('row')).toBeGreaterThan(150);
    expect(withHeader.yOf('row')).toBe(without.yOf('row'));
  },
);

test('prints a given footer without a header, or with the default header if that is turned on', async () => {
  const footerHtml = '<i style="font-size:9px">foot</i>';
  const alone = await printed('/strict', { footerHtml });
  const both = await printed('/strict', { footerHtml, displayHeaderFooter: true });

  expect(alone.words.map(({ text }) => text)).toEqual(['row', 'end', 'foot']);
  expect(both.words.map(({ text }) => text)).toEqual(expect.arrayContaining(['Rows', 'foot']));
});

test('a header with a tall picture covers no content, whatever margin is given', async () => {
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' width='10' height='150'/>`;
  const headerHtml = `<img src="data:image/svg+xml,${encodeURIComponent(svg)}">`;

  for (const marginTop of ['0px', undefined])
    expect((await printed('/rows', { headerHtml, marginTop })).yOf('row')).toBeGreaterThan(170);
  expect((await printed('/rows', { headerHtml, marginTop: '400px' })).yOf('row')).toBeGreaterThan(400);
});

test('rejects a header that takes up the whole paper', async () => {
  const { message } = await outcome(print(capture, site.url('/rows'), { headerHtml: tall(1_200) }));

  expect(message).toMatch(/^The margins, which hold header and footer, leave no room on the paper/u);
});
