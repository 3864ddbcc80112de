import { CaptureDeadline, captureTimes } from './capture-deadline.js';

const LIMIT_MS = 30_000;
const never = new Promise<never>(() => undefined);
const { signal } = new AbortController();

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test.each([
  [{}, { pageMs: 30_000, totalMs: 30_000 }],
  [{ timeoutMs: 2_000 }, { pageMs: 2_000, totalMs: 2_000 }],
  [{ onTimeout: 'capture' as const }, { pageMs: 25_000, totalMs: 30_000 }],
  [
    { timeoutMs: 2_000, onTimeout: 'capture' as const },
    { pageMs: 2_000, totalMs: 7_000 },
  ],
  [
    { timeoutMs: 28_000, onTimeout: 'capture' as const },
    { pageMs: 25_000, totalMs: 30_000 },
  ],
])("the times of a capture with the fields %p stay within the operator's limit", (request, times) => {
  expect(captureTimes(request, LIMIT_MS)).toEqual(times);
});

test("rejects a timeout above the operator's limit", () => {
  expect(() => captureTimes({ timeoutMs: 30_001 }, LIMIT_MS)).toThrow(
    '"timeoutMs" must be at most 30000, which is this server\'s limit, but is 30001.',
  );
});

test('the file of a late page may be made in the rest of the total time, but not later', async () => {
  const deadline = new CaptureDeadline({ pageMs: 1_000, totalMs: 3_000 }, signal);
  const waiting = expect(deadline.race(never)).rejects.toThrow('not complete within 1 seconds');
  jest.advanceTimersByTime(1_000);
  await waiting;
  expect(deadline.isPageLate).toBe(true);
  deadline.endWait();
  expect(await deadline.race(Promise.resolve('file'))).toBe('file');
  expect(deadline.leftMs).toBe(2_000);
  const making = expect(deadline.race(never)).rejects.toThrow('not complete within 1 seconds');
  jest.advanceTimersByTime(2_000);
  await making;
  expect(deadline.isPageLate).toBe(false);
});

test('a page that is complete in time does not become late while its file is made', async () => {
  const deadline = new CaptureDeadline({ pageMs: 1_000, totalMs: 3_000 }, signal);
  deadline.endWait();
  jest.advanceTimersByTime(2_000);
  expect(await deadline.race(Promise.resolve('file'))).toBe('file');
  expect(deadline.isPageLate).toBe(false);
  deadline.end();
});

test.each([
  ['until it is late', 300, 1_700],
  ['for half of the time that is left, if that is longer', 1_800, 600],
  ['for half of the time that is left, also if the page was late', 2_400, 300],
])('the next attempt at a page waits %s', async (_howLong, passedMs, moreMs) => {
  const deadline = new CaptureDeadline({ pageMs: 2_000, totalMs: 3_000 }, signal);
  if (passedMs < 2_000) deadline.endWait();
  jest.advanceTimersByTime(passedMs);
  deadline.restartWait();
  const waiting = expect(deadline.race(never)).rejects.toThrow('not complete within 2 seconds');
  jest.advanceTimersByTime(moreMs - 1);
  expect(deadline.isPageLate).toBe(false);
  jest.advanceTimersByTime(1);
  expect(deadline.isPageLate).toBe(true);
  await waiting;
  deadline.end();
});

test('a late page is not captured once an error has ended the capture', async () => {
  const deadline = new CaptureDeadline({ pageMs: 1_000, totalMs: 3_000 }, signal);
  jest.advanceTimersByTime(1_000);
  deadline.fail(new Error('The caller left.'));
  expect(deadline.isPageLate).toBe(false);
  deadline.endWait();
  await expect(deadline.race(never)).rejects.toThrow('The caller left.');
  deadline.end();
});

test('an error of the page ends only this attempt, even if the page is late', async () => {
  const deadline = new CaptureDeadline({ pageMs: 1_000, totalMs: 3_000 }, signal);
  jest.advanceTimersByTime(1_000);
  deadline.failPage(new Error('The page crashed.'));
  expect(deadline.isPageLate).toBe(false);
  deadline.endWait();
  await expect(deadline.race(never)).rejects.toThrow('The page crashed.');
  deadline.restartWait();
  expect(await deadline.race(Promise.resolve('file'))).toBe('file');
  deadline.end();
});

test('time spent waiting for other captures counts neither for the page nor the total limit', async () => {
  const deadline = new CaptureDeadline({ pageMs: 1_000, totalMs: 3_000 }, signal);
  const waiting = deadline.race(never);
  waiting.catch(() => undefined);
  jest.advanceTimersByTime(600);
  let end: () => void = () => undefined;
  const paused = deadline.pause(new Promise((resolve) => (end = resolve)));
  jest.advanceTimersByTime(60_000);
  end();
  await paused;
  expect(deadline.leftMs).toBe(2_400);
  jest.advanceTimersByTime(399);
  expect(deadline.isPageLate).toBe(false);
  jest.advanceTimersByTime(1);
  await expect(waiting).rejects.toThrow('not complete within 1 seconds');
  expect(deadline.isPageLate).toBe(true);
  deadline.end();
});

test('a capture that ends while it waits for others leaves no timer behind', async () => {
  const deadline = new CaptureDeadline({ pageMs: 1_000, totalMs: 3_000 }, signal);
  let end: () => void = () => undefined;
  const paused = deadline.pause(new Promise((resolve) => (end = resolve)));
  deadline.end();
  end();
  await paused;
  expect(jest.getTimerCount()).toBe(0);
});
