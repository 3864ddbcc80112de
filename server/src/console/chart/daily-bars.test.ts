import { dailyBars } from './daily-bars.js';

const days = (...counts: readonly number[]) =>
  counts.map((requestCount, index) => ({ date: `2026-03-0${index + 1}`, requestCount }));

test('a bar stands on the baseline, and its height is its share of the axis', () => {
  const [half, whole] = dailyBars(days(10, 20), 20);
  expect(half).toMatchObject({ height: 50, y: 50 });
  expect(whole).toMatchObject({ height: 100, y: 0 });
});

test('a single request is visible beside a day with a million', () => {
  const [none, one] = dailyBars(days(0, 1, 1_000_000), 1_000_000);
  expect(none).toMatchObject({ height: 0, y: 100 });
  expect(one).toMatchObject({ height: 1.5, y: 98.5 });
});

test('bars lie in date order inside slots that fill the plot', () => {
  const bars = dailyBars(days(1, 2, 3, 4), 4);
  expect(bars.map(({ slotX }) => slotX)).toEqual([0, 25, 50, 75]);
  for (const { slotX, slotWidth, x, width } of bars) {
    expect(slotWidth).toBe(25);
    expect(x).toBeGreaterThan(slotX);
    expect(x + width).toBeLessThan(slotX + slotWidth);
  }
});
