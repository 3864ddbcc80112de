import fc from 'fast-check';
import geographicLib from 'geographiclib-geodesic';
import { smallDirectory } from '../../../../test/fixtures/postcodes/small-directory.js';
import { geodesicMetres, positionOf } from './geodesic.js';
import { NearestSearch, type NearestQuery } from './nearest-rows.js';

/** Computes a distance by Karney's geodesic, an independent formula. */
const karneyMetres = (...places: readonly [number, number, number, number]) =>
  geographicLib.Geodesic.WGS84.Inverse(...places).s12 ?? NaN;

/**
 * Fewer metres than a degree of latitude has anywhere, so that far points can be skipped without computing their
 * geodesic.
 */
const MIN_METRES_PER_DEGREE_OF_LATITUDE = 110_000;

const CHARACTERS = 'ABDEFGHJLNPQRSTUWXYZ';
const pick = (number: number) => CHARACTERS.charAt(number % CHARACTERS.length);
const postcodeAt = (index: number) =>
  `SW${Math.trunc(index / 4000) % 10} ${Math.trunc(index / 400) % 10}${pick(Math.trunc(index / 20))}${pick(index)}`;

type Point = readonly [latitude: number, longitude: number];

function expected(points: readonly Point[], { latitude, longitude, limit, radiusMetres }: NearestQuery) {
  return points
    .map(([lat, long], row) => ({ row, lat, long }))
    .filter(({ lat }) => Math.abs(lat - latitude) * MIN_METRES_PER_DEGREE_OF_LATITUDE <= radiusMetres)
    .map(({ row, lat, long }) => ({ row, metres: karneyMetres(latitude, longitude, lat, long) }))
    .filter(({ metres }) => metres <= radiusMetres)
    .map(({ row, metres }) => ({ row, distanceMetres: Math.round(metres * 10) / 10 }))
    .sort((one, other) => one.distanceMetres - other.distanceMetres || one.row - other.row)
    .slice(0, limit);
}

/** Rounds degrees to millionths, in which the directory stores them. */
const rounded = (degrees: number) => Math.round(degrees * 1e6) / 1e6;

const searchOf = (points: readonly Point[]) =>
  new NearestSearch(smallDirectory(points.map((at, index) => ({ postcode: postcodeAt(index), at }))).grid);

function checkAgainstEveryPoint(points: readonly Point[], query: NearestQuery, search = searchOf(points)) {
  const found = search.find(query);
  const wanted = expected(points, query);
  // Two independent formulas may round a distance differently in the last decimal, and then order it
  // differently.
  expect(found.map(({ distanceMetres }) => distanceMetres)).toHaveLength(wanted.length);
  found.forEach(({ row, distanceMetres }, index) => {
    const [lat, long] = points[row] ?? [NaN, NaN];
    expect(Math.abs(distanceMetres - karneyMetres(query.latitude, query.longitude, lat, long))).toBeLessThan(
      0.0521,
    );
    expect(Math.abs(distanceMetres - (wanted[index]?.distanceMetres ?? NaN))).toBeLessThan(0.1001);
  });
  expect(found).toEqual(
    [...found].sort((one, other) => one.distanceMetres - other.distanceMetres || one.row - other.row),
  );
}

const around = (latitude: number, longitude: number, reachDegrees: number) =>
  fc
    .tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.double({ min: -1, max: 1, noNaN: true }))
    .map(([north, east]): Point => {
      const turned = longitude + (east * reachDegrees) / Math.max(Math.cos((latitude * Math.PI) / 180), 0.01);
      const wrapped = turned > 180 ? turned - 360 : turned < -180 ? turned + 360 : turned;
      return [rounded(Math.max(-90, Math.min(90, latitude + north * reachDegrees))), rounded(wrapped)];
    });

