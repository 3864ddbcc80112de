import { renderToString } from 'preact-render-to-string';
import { Day, formatDistance } from './formatting.js';

test.each([
  [0, '0 m'],
  [48.3, '48.3 m'],
  [200, '200 m'],
  [1_000, '1 km'],
  [2_346.7, '2.35 km'],
  [20_000, '20 km'],
])('%d metres are written as %s', (metres, words) => {
  expect(formatDistance(metres)).toBe(words);
});

test("a day's element contains the exact time, shown on hover", () => {
  expect(renderToString(Day({ timeMs: Date.UTC(2_026, 10, 23, 18, 16) }))).toBe(
    '<time datetime="2026-11-23T18:16:00.000Z" title="23 Nov 2026, 18:16 UTC">23 Nov 2026</time>',
  );
});
