import { LIMITS, PAGE_SIZES } from '@signpost/contract';
import { extractText, getDocumentProxy } from 'unpdf';
import { z } from 'zod';
import type { CaptureService, Pdf } from '../capture-service.js';
import { outcome, print } from '../../../../test/fixtures/capture/outcome.js';
import { startPageServer, type PageServer } from '../../../../test/fixtures/capture/page-server.js';
import { fillsOf } from '../../../../test/fixtures/capture/pdf-contents.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

/** Width and height in millimetres, in portrait. "Ledger" is wider than tall. */
const SIZES_MM: Readonly<Record<(typeof PAGE_SIZES)[number], readonly [number, number]>> = {
  A0: [841, 1189],
  A1: [594, 841],
  A2: [420, 594],
  A3: [297, 420],
  A4: [210, 297],
  A5: [148, 210],
  A6: [105, 148],
  Letter: [215.9, 279.4],
  Legal: [215.9, 355.6],
  Tabloid: [279.4, 431.8],
  Ledger: [431.8, 279.4],
};
const POINTS_PER_MM = 72 / 25.4;
const COLOUR = [200, 10, 30] as const;
/** The browser rounds the size of paper to whole pixels of 1/96 inch. */
const MAX_ERROR_POINTS = 1.6;

let site: PageServer;
let capture: CaptureService;

beforeAll(async () => {
  const sheet = '<div style="break-after:page">sheet</div>';
  site = await startPageServer({
    '/one': '<!doctype html><title>A &lt;b&gt; title</title><style>body{margin:0}</style><p id="p">words</p>',
    '/sheets': `<!doctype html><title>Sheets</title>${sheet.repeat(4)}<div>last</div>`,
    '/coloured': '<!doctype html><body style="background:rgb(200,10,30)">words',
    '/headings': '<!doctype html><html lang="en"><title>x</title><h1>First</h1><p>words</p><h2>Second</h2>',
    '/own-size': '<!doctype html><style>@page { size: 50mm 100mm }</style>words',
    '/on-sight': `<!doctype html><title>x</title>${'<div style="height:1500px"></div><p>-</p>'.repeat(4)}<script>
      const seen = new IntersectionObserver((entries) => {
        for (const { target, isIntersecting } of entries) if (isIntersecting) target.textContent = 'Now seen.';
      });
      document.querySelectorAll('p').forEach((element) => seen.observe(element));
    </script>`,
    '/lazy': `<!doctype html><title>x</title>${'<div style="height:9000px"></div><img loading="lazy" src="/red.svg">'.repeat(3)}`,
    '/red.svg': (_request, response) => {
      response.setHeader('content-type', 'image/svg+xml');
      response.end(
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="rgb(200,10,30)"/></svg>',
      );
    },
    '/long': `<!doctype html><title>x</title>${'<p style="height:100px;margin:0">row</p>'.repeat(60)}`,
  });
  capture = await startTestCapture();
});

afterAll(async () => {
  await capture.close();
  await site.close();
});

const read = async ({ body }: Pdf) => {
  const document = await getDocumentProxy(new Uint8Array(body));
  const first = await document.getPage(1);
  const [, , width = 0, height = 0] = first.view;
  const { items } = await first.getTextContent();
  const words = items.flatMap((item) => ('str' in item && item.str.trim() !== '' ? [item] : []));
  const { text } = await extractText(document, { mergePages: false });
  return { width, height, pages: text, words };
};

const isAbout = (points: number, mm: number) => Math.abs(points - mm * POINTS_PER_MM) <= MAX_ERROR_POINTS;

test('a PDF shows lazy content', async () => {
  const { pages } = await read(await print(capture, site.url('/on-sight')));

  expect(pages.join(' ').match(/Now seen\./gu)).toHaveLength(4);
  expect(await fillsOf((await print(capture, site.url('/lazy'))).body, COLOUR)).toBe(3);
});

test('the header does not overlap the text of a page without margins', async () => {
  const request = { displayHeaderFooter: true, marginTop: '0px', marginBottom: '0px' };
  const { words } = await read(await print(capture, site.url('/one'), request));
  const topOf = (text: string) =>
    words.filter(({ str }) => str.includes(text)).map(({ transform }) => Number(transform[5]));
  const [header = NaN] = topOf('title');
  const [first = NaN] = topOf('words');

  expect(header - first).toBeGreaterThan(8);
});

test.each(PAGE_SIZES)(
  'paper of the format %s has the right size in portrait and landscape',
  async (format) => {
    const [widthMm, heightMm] = SIZES_MM[format];
    const upright = await read(await print(capture, site.url('/one'), { format }));
    const turned = await read(await print(capture, site.url('/one'), { format, landscape: true }));

    const measured = {
      format,
      upright: [upright.width, upright.height],
      turned: [turned.width, turned.height],
    };
    const isRight =
      isAbout(upright.width, widthMm) &&
      isAbout(upright.height, heightMm) &&
      isAbout(turned.width, heightMm) &&
      isAbout(turned.height, widthMm);
    expect({ ...measured, isRight }).toEqual({ ...measured, isRight: true });
  },
);

test('returns the number of sheets of the PDF', async () => {
  const pdf = await print(capture, site.url('/sheets'));
  const { pages } = await read(pdf);

  expect(pdf).toMatchObject({ pageCount: 5, pageStatus: 200 });
  expect(pages).toHaveLength(5);
  expect(pdf.durationMs).toBeGreaterThan(0);
});

