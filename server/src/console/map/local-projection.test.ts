import { LOCAL_MAP_SIDE, localProjection } from './projection.js';

const MIDDLE = LOCAL_MAP_SIDE / 2;

test('the point of a local map is in its middle, with north up and east to the right', () => {
  const { project } = localProjection(51.5, -0.14, 1_000);
  expect(project(51.5, -0.14)).toEqual({ x: MIDDLE, y: MIDDLE });
  expect(project(51.501, -0.14).y).toBeLessThan(MIDDLE);
  expect(project(51.5, -0.139).x).toBeGreaterThan(MIDDLE);
});

test.each([
  [49.2, -2.1],
  [51.501, -0.1416],
  [60.8, -0.9],
])(
  'distances around latitude %d, longitude %d are correct: a minute of both is as long as on the ground',
  (latitude, longitude) => {
    const { project, unitsPerMetre } = localProjection(latitude, longitude, 20_000);
    const north = project(latitude + 1 / 60, longitude);
    const east = project(latitude, longitude + 1 / 60);
    // A minute of latitude is 1852 m to within half a percent; a minute of longitude is 1852 m times the cosine of the
    // latitude.
    expect((MIDDLE - north.y) / unitsPerMetre / 1_852).toBeCloseTo(1, 1.9);
    const cosine = Math.cos((latitude * Math.PI) / 180);
    expect((east.x - MIDDLE) / unitsPerMetre / (1_852 * cosine)).toBeCloseTo(1, 1.9);
  },
);

test('points at the radius of a local map, in the north and in the west, are on it', () => {
  const { project, halfSideMetres } = localProjection(55.95, -3.19, 2_000);
  expect(halfSideMetres).toBeGreaterThan(2_000);
  for (const [latitude, longitude] of [
    [55.95 + 2_000 / 111_320, -3.19],
    [55.95, -3.19 - 2_000 / 111_320 / Math.cos((55.95 * Math.PI) / 180)],
  ] as const) {
    const { x, y } = project(latitude, longitude);
    expect(Math.min(x, y)).toBeGreaterThan(0);
    expect(Math.max(x, y)).toBeLessThan(LOCAL_MAP_SIDE);
  }
});

test('a local map with a radius of 0 still shows some area', () => {
  expect(localProjection(51.5, -0.14, 0).halfSideMetres).toBeGreaterThan(10);
});
