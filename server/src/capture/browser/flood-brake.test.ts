import { FloodBrake } from './flood-brake.js';

const BROWSER = 1;
const FLOOD = 2;
const OTHER = 3;
const SLOW_MS = 250;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Makes a brake that awaits a response of a fake browser with two pages. */
function slowBrowser() {
  const ticks = new Map([BROWSER, FLOOD, OTHER].map((pid) => [pid, 7]));
  const stopped = new Set<number>();
  const silent = () => undefined;
  const brake = new FloodBrake(BROWSER, {
    tree: () => [...ticks.keys()].map((pid) => ({ pid, bytes: 0 })),
    isRenderer: (pid) => pid !== BROWSER && ticks.has(pid),
    ticks: (pid) => ticks.get(pid) ?? 0,
    kill: silent,
    suspend: (pid) => stopped.add(pid),
    resume: (pid) => stopped.delete(pid),
    preferForOomKill: silent,
  });
  let resolve: (version: string) => void = silent;
  let reject: (error: Error) => void = silent;
  const answer = new Promise<string>((...settle) => ([resolve, reject] = settle));
  return { ticks, stopped, brake, answer: brake.during(answer), resolve, reject };
}

test('suspends the busiest page of a slow browser, then the next busiest, but not the browser', async () => {
  const { ticks, stopped, brake, answer, resolve } = slowBrowser();
  ticks.set(BROWSER, 300).set(FLOOD, 40).set(OTHER, 8);
  jest.advanceTimersByTime(SLOW_MS - 1);
  expect([...stopped]).toEqual([]);

  jest.advanceTimersByTime(1);
  expect([...stopped]).toEqual([FLOOD]);
  jest.advanceTimersByTime(SLOW_MS);
  expect([...stopped]).toEqual([FLOOD, OTHER]);

  resolve('156');
  expect(await answer).toBe('156');
  jest.advanceTimersByTime(SLOW_MS);
  expect(brake.isOn).toBe(true);
  brake.release();
  expect([[...stopped], brake.isOn]).toEqual([[], false]);
});

test('does not suspend a page that has been idle since the check began, or has ended', () => {
  const { ticks, stopped, brake } = slowBrowser();
  ticks.delete(FLOOD);

  jest.advanceTimersByTime(SLOW_MS);

  expect([[...stopped], brake.isOn]).toEqual([[], false]);
});

test('suspends no page after the awaited response of the browser has failed', async () => {
  const { ticks, stopped, answer, reject } = slowBrowser();
  reject(new Error('no answer'));
  await expect(answer).rejects.toThrow('no answer');
  ticks.set(FLOOD, 40);

  jest.advanceTimersByTime(SLOW_MS);

  expect([...stopped]).toEqual([]);
});
