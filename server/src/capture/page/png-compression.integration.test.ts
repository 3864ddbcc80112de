import type { CaptureService } from '../capture-service.js';
import { decodePng } from '../../../../test/fixtures/capture/decode-png.js';
import { shoot } from '../../../../test/fixtures/capture/outcome.js';
import { type PageServer, startPageServer } from '../../../../test/fixtures/capture/page-server.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

const MOST_BYTES = 120_000;

let site: PageServer;
let capture: CaptureService;

beforeAll(async () => {
  site = await startPageServer({
    '/gradient':
      '<!doctype html><body style="margin:0;height:100vh;background:linear-gradient(135deg,#123,#fed)">',
  });
  capture = await startTestCapture();
});

afterAll(async () => {
  await capture.close();
  await site.close();
});

test('compresses a PNG well instead of fast if its capture took four seconds', async () => {
  const window = { width: 640, height: 360 };
  const { body } = await shoot(capture, site.url('/gradient'), { ...window, waitMs: 4_000 });
  expect(decodePng(body)).toMatchObject(window);
  // The size is 42 KB; compressed fast, the picture would have 197 KB.
  expect(body.length).toBeLessThan(MOST_BYTES);
});
