import fc from 'fast-check';
import { NO_COORDINATE, UNITS_PER_DEGREE } from './directory-data.js';
import { degreesText, metresText } from './number-text.js';

const int32 = fc.integer({ min: NO_COORDINATE + 1, max: 2 ** 31 - 1 });

test('degrees are written as JSON writes the number', () => {
  const units = fc.oneof(
    fc.integer({ min: -180 * UNITS_PER_DEGREE, max: 180 * UNITS_PER_DEGREE }),
    fc.integer({ min: -180_000, max: 180_000 }).map((thousands) => thousands * 1_000),
    fc.integer({ min: -180, max: 180 }).map((degrees) => degrees * UNITS_PER_DEGREE),
    int32,
  );
  fc.assert(
    fc.property(units, (value) => {
      expect(degreesText(value)).toBe(JSON.stringify(value / UNITS_PER_DEGREE));
    }),
    { numRuns: 2_000 },
  );
});

test('metres are written as JSON writes the number', () => {
  fc.assert(
    fc.property(fc.oneof(fc.integer({ min: -2_000, max: 3_000_000 }), int32), (value) => {
      expect(metresText(value)).toBe(JSON.stringify(value));
    }),
    { numRuns: 2_000 },
  );
});

test('a coordinate that there is not is null', () => {
  expect(degreesText(NO_COORDINATE)).toBe('null');
  expect(metresText(NO_COORDINATE)).toBe('null');
});
