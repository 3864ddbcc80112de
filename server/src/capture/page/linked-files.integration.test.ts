import { deflateSync, gzipSync } from 'node:zlib';
import type { CaptureService } from '../capture-service.js';
import { decodePng } from '../../../../test/fixtures/capture/decode-png.js';
import { outcome, print, read, shoot } from '../../../../test/fixtures/capture/outcome.js';
import {
  startPageServer,
  type Handler,
  type PageServer,
} from '../../../../test/fixtures/capture/page-server.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

const MAX_BYTES = 2_000_000;

/** A PDF with one line of text on each page. Readers find its objects although it has no table of them. */
function pdf(lines: readonly string[], more = ''): Buffer {
  const kids = lines.map((_, at) => `${at * 2 + 10} 0 R`).join(' ');
  const pages = lines.map((line, at) => {
    const content = `BT /F1 24 Tf 20 100 Td (${line}) Tj ET`;
    return `${at * 2 + 10} 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Resources<</Font<</F1 4 0 R>>>>/Contents ${at * 2 + 11} 0 R>> endobj
${at * 2 + 11} 0 obj <</Length ${content.length}>> stream\n${content}\nendstream endobj`;
  });
  return Buffer.from(`%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[${kids}]/Count ${lines.length}>> endobj
4 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica>> endobj
5 0 obj <</Title(A title)/Author(Ada)>> endobj
${pages.join('\n')}
trailer <</Root 1 0 R/Info 5 0 R${more}>>
%%EOF`);
}

const PDF = pdf(['First page', 'Second page']);
const LOCKED = pdf(
  ['Secret'],
  `/ID[<00><00>]/Encrypt <</Filter/Standard/V 1/R 2/P -4/O<${'11'.repeat(32)}>/U<${'22'.repeat(32)}>>>`,
);
/** A PDF whose page content unpacks from 1 MB to 1 GB: a compressed stream of spaces. */
function bomb(): Buffer {
  const once = deflateSync(Buffer.alloc(1_000_000_000, ' '));
  const head =
    '%PDF-1.4\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n2 0 obj <</Type/Pages/Kids[10 0 R]/Count 1>> endobj\n';
  const page = '10 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 11 0 R>> endobj\n';
  const content = `11 0 obj <</Length ${once.length}/Filter/FlateDecode>> stream\n`;
  return Buffer.concat([
    Buffer.from(head + page + content),
    once,
    Buffer.from('\nendstream endobj\ntrailer <</Root 1 0 R>>\n%%EOF'),
  ]);
}
const CSV = 'name;price\nTea;1,50\nCoffee;2,00\n';
const GREEN = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNgaGAAAAGEAIGTOXKLAAAAAElFTkSuQmCC',
  'base64',
);

const file =
  (body: Buffer | string, headers: Readonly<Record<string, string>> = {}): Handler =>
  (_request, response) =>
    void response.writeHead(200, headers).end(body);
const attachment = 'attachment; filename="a"';

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg"><script>fetch("/ran")</script><rect width="9" height="9" fill="green"/></svg>';

let site: PageServer;
let capture: CaptureService;
let ran = 0;
let credentials: (string | undefined)[];