test('header and footer show the title as text, and the page numbers', async () => {
  const { pages, words, height } = await read(
    await print(capture, site.url('/one'), { displayHeaderFooter: true }),
  );

  expect(pages[0]).toContain('A <b> title');
  expect(pages[0]).toMatch(/1 \/ 1/u);
  const title = words.find(({ str }) => str.includes('title'));
  const number = words.find(({ str }) => str.includes('/'));
  expect(title?.transform[5]).toBeGreaterThan(height - 28.4);
  expect(number?.transform[5]).toBeLessThan(28.4);
  const content = words.find(({ str }) => str === 'words');
  expect(content?.transform[5]).toBeLessThan(height - 28.3);
});

test('without displayHeaderFooter, there is no header or footer, and the page starts at the edge', async () => {
  const { pages, words, width } = await read(await print(capture, site.url('/one')));

  expect(pages[0]?.trim()).toBe('words');
  expect(words[0]?.transform[4]).toBeLessThan(1);
  expect(width).toBeGreaterThan(0);
});

test.each([
  ['2cm', 56.7],
  ['20mm', 56.7],
  ['1in', 72],
  ['96px', 72],
  ['0.5in', 36],
  ['0px', 0],
])('a left margin of %s is %d points', async (marginLeft, points) => {
  const { words } = await read(await print(capture, site.url('/one'), { marginLeft }));

  expect(Math.abs((words[0]?.transform[4] ?? -1) - points)).toBeLessThan(1);
});

test('top and bottom margins reduce the space for the page', async () => {
  const without = await print(capture, site.url('/long'));
  const margins = { marginTop: '6cm', marginBottom: '6cm', marginRight: '1cm' };

  expect((await print(capture, site.url('/long'), margins)).pageCount).toBeGreaterThan(without.pageCount);
});

test('rejects margins that leave no space, with a message', async () => {
  const { kind, message } = await outcome(
    print(capture, site.url('/one'), { marginLeft: '15cm', marginRight: '15cm' }),
  );

  expect(kind).toBe('invalidRequest');
  expect(message).toMatch(/margin/iu);
});

test('a larger scale makes more sheets: tested with the minimum scale, 1 and the maximum', async () => {
  const counts = [];
  for (const scale of [LIMITS.pdfScale.min, 1, LIMITS.pdfScale.max]) {
    counts.push((await print(capture, site.url('/long'), { scale })).pageCount);
  }

  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  expect(new Set(counts).size).toBe(3);
});

test('prints backgrounds unless that is turned off', async () => {
  const withBackground = await print(capture, site.url('/coloured'));
  const without = await print(capture, site.url('/coloured'), { printBackground: false });

  expect(await fillsOf(withBackground.body, COLOUR)).toBeGreaterThan(0);
  expect(await fillsOf(without.body, COLOUR)).toBe(0);
});

test.each<[string, readonly string[]]>([
  ['2', ['sheet']],
  [' 1 - 2, 5', ['sheet', 'sheet', 'last']],
  ['4-9', ['sheet', 'last']],
])('prints only the pages in the ranges "%s"', async (pageRanges, texts) => {
  const pdf = await print(capture, site.url('/sheets'), { pageRanges });

  expect(pdf.pageCount).toBe(texts.length);
  expect((await read(pdf)).pages.map((text) => text.trim())).toEqual(texts);
});

test.each(['9', '7-9', '3-1'])('rejects the ranges "%s" for a PDF of five pages', async (pageRanges) => {
  expect(await outcome(print(capture, site.url('/sheets'), { pageRanges }))).toEqual({
    kind: 'invalidRequest',
    message: `"pageRanges" asks for pages that the PDF does not have, or not in order: "${pageRanges}". Leave it out for all of them.`,
  });
});

test('paperWidth and paperHeight override the format, in landscape too', async () => {
  const paper = { paperWidth: '100mm', paperHeight: '2in' };
  const upright = await read(await print(capture, site.url('/one'), paper));
  const turned = await read(await print(capture, site.url('/one'), { ...paper, landscape: true }));
  const widthAlone = await read(await print(capture, site.url('/one'), { paperWidth: '100mm' }));

  expect([isAbout(upright.width, 100), isAbout(upright.height, 50.8)]).toEqual([true, true]);
  expect([isAbout(turned.width, 50.8), isAbout(turned.height, 100)]).toEqual([true, true]);
  expect([isAbout(widthAlone.width, 100), isAbout(widthAlone.height, 297)]).toEqual([true, true]);
});

test("uses the page's own paper size only if the request prefers it", async () => {
  const own = await read(await print(capture, site.url('/own-size'), { preferCssPageSize: true }));
  const asked = await read(await print(capture, site.url('/own-size')));

  expect([isAbout(own.width, 50), isAbout(own.height, 100)]).toEqual([true, true]);
  expect([isAbout(asked.width, 210), isAbout(asked.height, 297)]).toEqual([true, true]);
});

const titled = { title: z.string() };
const outline = z.array(z.object({ ...titled, items: z.array(z.object(titled)) })).nullable();

/** The titles in a PDF's outline, and whether the PDF is tagged. */
async function structureOf({ body }: Pdf) {
  const document = await getDocumentProxy(new Uint8Array(body));
  const found = outline.parse(await document.getOutline());
  return {
    isTagged: (await document.getMarkInfo())?.Marked === true,
    titles: (found ?? []).flatMap(({ title, items }) => [title, ...items.map((item) => item.title)]),
  };
}

test('a PDF has tags and an outline of its headings; with outline false it has no outline, and with tagged false neither', async () => {
  const headings = site.url('/headings');

  expect(await structureOf(await print(capture, headings))).toEqual({
    isTagged: true,
    titles: ['First', 'Second'],
  });
  expect(await structureOf(await print(capture, headings, { outline: false }))).toEqual({
    isTagged: true,
    titles: [],
  });
  for (const more of [{}, { outline: true }, { outline: false }])
    expect(await structureOf(await print(capture, headings, { tagged: false, ...more }))).toEqual({
      isTagged: false,
      titles: [],
    });
});
