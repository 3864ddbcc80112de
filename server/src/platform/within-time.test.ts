import { settledWithin, withinTime } from './within-time.js';

const LATE_MS = 1_000;
const late = () => new Error('It took too long.');
const never = () => new Promise<never>(() => undefined);

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('passes on the result or the error of work that ends in time, and leaves no timer behind', async () => {
  expect(await withinTime(Promise.resolve('done'), LATE_MS, late)).toBe('done');
  await expect(withinTime(Promise.reject(new Error('failed')), LATE_MS, late)).rejects.toThrow('failed');
  expect(jest.getTimerCount()).toBe(0);
});

test('rejects with the given error if the work takes too long', async () => {
  const outcome = expect(withinTime(never(), LATE_MS, late)).rejects.toThrow('It took too long.');
  await jest.advanceTimersByTimeAsync(LATE_MS);
  await outcome;
});

test('waits until the work succeeds or fails, or until the time is up', async () => {
  await settledWithin(Promise.resolve(), LATE_MS);
  await settledWithin(Promise.reject(new Error('failed')), LATE_MS);
  expect(jest.getTimerCount()).toBe(0);
  const waiting = settledWithin(never(), LATE_MS);
  await jest.advanceTimersByTimeAsync(LATE_MS);
  await waiting;
});
