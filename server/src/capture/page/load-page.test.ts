import { captureScreenshotRequest } from '@signpost/contract';
import { MainDocument } from '../browser/main-document.js';
import { ProtocolError } from '../browser/protocol/protocol-errors.js';
import { ProtocolSession } from '../browser/protocol/session.js';
import { RefusalRecord } from '../guard/refusals.js';
import { CaptureDeadline } from './capture-deadline.js';
import { onLoadedPage } from './load-page.js';
import type { OpenPage } from './open-page.js';
import { PageClock } from './page-clock.js';
import { screenshotJob } from './take-screenshot.js';

const url = 'http://site.example/';
const LIMITS = { maxPageHeightPixels: 10_000, maxResultBytes: 1_000, maxMemoryBytes: 1_000 };

type Answer = Parameters<ProtocolSession['answer']>[1];

/** A page that loads at once, and whose pictures fail as often as this with these words. */
function openPageOf(failures: number, words: string) {
  let sent = 0;
  let shots = 0;
  const load = () => {
    session.emit('Page.frameNavigated', { frame: { id: 'F', loaderId: 'L' } });
    for (const name of ['DOMContentLoaded', 'load', 'networkIdle'])
      session.emit('Page.lifecycleEvent', { frameId: 'F', loaderId: 'L', name });
    return { result: {} };
  };
  const shoot = () => {
    shots += 1;
    if (shots <= failures) return { fail: (method: string) => new ProtocolError(method, words) };
    return { result: { data: Buffer.from('picture').toString('base64') } };
  };
  const does: Readonly<Record<string, () => Answer>> = {
    'Page.navigate': load,
    'Page.captureScreenshot': shoot,
  };
  const session: ProtocolSession = new ProtocolSession((asked, method) => {
    const id = (sent += 1);
    void Promise.resolve().then(() => asked.answer(id, does[method]?.() ?? { result: {} }));
    return id;
  });
  const deadline = new CaptureDeadline({ pageMs: 60_000, totalMs: 60_000 }, new AbortController().signal);
  const open: OpenPage = {
    protocol: session,
    document: new MainDocument(session, 'F'),
    clock: new PageClock(session),
    deadline,
    isRestless: false,
    evaluate: () => Promise.resolve({ url, title: '' }),
    evaluateInPage: () => Promise.resolve(undefined),
    leave: () => undefined,
  };
  return { open, shots: () => shots, end: () => deadline.end() };
}

const request = captureScreenshotRequest.parse({ url, animations: 'allow' });
const capture = (open: OpenPage) =>
  onLoadedPage(open, { ...request, url }, new RefusalRecord(), () =>
    screenshotJob(request, LIMITS).make(open),
  );

test('a picture that comes too early for the browser is taken again', async () => {
  const { open, shots, end } = openPageOf(1, 'Unable to capture screenshot');
  const { result } = await capture(open).finally(end);

  expect([result.body.toString(), shots()]).toEqual(['picture', 2]);
});

test('a picture that fails for another reason is not', async () => {
  const { open, shots, end } = openPageOf(1, 'Out of memory');

  await expect(capture(open).finally(end)).rejects.toThrow('Out of memory');
  expect(shots()).toBe(1);
});
