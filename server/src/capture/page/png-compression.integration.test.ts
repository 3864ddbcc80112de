import type { CaptureService } from '../capture-service.js';
import { decodePng } from '../../../../test/fixtures/capture/decode-png.js';
import { shoot } from '../../../../test/fixtures/capture/outcome.js';
import { type PageServer, startPageServer } from '../../../../test/fixtures/capture/page-server.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

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

test('a picture that took long anyway is as small as a PNG of Chromium can be', async () => {
  const { body } = await shoot(capture, site.url('/gradient'), {
    width: 1_920,
    height: 1_080,
    waitMs: 2_500,
  });
  expect(decodePng(body)).toMatchObject({ width: 1_920, height: 1_080 });
  // Compressed fast, it has 1.8 MB.
  expect(body.length).toBeLessThan(800_000);
});
