import type { CaptureService } from '../capture-service.js';
import { browserProcesses } from '../../../../test/fixtures/capture/browser-processes.js';
import { decodePng } from '../../../../test/fixtures/capture/decode-png.js';
import { memoryBombs, sharedMemoryBombs } from '../../../../test/fixtures/capture/memory-bombs.js';
import { outcome, shoot } from '../../../../test/fixtures/capture/outcome.js';
import {
  SITE_ADDRESS,
  startPageServer,
  type PageServer,
} from '../../../../test/fixtures/capture/page-server.js';
import { rounds } from '../../../../test/fixtures/length.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

const MAX_MEGABYTES = 300;
/** The beginning of the part of a JPEG that contains its height. */
const FRAME_HEADER = Buffer.from([0xff, 0xc0]);
const HEIGHT_AT = 5;
const GREEN = [10, 200, 30];
const ENDED = {
  kind: 'invalidRequest',
  message:
    'The page takes more memory than the 300 MB that one capture may use. Capture a lighter page, or ask the operator ' +
    'to raise SIGNPOST_CAPTURE_MEMORY_MEGABYTES.',
};

let site: PageServer;
let capture: CaptureService;

beforeAll(async () => {
  site = await startPageServer({
    ...memoryBombs(),
    ...sharedMemoryBombs(),
    '/tall': '<body style="margin:0"><div style="height:50000px;background:linear-gradient(red,blue)">',
    '/plain': '<body style="margin:0;background:rgb(10,200,30)">',
  });
  capture = await startTestCapture({
    concurrency: 3,
    maxMemoryBytes: MAX_MEGABYTES * 1_000_000,
    timeoutMs: 60_000,
    // A frame of another origin has its own host name; every name leads to this site.
    resolve: () => Promise.resolve([{ address: SITE_ADDRESS, family: 4 }]),
  });
});

afterAll(async () => {
  await capture.close();
  await site.close();
});

const expectRight = async () =>
  expect(decodePng((await shoot(capture, site.url('/plain'))).body).at(100, 50)).toEqual(GREEN);

/**
 * Captures a page that uses too much memory and, as long as its capture runs, plain pages beside it, one after another.
 * Expects that only the capture of the first page is ended.
 */
async function expectEndedAlone(path: string) {
  let isOver = false;
  const ended = outcome(shoot(capture, site.url(path))).finally(() => (isOver = true));
  const beside = async () => {
    do await expectRight();
    while (!isOver);
  };
  await beside();
  expect(await ended).toEqual(ENDED);
  await expectRight();
}

const ALL_BOMBS = Object.keys(memoryBombs()).filter((path) => path !== '/never');

/** The short form of the test has only one page that fills its own process and one that fills its frame's process. */
test.each(rounds(['/wasm', '/foreign-frame'], ALL_BOMBS))(
  'the page %s, which takes too much memory, is ended alone; captures beside and after it succeed in the same browser',
  async (path) => {
    const { restarts } = capture.state();

    await expectEndedAlone(path);

    expect(capture.state().restarts).toBe(restarts);
  },
);

test.each(rounds(['/webgl-textures'], Object.keys(sharedMemoryBombs())))(
  'the page %s, which makes shared processes take too much memory, ends the browser, but no capture except its own',
  async (path) => {
    const { restarts } = capture.state();

    await expectEndedAlone(path);

    expect(capture.state().restarts).toBe(restarts + 1);
  },
);

/** How many tall pages are captured at once: one or, in the long form of the test, as many as there are slots. */
const TALLEST = rounds(1, 2);

test(`pages 50,000 pixels tall stay within the usual memory limit, with ${TALLEST} at once`, async () => {
  const usual = await startTestCapture({ timeoutMs: 60_000 });
  const tall = () => shoot(usual, site.url('/tall'), { width: 1920, fullPage: true, format: 'jpeg' });

  const shots = await Promise.all(Array.from({ length: TALLEST }, tall)).finally(() => usual.close());

  const heights = shots.map(({ body }) => body.readUInt16BE(body.indexOf(FRAME_HEADER) + HEIGHT_AT));
  expect(heights).toEqual(shots.map(() => 50_000));
  expect(shots).toHaveLength(TALLEST);
});

test('if two pages fill shared memory at the same time, both are ended; closing leaves no browser behind', async () => {
  const [path = ''] = Object.keys(sharedMemoryBombs());

  await Promise.all([expectEndedAlone(path), expectEndedAlone(path)]);
  await capture.close();

  expect(await browserProcesses()).toEqual([]);
});
