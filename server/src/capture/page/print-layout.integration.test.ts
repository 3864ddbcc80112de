import { extractText, getDocumentProxy } from 'unpdf';
import type { CaptureService } from '../capture-service.js';
import { print } from '../../../../test/fixtures/capture/outcome.js';
import { startPageServer, type PageServer } from '../../../../test/fixtures/capture/page-server.js';
import { textOf } from '../../../../test/fixtures/capture/pdf-contents.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

const page = (body: string, style = '') =>
  `<!doctype html><meta name="viewport" content="width=device-width"><title>x</title><style>body{margin:0}${style}</style>${body}`;
const sheets = (count: number) => '<p style="break-after:page">sheet</p>'.repeat(count);
const BARS = '<header>BAR</header><footer>FOOT</footer>';
const FIXED = 'header,footer{position:fixed;top:0;left:0}footer{top:auto;bottom:0}';

/** Paths of pages, each with the page's rules for its sheets and the width in pixels that they leave. */
const OWN_SHEETS: Readonly<Record<string, readonly [string, number]>> = {
  '/own-a5': ['@page{size:A5}', 559],
  '/own-landscape': ['@page{size:landscape;margin:1in}', 931],
  '/own-letter-on-its-side': ['@page{size:letter landscape}', 1056],
  '/own-lengths': ['@page{size:10in 5in;margin-left:1in}@page :first{margin-left:3in}', 864],
};

let site: PageServer;
let capture: CaptureService;

beforeAll(async () => {
  site = await startPageServer({
    '/width': page('<p id="p"></p><script>p.textContent = "wide " + innerWidth</script>'),
    '/drawn': page(
      '<svg id="s" height="50"><text y="40" font-size="30" text-anchor="end">EDGE</text></svg><script>s.setAttribute("width", innerWidth);s.firstChild.setAttribute("x", innerWidth)</script>',
    ),
    '/fixed': page(`${BARS}${sheets(3)}`, FIXED),
    '/fixed-in-positioned': page(
      `<main style="position:relative;margin-top:200px">${BARS}${sheets(3)}</main>`,
      FIXED,
    ),
    '/fixed-on-paper': page(`${BARS}${sheets(3)}`, `@media print{${FIXED}}`),
    '/fixed-in-shadow': page(
      `<x-bar><template shadowrootmode="open"><style>${FIXED}</style>${BARS}</template></x-bar>${sheets(3)}`,
    ),
    '/sheets': page(sheets(4) + 'last'),
    '/own-margins': page('words', '@page{margin:3cm 2cm}'),
    '/own-margins-for-screens': page('words', '@media screen{@page{margin:3cm}}'),
    '/own-size': page('words', '@page{size:A5}'),
    ...Object.fromEntries(
      Object.entries(OWN_SHEETS).map(([path, [style]]) => [
        path,
        page(
          '<p id="p"></p><script>onresize = () => { p.textContent = "wide " + innerWidth }; onresize()</script>',
          style,
        ),
      ]),
    ),
  });
  capture = await startTestCapture();
});

afterAll(async () => {
  await capture.close();
  await site.close();
});

const pagesOf = async (path: string, more: object = {}) => {
  const { body } = await print(capture, site.url(path), { ...more });
  const { text } = await extractText(new Uint8Array(body), { mergePages: false });
  return text;
};

test.each<[string, object, number]>([
  ['an A4', {}, 794],
  ['an A4 in landscape', { landscape: true }, 1123],
  ['a Letter', { format: 'Letter' }, 816],
  ['an A4 with margins', { marginLeft: '1in', marginRight: '96px' }, 602],
  ['an A4 at half its size', { scale: 0.5 }, 1587],
  ['paper of its own width', { paperWidth: '5in' }, 480],
  ['one sheet', { singlePage: true }, 794],
  ['paper wider than a window can be', { format: 'A0', landscape: true, scale: 0.1, scaleFactor: 2 }, 3840],
  ['a device', { device: 'iPad Mini' }, 768],
  ['a width', { width: 1200, scale: 0.5 }, 1200],
  ['a width and a device', { width: 500, device: 'iPad Mini' }, 500],
])(
  'a page for %s is laid out as wide as it is printed, or as the requested width or device',
  async (_what, more, width) => {
    expect((await pagesOf('/width', more)).join('')).toContain(`wide ${width}`);
  },
);

