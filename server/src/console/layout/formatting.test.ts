import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { Day, Email, formatAgo, formatDistance } from './formatting.js';

test.each([
  [0, '0 m'],
  [48.3, '48.3 m'],
  [200, '200 m'],
  [1_000, '1 km'],
  [2_346.7, '2.35 km'],
  [20_000, '20 km'],
])('formats %d metres as %s', (metres, words) => {
  expect(formatDistance(metres)).toBe(words);
});

test('a day shows its exact time on hover', () => {
  expect(renderToString(Day({ timeMs: Date.UTC(2_026, 10, 23, 18, 16) }))).toBe(
    '<time datetime="2026-11-23T18:16:00.000Z" title="23 Nov 2026, 18:16 UTC">23 Nov 2026</time>',
  );
});

test.each([
  [-30_000, 'now'],
  [-300_000, '5 min ago'],
  [-7_300_000, '2 hr ago'],
  [-90_000_000, '1 day ago'],
  [200_000_000, 'in 2 days'],
])('formats a time %d ms away as %s', (awayMs, words) => {
  expect(formatAgo(1_000_000_000_000 + awayMs, 1_000_000_000_000)).toBe(words);
});

test('a long e-mail may break after the @ and after each dot, a short one nowhere', () => {
  const html = (address: string) => renderToString(h(Email, { address }));
  expect(html('ada@example.org')).toBe('ada@example.org');
  expect(html('a.very.long.name.of.a.person@example.org')).toBe(
    'a.<wbr/>very.<wbr/>long.<wbr/>name.<wbr/>of.<wbr/>a.<wbr/>person@<wbr/>example.<wbr/>org',
  );
});
