import { freePort } from '../fixtures/free-port.js';
import { servePages, type Pages } from '../fixtures/pages.js';
import { jpegSize, pdfPages, pngSize } from './support/files.js';
import { startScene, START_TIMEOUT_MS, type Scene } from './support/scene.js';
import { signpost, workflow } from './support/workflow.js';

const TALL_PIXELS = 2_500;
const SHEETS = 3;
const page = (body: string) => `<!doctype html><title>A page</title><body style="margin:0">${body}`;

let scene: Scene;
let pages: Pages;
/** An address where no server listens. */
let nowhere: string;

beforeAll(async () => {
  pages = await servePages({
    '/tall': (_request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(page(`<div style="height:${TALL_PIXELS}px;background:linear-gradient(red,blue)"></div>`));
    },
    '/sheets': (_request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(page('<p style="break-after:page">A sheet</p>'.repeat(SHEETS - 1) + '<p>The last</p>'));
    },
  });
  nowhere = `http://127.0.0.1:${await freePort()}/`;
  scene = await startScene();
}, START_TIMEOUT_MS);

afterAll(async () => {
  await scene.close();
  await pages.close();
});

const screenshot = (parameters: object) =>
  signpost('Capture', { resource: 'capture', operation: 'screenshot', url: `${pages.url}/`, ...parameters });
const pdf = (parameters: object) =>
  signpost('Capture', { resource: 'capture', operation: 'pdf', url: `${pages.url}/sheets`, ...parameters });

async function run(...[node, items]: [ReturnType<typeof signpost>, object[]?]) {
  const done = await scene.n8n.run(
    workflow(
      'capture',
      (items ?? [{}]).map((item) => ({ ...item })),
      [node],
    ),
  );
  expect(done.error).toBeUndefined();
  expect(done.status).toBe('success');
  return done.items('Capture');
}

test('a screenshot is a PNG of the requested window size, described in the JSON', async () => {
  const [item] = await run(screenshot({ options: { width: 640, height: 480 } }));
  const field = item?.binary?.data;
  const bytes = await scene.n8n.file(field);
  expect(pngSize(bytes)).toEqual({ width: 640, height: 480 });
  expect(field).toMatchObject({ mimeType: 'image/png', fileName: '127.0.0.1.png' });
  expect(item?.json).toEqual({
    url: `${pages.url}/`,
    fileName: '127.0.0.1.png',
    mimeType: 'image/png',
    fileSizeBytes: bytes.length,
    captureTimeMs: expect.any(Number),
    pageRest: 'reached',
    pageStatus: 200,
    pageUrl: `${pages.url}/`,
    pageTitle: 'A page',
    binaryField: 'data',
  });
});

test('a JPEG of a full page goes into the chosen field with the chosen file name', async () => {
  const [item] = await run(
    screenshot({
      url: `${pages.url}/tall`,
      fullPage: true,
      format: 'jpeg',
      binaryPropertyName: 'picture',
      options: { width: 800, height: 600, fileName: 'tall page' },
    }),
  );
  expect(Object.keys(item?.binary ?? {})).toEqual(['picture']);
  expect(item?.binary?.picture).toMatchObject({ mimeType: 'image/jpeg', fileName: 'tall page.jpg' });
  expect(jpegSize(await scene.n8n.file(item?.binary?.picture))).toEqual({ width: 800, height: TALL_PIXELS });
});

test('a PDF has the number of pages that the JSON says, and the requested paper', async () => {
  const [item] = await run(
    pdf({
      format: 'A5',
      landscape: true,
      options: {
        displayHeaderFooter: true,
        printBackground: false,
        scale: 0.9,
        marginTop: '2cm',
        marginBottom: '1in',
        marginLeft: '20px',
        marginRight: '10mm',
        fileName: 'sheets.pdf',
      },
    }),
  );
  const bytes = await scene.n8n.file(item?.binary?.data);
  expect(pdfPages(bytes)).toBe(SHEETS);
  // A5 on its side is 210 by 148 mm, in points of which 72 make an inch.
  expect(/\/MediaBox\s*\[\s*0 0 595\S* 4(?:19|20)/u.test(bytes.toString('latin1'))).toBe(true);
  expect(item?.binary?.data).toMatchObject({ mimeType: 'application/pdf', fileName: 'sheets.pdf' });
  expect(item?.json).toMatchObject({
    pageCount: SHEETS,
    fileSizeBytes: bytes.length,
    captureTimeMs: expect.any(Number),
  });
});

test('a capture can be in the JSON instead of a file, as base64 or as a data URL', async () => {
  const [base64] = await run(screenshot({ output: 'base64', options: { width: 320, height: 200 } }));
  expect(base64?.binary).toBeUndefined();
  expect(pngSize(Buffer.from(String(base64?.json.base64), 'base64'))).toEqual({ width: 320, height: 200 });

  const [dataUrl] = await run(pdf({ output: 'dataUrl' }));
  const [, content] = /^data:application\/pdf;base64,(.*)$/u.exec(String(dataUrl?.json.dataUrl)) ?? [];
  expect(pdfPages(Buffer.from(content ?? '', 'base64'))).toBe(SHEETS);
});

test('if a node continues on errors, items keep their order and a failure stops no other item', async () => {
  const paths = ['/tall', '/gone', '/sheets'];
  const node = screenshot({
    url: `={{ $json.path === '/gone' ? '${nowhere}' : '${pages.url}' + $json.path }}`,
    options: { width: 200, height: 100 },
  });
  const items = await run(
    { ...node, onError: 'continueRegularOutput' },
    paths.map((path) => ({ path })),
  );
  expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
  expect(items.map(({ json }) => json.url)).toEqual([`${pages.url}/tall`, undefined, `${pages.url}/sheets`]);
  expect(items[1]?.json).toMatchObject({
    error: expect.stringContaining('cannot be captured'),
    details: { httpStatus: 400 },
  });
  expect(items[1]?.binary).toBeUndefined();
  expect(pngSize(await scene.n8n.file(items[2]?.binary?.data))).toEqual({ width: 200, height: 100 });
});

test("an unreachable page stops the workflow with the server's message and the item index", async () => {
  const done = await scene.n8n.run(workflow('refused', [{}], [screenshot({ url: nowhere })]));
  expect(done.status).toBe('error');
  expect(done.error).toMatchObject({
    message: expect.stringContaining('cannot be captured'),
    httpCode: '400',
    context: expect.objectContaining({ itemIndex: 0 }),
  });
});
