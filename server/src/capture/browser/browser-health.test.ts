import { z } from 'zod';
import { Browser } from './browser.js';
import { DEFAULT_HEALTH_TIMES, watchHealth } from './browser-health.js';
import { processorTicks, showsProcesses } from './browser-processes.js';
import { ProtocolConnection } from './protocol/connection.js';
import type { TransportListener } from './protocol/transport.js';

const WELL_MS = 10_000;
const { everyMs, timeoutMs } = DEFAULT_HEALTH_TIMES;
const MORE_THAN_IDLE_TICKS = 6;

const asked = z.object({ id: z.number(), method: z.string() });

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Watches a fake browser that responds unless the test makes it stuck. It reports this process as its own. */
async function watchedBrowser({ isOfThisMachine = false } = {}) {
  let isStuck = false;
  let questions = 0;
  let listener: TransportListener | undefined;
  const connection = new ProtocolConnection({
    listen: (heard) => (listener = heard),
    send: (message) => {
      const { id, method } = asked.parse(JSON.parse(message));
      questions += 1;
      const processInfo = [{ type: 'browser', id: process.pid }];
      const result = method === 'Browser.getVersion' ? { product: 'Chromium/156' } : { processInfo };
      if (!isStuck) void Promise.resolve().then(() => listener?.onMessage(JSON.stringify({ id, result })));
    },
    close: () => listener?.onClose(),
  });
  const browser = await Browser.connect(
    connection,
    () => Promise.resolve(),
    isOfThisMachine ? 'plain' : undefined,
  );
  const onUnresponsive = jest.fn();
  const end = watchHealth(browser, DEFAULT_HEALTH_TIMES, onUnresponsive);
  return {
    onUnresponsive,
    end,
    stick: (value: boolean) => void (isStuck = value),
    /** Takes a picture, which does not finish while the browser is stuck. */
    shoot: () => void connection.root.send('Page.captureScreenshot').catch(() => undefined),
    questions: () => questions,
  };
}

/** Works until more processor time is reported than an idle browser uses; returns at once if none is reported. */
function work(): void {
  const enough = processorTicks(process.pid) + (showsProcesses() ? MORE_THAN_IDLE_TICKS : 0);
  let ticks = 0;
  while (ticks < enough) ticks = processorTicks(process.pid);
}

test.each([0, 1, 500, 999])(
  'a browser that gets stuck %i ms after a check is reported within five seconds, and only once',
  async (laterMs) => {
    const { onUnresponsive, stick, questions } = await watchedBrowser();
    await jest.advanceTimersByTimeAsync(WELL_MS + laterMs);
    expect(onUnresponsive).not.toHaveBeenCalled();

    stick(true);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(onUnresponsive).toHaveBeenCalledTimes(1);
    const before = questions();
    await jest.advanceTimersByTimeAsync(WELL_MS);
    expect([onUnresponsive.mock.calls.length, questions()]).toEqual([1, before]);
  },
);

test('a browser is not reported as stuck after a single missing response', async () => {
  const { onUnresponsive, stick, end } = await watchedBrowser();
  stick(true);
  await jest.advanceTimersByTimeAsync(everyMs + timeoutMs - 1);
  stick(false);
  await jest.advanceTimersByTimeAsync(WELL_MS);
  expect(onUnresponsive).not.toHaveBeenCalled();
  end();
});

test.each([
  [
    'of this machine that works on a picture',
    10,
    { isOfThisMachine: true, isWorking: true, isShooting: true },
  ],
  [
    'of this machine that works, but on no picture',
    2,
    { isOfThisMachine: true, isWorking: true, isShooting: false },
  ],
  [
    'of this machine that should make a picture, but does not work',
    showsProcesses() ? 2 : 10,
    { isOfThisMachine: true, isWorking: false, isShooting: true },
  ],
  [
    'of another machine that makes a picture',
    10,
    { isOfThisMachine: false, isWorking: false, isShooting: true },
  ],
])(
  'a browser %s is checked %i times before it is reported as stuck',
  async (_where, times, { isOfThisMachine, isWorking, isShooting }) => {
    const { onUnresponsive, stick, shoot, questions } = await watchedBrowser({ isOfThisMachine });
    stick(true);
    if (isShooting) shoot();
    const before = questions();
    await jest.advanceTimersByTimeAsync(everyMs);
    while (onUnresponsive.mock.calls.length === 0) {
      if (isWorking) work();
      await jest.advanceTimersByTimeAsync(timeoutMs + 1);
    }
    expect(questions() - before).toBe(times);
  },
);

test('a browser that is no longer watched is no longer checked', async () => {
  const { stick, questions, end, onUnresponsive } = await watchedBrowser();
  await jest.advanceTimersByTimeAsync(WELL_MS);
  end();
  const before = questions();
  stick(true);
  await jest.advanceTimersByTimeAsync(WELL_MS);
  expect([questions(), onUnresponsive.mock.calls.length]).toEqual([before, 0]);
});
