import { countTicks, tickLabel } from './bar-chart.js';

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [4, [0, 1, 2, 3, 4]],
  [5, [0, 2, 4, 6]],
  [18, [0, 5, 10, 15, 20]],
  [20, [0, 5, 10, 15, 20]],
  [21, [0, 10, 20, 30]],
  [999, [0, 500, 1_000]],
  [1_000_000_000, [0, 500_000_000, 1_000_000_000]],
])('the axis for counts up to %i has the ticks %j', (largest, ticks) => {
  expect(countTicks(largest)).toEqual(ticks);
});

test('the axis for any largest count up to 3,000 reaches it in one to four equal steps of 1, 2 or 5 times a power of ten', () => {
  for (let largest = 0; largest <= 3_000; largest += 1) {
    const ticks = countTicks(largest);
    const step = ticks[1] ?? NaN;
    expect(String(step)).toMatch(/^[125]0*$/u);
    expect(ticks).toEqual(ticks.map((_, index) => index * step));
    expect(ticks.length).toBeLessThanOrEqual(5);
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(largest);
    expect((ticks.at(-1) ?? NaN) - step).toBeLessThan(Math.max(1, largest));
  }
});

test.each([
  [0, '0'],
  [500, '500'],
  [1_000, '1,000'],
  [20_000, '20k'],
  [1_500_000, '1.5m'],
])('the tick %i has the label %s', (tick, label) => {
  expect(tickLabel(tick)).toBe(label);
});
