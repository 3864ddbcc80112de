import { type Reply, scriptedPage } from '../../../../test/fixtures/capture/scripted-page.js';
import { ProtocolError } from '../browser/protocol/protocol-errors.js';
import { RejectionRecord } from '../guard/rejections.js';
import { onLoadedPage } from './load-page.js';

const url = 'https://example.com/';
const SHOOT = 'Page.captureScreenshot';

/** Takes a picture of a fake page whose browser gives these replies in turn, and the last one from then on. */
async function shoot(...shots: readonly Reply[]) {
  let taken = 0;
  const { open, bringDocument } = scriptedPage({
    reply: (method) => {
      if (method !== SHOOT) return {};
      taken += 1;
      return shots[Math.min(taken, shots.length) - 1];
    },
    evaluate: () => Promise.resolve({ pageStatus: 200, mayBePdf: false, isWhole: true }),
  });
  bringDocument();
  const work = async () => (await open.protocol.send(SHOOT)).data;
  try {
    return { ...(await onLoadedPage(open, { url }, new RejectionRecord(), work)), taken };
  } finally {
    open.deadline.end();
  }
}

test('requests a picture again if the browser was unable to capture a screenshot', async () => {
  const early = new ProtocolError(SHOOT, 'Unable to capture screenshot');

  expect(await shoot(early, { data: 'a picture' })).toEqual({
    result: 'a picture',
    pageStatus: 200,
    isComplete: true,
    taken: 2,
  });
});

test('does not request a picture again after an internal error of the browser', async () => {
  const broken = new ProtocolError(SHOOT, 'Internal error');

  await expect(shoot(broken, { data: 'a picture' })).rejects.toThrow(
    'Page.captureScreenshot: Internal error',
  );
});