beforeAll(async () => {
  credentials = [];
  site = await startPageServer({
    '/pdf': file(PDF, { 'content-type': 'application/pdf' }),
    '/attached.pdf': file(PDF, { 'content-type': 'application/pdf', 'content-disposition': attachment }),
    '/octets': file(PDF, { 'content-type': 'application/octet-stream' }),
    '/typeless': file(PDF),
    '/as-page': file(PDF, { 'content-type': 'text/html; charset=utf-8' }),
    '/as-text': file(PDF, { 'content-type': 'text/plain' }),
    '/about-pdf': '<title>%PDF-1.4</title><p>words',
    '/packed': file(gzipSync(PDF), { 'content-type': 'application/pdf', 'content-encoding': 'gzip' }),
    '/to-pdf': (_request, response) => void response.writeHead(302, { location: '/pdf' }).end(),
    '/script-to-pdf': '<p>words<script>onload = () => { location = "/pdf" }</script>',
    '/asks-for-key': (request, response) => {
      credentials.push(request.headers.authorization);
      response.writeHead(request.headers.authorization === undefined ? 401 : 200, {
        'content-type': 'application/pdf',
      });
      response.end(PDF);
    },
    '/gone': (_request, response) =>
      void response.writeHead(404, { 'content-type': 'application/pdf' }).end(PDF),
    '/locked': file(LOCKED, { 'content-type': 'application/pdf' }),
    '/broken': file(Buffer.from('%PDF-1.4\nnothing'), { 'content-type': 'application/pdf' }),
    '/cut': (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': PDF.length + 10 });
      response.write(PDF);
      setTimeout(() => response.destroy(), 50);
    },
    '/bomb': file(bomb(), { 'content-type': 'application/pdf' }),
    '/attached.svg': file(SVG, { 'content-type': 'image/svg+xml', 'content-disposition': attachment }),
    '/octets.svg': file(SVG, { 'content-type': 'application/octet-stream' }),
    '/empty-image': file('', { 'content-type': 'image/png' }),
    '/ran': () => void (ran += 1),
    '/filed-page': file('<p>words', {
      'content-type': 'text/html',
      'content-disposition': 'file; filename="x"',
    }),
    '/large': file(Buffer.concat([PDF, Buffer.alloc(MAX_BYTES)]), { 'content-type': 'application/pdf' }),
    '/endless': (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/pdf' });
      response.write(PDF);
    },
    '/empty': file('', { 'content-type': 'application/pdf' }),
    '/csv': file(CSV, { 'content-type': 'text/csv' }),
    '/latin.csv': file(Buffer.from('Café,1', 'latin1'), { 'content-type': 'application/octet-stream' }),
    '/json': file('{"a": "é*b*"}', { 'content-type': 'application/json' }),
    '/attached.json': file('{"a": "é*b*"}', { 'content-disposition': attachment }),
    '/text': file('# one\n  <b>two</b>', { 'content-type': 'text/plain; charset=utf-8' }),
    '/uncharted': file('café – “b”', { 'content-type': 'text/plain' }),
    '/old': file(Buffer.from('one café', 'latin1'), { 'content-type': 'text/plain' }),
    '/feed': file('<rss><item><title>Words</title></item></rss>', { 'content-type': 'application/rss+xml' }),
    '/scanned': file(pdf(['', '']), { 'content-type': 'application/pdf' }),
    '/image': file(GREEN, { 'content-type': 'image/png' }),
    '/attached-image': file(GREEN, {
      'content-type': 'application/octet-stream',
      'content-disposition': attachment,
    }),
    '/attached-page': file('<title>Page</title><p>words', {
      'content-type': 'text/html',
      'content-disposition': attachment,
    }),
    '/zip': file('PK\x03\x04', { 'content-type': 'application/zip' }),
  });
  capture = await startTestCapture({ maxResultBytes: MAX_BYTES });
});

afterAll(async () => {
  await capture.close();
  await site.close();
});

const rejected = (message: RegExp) => ({ kind: 'invalidRequest', message: expect.stringMatching(message) });

test.each(['/pdf', '/attached.pdf', '/octets', '/typeless', '/as-page', '/as-text', '/packed', '/to-pdf'])(
  'a PDF at the path %s is passed on as it is, and read page by page',
  async (path) => {
    const passed = await print(capture, site.url(path));
    expect(passed).toMatchObject({ pageCount: 2, pageStatus: 200, isComplete: true });
    expect(passed.body.equals(PDF)).toBe(true);
    expect(new URL(passed.pageUrl).pathname).toBe(path === '/to-pdf' ? '/pdf' : path);

    expect(await read(capture, site.url(path))).toMatchObject({
      content: 'First page\n\n---\n\nSecond page',
      title: 'A title',
      author: 'Ada',
      links: null,
    });
    expect((await read(capture, site.url(path), { format: 'text' })).content).toBe(
      'First page\n\f\nSecond page',
    );
    expect(await outcome(shoot(capture, site.url(path)))).toEqual(
      rejected(/leads to a PDF.*\/api\/pdf passes the PDF on, and \/api\/content reads its text/u),
    );
  },
);

test('rejects options that would change a PDF, and names them; accepts other options and default values', async () => {
  for (const [more, names] of [
    [{ scale: 0.5, landscape: true }, /leave out "landscape", "scale", which/u],
    [{ pageRanges: '1' }, /"pageRanges"/u],
    [{ format: 'Letter' }, /"format"/u],
    [{ css: 'p{}' }, /"css"/u],
    [{ headerHtml: '<p>' }, /"headerHtml"/u],
    [{ fixedElements: 'first' }, /"fixedElements"/u],
    [{ steps: [{ click: 'p' }] }, /leave out "steps", which/u],
  ] as const)
    expect(await outcome(print(capture, site.url('/pdf'), { ...more }))).toEqual(rejected(names));
  const harmless = { locale: 'cy', blockAds: true, blockCookieBanners: true, format: 'A4', scale: 1 };
  expect((await print(capture, site.url('/pdf'), harmless)).pageCount).toBe(2);
});

test('rejects the options selector and steps for a file, because they need elements', async () => {
  for (const path of ['/pdf', '/as-page', '/csv'])
    for (const [more, name] of [
      [{ selector: 'p' }, 'selector'],
      [{ steps: [{ click: 'p' }] }, 'steps'],
    ] as const)
      expect(await outcome(read(capture, site.url(path), more))).toEqual(
        rejected(new RegExp(`a file without elements. Leave "${name}" out`, 'u')),
      );
});