test.each(Object.entries(OWN_SHEETS))(
  'sheets with a size of the page itself are laid out as wide as they are printed: the page %s',
  async (path, [, width]) => {
    expect((await pagesOf(path)).join('')).toContain(`wide ${width}`);
  },
);

test('the right edge of a drawing as wide as the window is at the right edge of the paper', async () => {
  const { body } = await print(capture, site.url('/drawn'));
  const document = await getDocumentProxy(new Uint8Array(body));
  const { items } = await (await document.getPage(1)).getTextContent();
  const [edge] = items.flatMap((item) => ('str' in item && item.str === 'EDGE' ? [item] : []));
  const right = Number(edge?.transform[4]) + (edge?.width ?? NaN);
  expect(Math.abs(right - 595)).toBeLessThan(2);
});

test.each(['/fixed', '/fixed-in-positioned', '/fixed-on-paper', '/fixed-in-shadow'])(
  'fixed elements of the page %s are on each sheet, or only on the first if that is requested',
  async (path) => {
    const barsOf = (texts: readonly string[]) =>
      texts.map((text) => text.match(/BAR|FOOT/gu)?.toSorted() ?? []);
    const both = ['BAR', 'FOOT'];
    expect(barsOf(await pagesOf(path)).slice(0, 3)).toEqual([both, both, both]);
    expect(barsOf(await pagesOf(path, { fixedElements: 'repeat' })).slice(0, 3)).toEqual([both, both, both]);
    expect(barsOf(await pagesOf(path, { fixedElements: 'first' })).slice(0, 3)).toEqual([both, [], []]);
    expect(
      (
        await pagesOf(path, {
          fixedElements: 'first',
          singlePage: true,
          css: 'p{break-after:auto!important}',
        })
      ).join(''),
    ).toMatch(/BAR/u);
  },
);

test.each<[string, number]>([
  ['2-', 4],
  ['-2', 2],
  ['1, 4-', 3],
])('the open range "%s" prints %d of five pages', async (pageRanges, count) => {
  expect((await print(capture, site.url('/sheets'), { pageRanges })).pageCount).toBe(count);
});

test('the text of a header has a size of 10 pixels by default, and that of a footer the size that its own styles set', async () => {
  const more = {
    headerHtml: '<p>plain</p>',
    footerHtml: '<p style="font-size:20px">large</p>',
  };
  const { body } = await print(capture, site.url('/sheets'), more);
  const document = await getDocumentProxy(new Uint8Array(body));
  const { items } = await (await document.getPage(1)).getTextContent();
  const heights = items.flatMap((item) =>
    'str' in item && /plain|large/u.test(item.str) ? [item.height] : [],
  );
  expect(heights.map((height) => Math.round(height * 10) / 10)).toEqual([7.5, 15]);
  expect(await textOf(body)).toContain('last');
});

test.each<[string, object, readonly string[]]>([
  ['/own-margins', { marginTop: '1cm', marginLeft: '1cm' }, ['marginTop', 'marginLeft']],
  ['/own-margins', { marginTop: '3cm', marginRight: '0' }, ['marginRight']],
  ['/own-margins', { marginTop: '1cm', displayHeaderFooter: true }, ['marginTop']],
  ['/own-margins', {}, []],
  ['/own-margins-for-screens', { marginTop: '1cm' }, []],
  ['/own-size', { marginTop: '1cm' }, []],
])('names the margins that the page %s overrides in a request with %j', async (path, more, names) => {
  expect((await print(capture, site.url(path), { ...more })).overriddenMargins).toEqual(names);
});
