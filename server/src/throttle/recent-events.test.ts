import { RecentEvents } from './recent-events.js';

const WINDOW_MS = 60_000;
let nowMs = 0;
const recentEvents = (max: number, maxSubjects?: number) =>
  new RecentEvents({
    max,
    windowMs: WINDOW_MS,
    monotonicMs: () => nowMs,
    ...(maxSubjects === undefined ? {} : { maxSubjects }),
  });
beforeEach(() => (nowMs = 1_000));

test('allows the maximum of events, and does not count those that must wait', () => {
  const recent = recentEvents(3);
  expect([1, 2, 3].map(() => recent.add('a'))).toEqual([0, 0, 0]);
  for (let times = 0; times < 10; times += 1) expect(recent.add('a')).toBe(60);
  expect(recent.add('b')).toBe(0);
});

test('allows another event after exactly the announced wait', () => {
  for (const events of [
    [0, 0, 0],
    [0, 30_000, 59_000],
    [50_000, 59_999, 59_999],
  ]) {
    const recent = recentEvents(3);
    const startMs = nowMs;
    for (const atMs of events) {
      nowMs = startMs + atMs;
      expect(recent.add('a')).toBe(0);
    }
    const seconds = recent.add('a');
    expect(seconds).toBe(recent.waitSeconds('a'));
    expect(seconds).toBeGreaterThan(0);
    nowMs += (seconds - 1) * 1_000;
    expect(recent.waitSeconds('a')).toBe(1);
    nowMs += 1_000;
    expect(recent.add('a')).toBe(0);
  }
});

test('allows no second burst at the edge of a window', () => {
  const recent = recentEvents(100);
  recent.add('a');
  nowMs += WINDOW_MS - 1;
  for (let times = 0; times < 99; times += 1) expect(recent.add('a')).toBe(0);
  nowMs += 2;
  expect(recent.add('a')).toBe(0);
  expect(recent.add('a')).toBe(60);
});

test('allows either all of several events at once or none of them', () => {
  const recent = recentEvents(10);
  expect(recent.add('a', 8)).toBe(0);
  expect(recent.add('a', 3)).toBeGreaterThan(0);
  expect(recent.add('a', 2)).toBe(0);
});

test('if there are too many subjects, forgets a quiet one, but not a busy one', () => {
  const recent = recentEvents(2, 3);
  recent.add('quiet', 2);
  recent.add('busy');
  recent.add('other');
  recent.add('busy');
  recent.add('new');
  expect(recent.waitSeconds('quiet')).toBe(0);
  expect(recent.waitSeconds('busy')).toBeGreaterThan(0);
});
