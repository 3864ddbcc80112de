import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { DailyUsageChart } from './daily-usage-chart.js';

const dailyUsage = Array.from({ length: 30 }, (_, index) => ({
  date: `2026-06-${String(index + 1).padStart(2, '0')}`,
  requestCount: index === 11 ? 18 : index % 2,
}));
const html = renderToString(h(DailyUsageChart, { dailyUsage, label: 'Requests of <b> per day' }));

test('every day has a column with its date and count, and a line instead of a bar if it has no requests', () => {
  expect(html.match(/<title>/gu)).toHaveLength(30);
  expect(html).toContain('<title>12 Jun 2026: 18 requests</title>');
  expect(html).toContain('<title>1 Jun 2026: no requests</title>');
  expect(html.match(/class="chart-none"/gu)).toHaveLength(15);
  expect(html.match(/<rect class="outcome-answered"/gu)).toHaveLength(15);
});

test("the chart has an aria-label with the caller's label, escaped, and a summary", () => {
  expect(html).toMatch(
    /role="img" aria-label="Requests of &lt;b> per day, a bar chart: 32 requests from 1 Jun 2026 to 30 Jun 2026/u,
  );
  expect(html).not.toContain('<b>');
});

test('the table of daily usage lists all days, latest first', () => {
  const dates = [...html.matchAll(/<time datetime="([^"]*)"/gu)].map(([, date]) => date);
  expect(dates).toEqual(dailyUsage.map(({ date }) => date).toReversed());
});

test('the chart has no inline styles', () => {
  expect(html).not.toMatch(/style=/u);
});

test('a single request is visible beside a day with a million, and bars lie in date order within the plot', () => {
  const unequal = [1_000_000, 0, 1].map((requestCount, day) => ({
    date: `2026-06-0${day + 1}`,
    requestCount,
  }));
  const plot = renderToString(h(DailyUsageChart, { dailyUsage: unequal, label: 'Requests' }));
  const valuesOf = (name: string) =>
    [...plot.matchAll(new RegExp(`<rect class="outcome-answered"[^>]* ${name}="([\\d.]+)%"`, 'gu'))].map(
      ([, value]) => Number(value),
    );
  expect(valuesOf('y')).toEqual([0, 98.5]);
  expect(valuesOf('height')).toEqual([100, 1.5]);
  const [[first, last = NaN], [, width = NaN]] = [valuesOf('x'), valuesOf('width')];
  expect(first).toBe(0);
  expect(last + width).toBeCloseTo(100, 1);
});