describe('the distance', () => {
  test("distances under 20 km agree with Karney's geodesic to within a millimetre, up to 89° north or south", () => {
    const anywhere = fc.tuple(
      fc.double({ min: -89, max: 89, noNaN: true }),
      fc.double({ min: -180, max: 180, noNaN: true }),
    );
    const step = fc.tuple(
      fc.double({ min: -0.12, max: 0.12, noNaN: true }),
      fc.double({ min: -0.12, max: 0.12, noNaN: true }),
    );
    fc.assert(
      fc.property(anywhere, step, ([latitude, longitude], [north, east]) => {
        const to = [latitude + north, longitude + east / Math.cos((latitude * Math.PI) / 180)] as const;
        const metres = geodesicMetres(positionOf(latitude, longitude), positionOf(...to));
        expect(Math.abs(metres - karneyMetres(latitude, longitude, ...to))).toBeLessThan(0.001);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the nearest rows', () => {
  test.each([
    ['London', 51.5, -0.12],
    ['the Shetlands', 60.2, -1.2],
    ['the equator', 0, 0],
    ['the antimeridian', 52, 180],
    ['high latitudes', 69.95, 20],
    ['the north pole', 90, 0],
    ['beside the south pole', -89.95, 170],
  ])('the nearest rows around %s are the same as by comparing every point', (_place, latitude, longitude) => {
    const points = fc.array(around(latitude, longitude, 0.2), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(
        points,
        around(latitude, longitude, 0.2),
        fc.integer({ min: 1, max: 100 }),
        fc.constantFrom(100, 2_000, 20_000),
        (all, [lat, long], limit, radiusMetres) => {
          checkAgainstEveryPoint(all, { latitude: lat, longitude: long, limit, radiusMetres });
        },
      ),
      { numRuns: 60 },
    );
  });

  test('the nearest of thousands of crowded points are the same as by comparing every point', () => {
    const points = Array.from({ length: 8_000 }, (_, index): Point => [
      rounded(51.4 + ((index * 7919) % 8009) / 40_000),
      rounded(-0.3 + ((index * 104729) % 7919) / 20_000),
    ]);
    const search = searchOf(points);
    for (let step = 0; step < 50; step += 1) {
      const query = {
        latitude: 51.3 + step / 125,
        longitude: -0.4 + step / 83,
        limit: 1 + 2 * step,
        radiusMetres: 3_000,
      };
      checkAgainstEveryPoint(points, query, search);
    }
  });

  test('rows at the same position are in the order of postcodes, whatever the limit', () => {
    const { grid } = smallDirectory(
      Array.from({ length: 50 }, (_, index) => ({ postcode: postcodeAt(index), at: [51.5, -0.1] })),
    );
    for (const limit of [1, 10, 50, 100]) {
      const found = new NearestSearch(grid).find({
        latitude: 51.501,
        longitude: -0.1,
        limit,
        radiusMetres: 2_000,
      });
      expect(found.map(({ row }) => row)).toEqual(
        Array.from({ length: Math.min(limit, 50) }, (_, row) => row),
      );
    }
  });

  test('the nearest rows exclude terminated postcodes and those without a position', () => {
    const { grid } = smallDirectory([
      { postcode: 'SW1A 1AA', isActive: false, at: [51.5, -0.1] },
      { postcode: 'SW1A 1AB' },
    ]);
    expect(
      new NearestSearch(grid).find({ latitude: 51.5, longitude: -0.1, limit: 10, radiusMetres: 20_000 }),
    ).toEqual([]);
  });

  test('returns an empty list far from every postcode', () => {
    const { grid } = smallDirectory([{ postcode: 'SW1A 1AA', at: [51.5, -0.1] }]);
    for (const [latitude, longitude] of [
      [90, 0],
      [-90, 180],
      [0, -180],
      [51.5, 180],
      [51.5, 179.9],
    ] as const) {
      expect(new NearestSearch(grid).find({ latitude, longitude, limit: 100, radiusMetres: 20_000 })).toEqual(
        [],
      );
    }
  });
});

describe('a page of the nearest rows', () => {
  const query = { latitude: 51.45, longitude: -0.2, limit: 7, radiusMetres: 5_000 };

  test('a page of the nearest rows is the part of the whole list that begins at its offset, and has the total in range', () => {
    const point = around(51.45, -0.2, 0.08);
    fc.assert(
      fc.property(
        fc.array(point, { maxLength: 200 }),
        fc.nat(220),
        fc.constantFrom(100, 2_000, 5_000),
        (points, offset, radiusMetres) => {
          const search = searchOf(points);
          const whole = search.find({ ...query, radiusMetres, limit: 1_000 });
          const { nearby, total } = search.findPage({ ...query, radiusMetres }, offset);
          expect(nearby).toEqual(whole.slice(offset, offset + query.limit));
          expect(total).toBe(whole.length);
          // A page must not affect the next search.
          expect(search.find({ ...query, radiusMetres, limit: 1_000 })).toEqual(whole);
        },
      ),
      { numRuns: 100 },
    );
  });

  test('pages show rows at the same position ordered by postcode, each once', () => {
    const search = searchOf(Array.from({ length: 50 }, (): Point => [51.45, -0.2]));
    const pages = [0, 7, 14, 21, 28, 35, 42, 49, 56].map((offset) => search.findPage(query, offset));
    expect(pages.flatMap(({ nearby }) => nearby.map(({ row }) => row))).toEqual(
      Array.from({ length: 50 }, (_, row) => row),
    );
    expect(pages.map(({ total }) => total)).toEqual(Array.from({ length: 9 }, () => 50));
  });

  test('the total of a page counts points near the edge of the circle as the whole list does', () => {
    // Points within a few metres on each side of the edge.
    const edge = Array.from({ length: 400 }, (_, index): Point => [
      rounded(51.45 + Math.cos(index) * 0.04494 * (1 + (index % 21) / 10_000 - 0.001)),
      rounded(-0.2 + Math.sin(index) * 0.07197 * (1 + (index % 21) / 10_000 - 0.001)),
    ]);
    const search = searchOf(edge);
    const { total } = search.findPage(query, 0);
    expect(total).toBe(search.find({ ...query, limit: 1_000 }).length);
    expect(total).toBeGreaterThan(50);
    expect(total).toBeLessThan(350);
  });

  test('a page near a pole has the right total', () => {
    const search = searchOf([
      [89.99, 0],
      [89.99, 120],
      [89.9, 10],
    ]);
    const polar = { latitude: 90, longitude: 0, limit: 1, radiusMetres: 2_000 };
    expect(search.findPage(polar, 1)).toMatchObject({ nearby: [{ row: 1 }], total: 2 });
  });
});
