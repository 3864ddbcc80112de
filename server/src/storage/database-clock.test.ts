import { followDatabaseClock } from './database-clock.js';

const onError = (error: unknown) => {
  throw error;
};

test("the clock returns the database's time, however long this machine has run", async () => {
  let monotonicMs = 5_000;
  const readTimeMs = () => Promise.resolve(1_790_000_000_000 + monotonicMs);
  const { clock, stop } = await followDatabaseClock({ readTimeMs, monotonicMs: () => monotonicMs, onError });
  expect(clock()).toBe(1_790_000_005_000);
  monotonicMs += 60_000;
  expect(clock()).toBe(1_790_000_065_000);
  stop();
});

test('uses the fastest of several readings, and assumes that a request and its response take equally long', async () => {
  const tookMs = [400, 10, 200];
  let monotonicMs = 0;
  const readTimeMs = () => {
    const ms = tookMs.shift() ?? 0;
    const timeMs = 1_000_000 + monotonicMs + (ms === 10 ? 5 : ms);
    monotonicMs += ms;
    return Promise.resolve(timeMs);
  };
  const { clock, stop } = await followDatabaseClock({ readTimeMs, monotonicMs: () => monotonicMs, onError });
  expect(clock()).toBe(1_000_000 + monotonicMs);
  stop();
});

test('the clock does not start if the first reading of the time fails', async () => {
  const readTimeMs = () => Promise.reject(new Error('gone'));
  await expect(followDatabaseClock({ readTimeMs, monotonicMs: () => 0, onError })).rejects.toThrow('gone');
});

test('later readings correct the clock; a failed reading is reported and changes nothing', async () => {
  jest.useFakeTimers();
  const errors: unknown[] = [];
  let timeMs = 1_000;
  let isGone = false;
  const { clock, stop } = await followDatabaseClock({
    readTimeMs: () => (isGone ? Promise.reject(new Error('gone')) : Promise.resolve(timeMs)),
    monotonicMs: () => 0,
    onError: (error) => errors.push(error),
  });
  timeMs = 3_600_000;
  await jest.advanceTimersByTimeAsync(10_000);
  expect(clock()).toBe(3_600_000);
  isGone = true;
  await jest.advanceTimersByTimeAsync(10_000);
  expect(clock()).toBe(3_600_000);
  expect(errors).toEqual([new Error('gone')]);
  stop();
  jest.useRealTimers();
});

test('ignores a slow reading and soon repeats it', async () => {
  jest.useFakeTimers();
  let timeMs = 1_000;
  let tookMs = 0;
  let monotonicMs = 0;
  const { clock, stop } = await followDatabaseClock({
    readTimeMs: () => {
      monotonicMs += tookMs;
      return Promise.resolve(timeMs + monotonicMs);
    },
    monotonicMs: () => monotonicMs,
    onError,
  });
  [timeMs, tookMs] = [3_600_000, 14_000];
  await jest.advanceTimersByTimeAsync(10_000);
  expect(clock() - monotonicMs).toBe(1_000);
  tookMs = 0;
  await jest.advanceTimersByTimeAsync(1_000);
  expect(clock() - monotonicMs).toBe(3_600_000);
  stop();
  jest.useRealTimers();
});
