import fc from 'fast-check';
import { distanceBetween, type Point } from './distance.js';
import { geodesicMetres, positionOf } from './geodesic.js';

const anywhere = fc.record({
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
});
const at = (latitude: number, longitude: number): Point => ({ latitude, longitude });

/** Values from Karney's own documents and from the definition of the ellipsoid. */
test.each([
  ['New York to Paris', at(40.6, -73.8), at(49 + 1 / 60, 2.55), 5_853_226.3, 53.5],
  ['a degree along the equator', at(0, 0), at(0, 1), 111_319.5, 90],
  ['a degree back', at(0, 1), at(0, 0), 111_319.5, 270],
  ['the equator to the north pole', at(0, 7), at(90, 7), 10_001_965.7, 0],
  ['the pole to the equator', at(90, 0), at(0, 0), 10_001_965.7, 180],
  ['pole to pole', at(90, 0), at(-90, 0), 20_003_931.5, 180],
  ['across the antimeridian', at(0, 179.5), at(0, -179.5), 111_319.5, 90],
])('computes the distance and the bearing: %s', (_name, from, to, metres, bearingDegrees) => {
  expect(distanceBetween(from, to)).toEqual({ metres, bearingDegrees });
});

test('the distance is the same in both directions', () => {
  fc.assert(
    fc.property(anywhere, anywhere, (one, other) => {
      const { metres } = distanceBetween(one, other);
      expect(Math.abs(metres - distanceBetween(other, one).metres)).toBeLessThan(0.11);
      expect(metres).toBeLessThanOrEqual(20_003_931.5);
    }),
    { numRuns: 500 },
  );
});

test('a short distance agrees to within 6 cm with the formula that a search for the nearest postcodes uses', () => {
  const step = fc.double({ min: -0.1, max: 0.1, noNaN: true });
  const british = fc.record({
    latitude: fc.double({ min: 49, max: 61, noNaN: true }),
    longitude: fc.double({ min: -8, max: 2, noNaN: true }),
  });
  fc.assert(
    fc.property(british, step, step, (from, north, east) => {
      const to = at(from.latitude + north, from.longitude + east);
      const metres = geodesicMetres(
        positionOf(from.latitude, from.longitude),
        positionOf(to.latitude, to.longitude),
      );
      expect(Math.abs(distanceBetween(from, to).metres - metres)).toBeLessThan(0.06);
    }),
    { numRuns: 500 },
  );
});

test('a bearing is at least 0 and less than 360; from a point to itself it is null', () => {
  fc.assert(
    fc.property(anywhere, anywhere, (from, to) => {
      const { bearingDegrees } = distanceBetween(from, to);
      expect(bearingDegrees ?? 0).toBeGreaterThanOrEqual(0);
      expect(bearingDegrees ?? 0).toBeLessThan(360);
      expect(distanceBetween(from, from)).toEqual({ metres: 0, bearingDegrees: null });
    }),
    { numRuns: 500 },
  );
  // Rounding alone would make the bearing 360.
  expect(distanceBetween(at(51, 0), at(52, -0.0001)).bearingDegrees).toBe(0);
});
