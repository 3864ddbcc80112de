import { createHeartbeat, startBeating, watchBeats } from './heartbeat.js';

const SILENCE_MS = 30_000;

let silent: boolean;
const onSilence = () => {
  silent = true;
};

beforeEach(() => {
  jest.useFakeTimers();
  silent = false;
});
afterEach(() => jest.useRealTimers());

test('a thread that keeps beating does not count as silent, even after 100 times the maximum silence', () => {
  const heartbeat = createHeartbeat(SILENCE_MS);
  startBeating(heartbeat);
  watchBeats(heartbeat, onSilence);
  jest.advanceTimersByTime(100 * SILENCE_MS);
  expect(silent).toBe(false);
});

test('a thread that stops beating is reported once, 1 to 1.5 times the maximum silence later', () => {
  const heartbeat = createHeartbeat(SILENCE_MS);
  heartbeat.beats[0] = 5;
  watchBeats(heartbeat, onSilence);
  jest.advanceTimersByTime(SILENCE_MS);
  expect(silent).toBe(false);
  jest.advanceTimersByTime(SILENCE_MS / 2);
  expect(silent).toBe(true);
  silent = false;
  jest.advanceTimersByTime(10 * SILENCE_MS);
  expect(silent).toBe(false);
});

test('a thread that has not begun to beat does not count as silent', () => {
  watchBeats(createHeartbeat(SILENCE_MS), onSilence);
  jest.advanceTimersByTime(10 * SILENCE_MS);
  expect(silent).toBe(false);
});

test('a watch that was stopped reports nothing', () => {
  const heartbeat = createHeartbeat(SILENCE_MS);
  heartbeat.beats[0] = 5;
  watchBeats(heartbeat, onSilence)();
  jest.advanceTimersByTime(10 * SILENCE_MS);
  expect(silent).toBe(false);
});
