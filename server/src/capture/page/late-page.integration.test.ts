import { decodePng } from '../../../../test/fixtures/capture/decode-png.js';
import { outcome, print, read, shoot } from '../../../../test/fixtures/capture/outcome.js';
import {
  type Handler,
  type PageServer,
  startPageServer,
} from '../../../../test/fixtures/capture/page-server.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';
import type { CaptureService } from '../capture-service.js';

let site: PageServer;
let capture: CaptureService;

/** Returns a handler that responds only to its first request, with 204; later requests wait. */
const onlyOnce = (): Handler => {
  let count = 0;
  return (_request, response) => {
    count += 1;
    if (count === 1) response.writeHead(204).end();
  };
};

beforeAll(async () => {
  site = await startPageServer({
    '/late': '<!doctype html><body style="background:green">There<img src="/silent"><p>All',
    '/red': '<!doctype html><body style="background:red"><p hidden id="never">',
    '/silent': () => undefined,
    '/only-once': onlyOnce(),
    '/late-when-tried-again': `<!doctype html><body style="background:green"><img src="/only-once">
      <script>setInterval(() => { for (const end = Date.now() + 30; Date.now() < end;); }, 1)</script>`,
  });
  capture = await startTestCapture({ timeoutMs: 60_000, concurrency: 4 });
});

afterAll(async () => {
  await capture.close();
  await site.close();
});

/** Long enough to load a document, even on a busy machine. */
const LATE = { timeoutMs: 5_000, onTimeout: 'capture' };

test('with onTimeout capture, captures what has loaded of a page that takes too long: as a picture, a PDF and a text', async () => {
  const late = site.url('/late');
  const [picture, awaited, pdf, content] = await Promise.all([
    shoot(capture, late, LATE),
    shoot(capture, site.url('/red'), {
      ...LATE,
      waitForSelector: '#never',
      css: 'body{background:green!important}',
    }),
    print(capture, late, LATE),
    read(capture, late, { ...LATE, format: 'text', mainContentOnly: false }),
  ]);
  for (const { body } of [picture, awaited]) expect(decodePng(body).at(150, 80)).toEqual([0, 128, 0]);
  expect(content.content).toMatch(/There.*All/su);
  expect(pdf.pageCount).toBe(1);
  expect([picture, awaited, pdf, content].map(({ isComplete }) => isComplete)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test('with onTimeout capture, captures a page as it is if it never rests and is late at the second attempt', async () => {
  const { body, isComplete } = await shoot(capture, site.url('/late-when-tried-again'), LATE);
  expect([decodePng(body).at(150, 80), isComplete]).toEqual([[0, 128, 0], false]);
});

test('a page that loads in time is complete, one that never begins to load is a timeout, and timeoutMs above the limit of the server is rejected', async () => {
  expect(await shoot(capture, site.url('/red'), { ...LATE, timeoutMs: 55_000 })).toMatchObject({
    isComplete: true,
  });
  const silent = site.url('/silent');
  const words = 'The page was not complete within 1 seconds, the longest that this capture may take';
  for (const [onTimeout, more] of [
    ['error', '. Send "onTimeout": "capture" to get what has loaded by then.'],
    ['capture', ', and nothing of it could be captured by then.'],
  ])
    expect(await outcome(shoot(capture, silent, { timeoutMs: 1_000, onTimeout }))).toEqual({
      kind: 'timeout',
      message: `${words}${more}`,
    });
  expect(await outcome(shoot(capture, silent, { timeoutMs: 60_001 }))).toMatchObject({
    message: '"timeoutMs" must be at most 60000, which is this server\'s limit, but is 60001.',
  });
});
