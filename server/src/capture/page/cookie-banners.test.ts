import { runInNewContext } from 'node:vm';
import { scriptedPage } from '../../../../test/fixtures/capture/scripted-page.js';
import { NEXT_MESSAGE } from './consent-scripts.js';
import { CookieBanners } from './cookie-banners.js';

const LONG_MS = 20_000;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

type Evaluate = (expression: string) => Promise<unknown>;

/** Returns a function that evaluates scripts on a fake page. If the page is never idle, idle callbacks time out. */
const pageThatIsIdle =
  (isIdle: boolean): Evaluate =>
  (expression) => {
    const requestIdleCallback = (then: () => void, { timeout }: { readonly timeout: number }) =>
      setTimeout(then, isIdle ? 0 : timeout);
    const value: unknown = runInNewContext(expression, { requestIdleCallback, setTimeout });
    return Promise.resolve(value);
  };
const stuck: Evaluate = () => new Promise(() => undefined);

/** How long the capture waits for a banner, by the test's clock, on a page whose scripts send these messages. */
async function waitedMs(said: readonly string[], evaluate: Evaluate): Promise<number> {
  const types = [...said];
  const { open, bringDocument } = scriptedPage({
    reply: (method, params) => {
      if (method === 'Page.createIsolatedWorld') return { executionContextId: 1 };
      if (!JSON.stringify(params).includes(NEXT_MESSAGE)) return { result: {} };
      const type = types.shift();
      return type === undefined ? undefined : { result: { value: { type } } };
    },
    evaluate,
  });
  const banners = new CookieBanners(open.sessions, () => 'look for a banner');
  bringDocument();
  const startedMs = performance.now();
  const closed = banners.untilClosed(open).then(() => performance.now() - startedMs);
  await jest.advanceTimersByTimeAsync(LONG_MS);
  open.deadline.end();
  return closed;
}

test.each<[string, number, readonly string[], Evaluate]>([
  ['without a banner, which was searched twice', 0, ['report'], pageThatIsIdle(true)],
  ['that is never idle and has no banner', 200, ['report'], pageThatIsIdle(false)],
  ['that does not report a second check', 3_000, [], pageThatIsIdle(true)],
  ['that is stuck', 3_000, ['report'], stuck],
  ['whose banner does not appear', 1_500, ['cmpDetected'], stuck],
  ['whose banner stays', 5_000, ['cmpDetected', 'popupFound'], stuck],
  ['whose banner is closed', 0, ['cmpDetected', 'popupFound', 'autoconsentDone'], stuck],
])('on a page %s, waits %d ms for a banner', async (_what, ms, said, evaluate) => {
  const waited = await waitedMs(said, evaluate);
  // A timer of 0 ms takes one millisecond.
  expect([waited >= ms, waited <= ms + 2]).toEqual([true, true]);
});