test('requests a PDF with the credentials of the capture, and applies failOnPageStatus to the status of the PDF', async () => {
  const passed = await print(capture, site.url('/asks-for-key'), {
    headers: { Authorization: 'Bearer key' },
  });
  expect(passed).toMatchObject({ pageStatus: 200, pageCount: 2 });
  expect(new Set(credentials)).toEqual(new Set(['Bearer key']));
  expect((await print(capture, site.url('/gone'))).pageStatus).toBe(404);
  expect(await outcome(print(capture, site.url('/gone'), { failOnPageStatus: true }))).toEqual(
    rejected(/status 404/u),
  );
});

test('passes on a PDF that needs a password, unchanged, and rejects reading it', async () => {
  expect(await print(capture, site.url('/locked'))).toMatchObject({ body: LOCKED, pageCount: 0 });
  expect(await outcome(read(capture, site.url('/locked')))).toEqual(rejected(/needs a password/u));
});

test.each<[string, RegExp]>([
  ['/broken', /is damaged/u],
  ['/cut', /did not arrive whole/u],
  ['/large', /has more than the 2\.0 MB/u],
  ['/empty', /a download, not a page, namely an empty file/u],
  ['/attached-page', /namely a page that is sent to be saved/u],
  ['/zip', /namely an archive\. Send the address of a page, an image, a PDF/u],
])('rejects the file at the path %s with the reason', async (path, words) => {
  expect(await outcome(print(capture, site.url(path)))).toEqual(rejected(words));
  expect(await outcome(read(capture, site.url(path)))).toEqual(rejected(words));
});

test('reading a file that does not end fails with a timeout', async () => {
  expect(await outcome(read(capture, site.url('/endless'), { timeoutMs: 2_000 }))).toMatchObject({
    kind: 'timeout',
  });
});

test('reads a CSV file as a table in Markdown or HTML, or as text, and makes no picture or PDF of it', async () => {
  expect((await read(capture, site.url('/csv'))).content).toBe(
    '| name | price |\n| --- | --- |\n| Tea | 1,50 |\n| Coffee | 2,00 |',
  );
  expect((await read(capture, site.url('/csv'), { format: 'text' })).content).toBe(CSV);
  expect((await read(capture, site.url('/csv'), { format: 'html' })).content).toContain('<td>1,50</td>');
  expect((await read(capture, site.url('/latin.csv'))).content).toContain('| Café | 1 |');
  for (const take of [shoot, print])
    expect(await outcome(take(capture, site.url('/csv')))).toEqual(
      rejected(/leads to a CSV file.*\/api\/content reads it/u),
    );
});

test('reads JSON and plain text unchanged, or escaped in the format html', async () => {
  expect((await read(capture, site.url('/json'))).content).toBe('{"a": "é*b*"}');
  expect((await read(capture, site.url('/attached.json'))).content).toBe('{"a": "é*b*"}');
  expect(await read(capture, site.url('/text'), { includeLinks: true })).toMatchObject({
    content: '# one\n  <b>two</b>',
    links: [],
    title: null,
  });
  expect((await read(capture, site.url('/text'), { format: 'html' })).content).toBe(
    '<pre># one\n  &lt;b&gt;two&lt;/b&gt;</pre>',
  );
});

test.each([
  ['/uncharted', 'café – “b”'],
  ['/old', 'one café'],
  ['/feed', '<rss><item><title>Words</title></item></rss>'],
  ['/scanned', ''],
])('reads the file at the path %s as the text %j', async (path, text) => {
  expect((await read(capture, site.url(path))).content).toBe(text);
});

test.each(['/image', '/attached-image'])('captures an image even if sent as a download: %s', async (path) => {
  const { body } = await shoot(capture, site.url(path), { selector: 'img' });
  expect(decodePng(body).width).toBeLessThan(3);
});

test.each(['/attached.svg', '/octets.svg'])(
  'captures an SVG that is sent as a download without running its scripts: %s',
  async (path) => {
    const { body } = await shoot(capture, site.url(path));
    expect(decodePng(body).at(5, 5)).toEqual([0, 128, 0]);
    expect(ran).toBe(0);
  },
);

test('a full page of an empty image file is as tall as the window', async () => {
  const { body } = await shoot(capture, site.url('/empty-image'), { fullPage: true });
  expect(decodePng(body).height).toBe(100);
});

test('rejects a page that is sent as a download with the disposition "attachment" or "file"', async () => {
  for (const path of ['/attached-page', '/filed-page'])
    expect(await outcome(shoot(capture, site.url(path)))).toEqual(
      rejected(/a page that is sent to be saved/u),
    );
});

test('a PDF that unpacks to a gigabyte ends only its own capture', async () => {
  expect(await outcome(read(capture, site.url('/bomb')))).toEqual(rejected(/it takes too much memory/u));
  expect(await read(capture, site.url('/pdf'))).toMatchObject({ title: 'A title' });
});

test('reads a page whose title begins like a PDF', async () => {
  expect((await read(capture, site.url('/about-pdf'))).content).toBe('words');
});

test('prints a page itself if its script navigates to a PDF', async () => {
  expect((await print(capture, site.url('/script-to-pdf'))).pageCount).toBe(1);
});
