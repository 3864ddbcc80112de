import { parseDay } from './time-units.js';

test.each([
  ['2026-11-23', Date.UTC(2026, 10, 23)],
  ['2024-02-29', Date.UTC(2024, 1, 29)],
  ['2026-02-29', undefined],
  ['2026-04-31', undefined],
  ['2026-13-01', undefined],
  ['2026-11-23T12:00', undefined],
  ['', undefined],
])('reads "%s" as a day only if it is a real day in the form 2026-11-23', (text, startMs) => {
  expect(parseDay(text)).toBe(startMs);
});
