import { captureScreenshotRequest } from '@signpost/contract';
import type { CaptureService } from '../capture-service.js';
import { never, outcome, shoot } from '../../../../test/fixtures/capture/outcome.js';
import { SITE_ADDRESS } from '../../../../test/fixtures/capture/page-server.js';
import { type RecordingSite, startRecordingSite } from '../../../../test/fixtures/capture/recording-site.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

const TOO_MUCH = {
  kind: 'invalidRequest',
  message: expect.stringMatching(
    /^The page has the browser report more than the 4 MB at once, or 32 MB in all/u,
  ),
};

/** A page that posts bodies of this many megabytes one after another, and then shows that it is done. */
const posting = (megabytes: number, times: number) => `<body><script>
  (async () => {
    const body = 'x'.repeat(${megabytes}e6);
    for (let count = 0; count < ${times}; count += 1) await fetch('/posted', { method: 'POST', body });
    document.body.insertAdjacentHTML('beforeend', '<p id="done">done</p>');
  })();
</script>`;

const PAGES = {
  '/small': '<p>small</p>',
  '/large': posting(5, 1),
  '/many': posting(1.5, 15),
  '/few': posting(1.5, 3),
  '/worker': `<body><script>new Worker(URL.createObjectURL(new Blob([
    "fetch('" + origin + "/posted', { method: 'POST', body: 'x'.repeat(5e6) })"])));</script>`,
  '/name': `<body><script>
    document.body.append(Object.assign(document.createElement('iframe'), { name: 'x'.repeat(5e6), src: '/small' }));
  </script>`,
};

let site: RecordingSite;
let capture: CaptureService;

beforeAll(async () => {
  site = await startRecordingSite(SITE_ADDRESS, () => PAGES);
  capture = await startTestCapture();
});

afterAll(async () => {
  await capture.close();
  await site.close();
});

const WAIT = { waitForSelector: '#done' };
const HOLDING = [{ blockAds: true }, { headers: { 'X-Token': '1' } }];

test.each(HOLDING)(
  'with the fields %j, rejects a page that posts too much, and captures a page beside it',
  async (more) => {
    for (const path of ['/large', '/many', '/worker']) {
      const [flood, neighbour] = await Promise.all([
        outcome(shoot(capture, `${site.origin}${path}`, { ...more, ...WAIT })),
        outcome(shoot(capture, `${site.origin}/small`)),
      ]);
      expect(flood).toEqual(TOO_MUCH);
      expect(neighbour.kind).toBe('captured');
    }
    expect((await outcome(shoot(capture, `${site.origin}/few`, { ...more, ...WAIT }))).kind).toBe('captured');
  },
);

test('rejects HTML of the caller whose script posts too much to its own origin', async () => {
  const request = captureScreenshotRequest.parse({ html: posting(5, 1), ...WAIT });
  expect(await outcome(capture.screenshot(request, never()))).toEqual(TOO_MUCH);
});

test('without blockAds and headers, a page may post an amount that is rejected with them', async () => {
  expect((await outcome(shoot(capture, `${site.origin}/many`, WAIT))).kind).toBe('captured');
});

test('rejects a page with a frame whose name has five million characters', async () => {
  expect(await outcome(shoot(capture, `${site.origin}/name`, WAIT))).toEqual(TOO_MUCH);
});
