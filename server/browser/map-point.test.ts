import {
  COUNTRY_MAP_DATA,
  LOCAL_MAP_SIDE,
  localProjection,
  toCountryMap,
} from '../src/console/map/projection.js';
import { pointAt } from './map-point.js';

/** Returns the `dataset` that a map element with these attributes has. */
const dataset = (attributes: Readonly<Record<string, string | number>>) =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name.replace('data-', ''), String(value)]),
  );

test.each([
  [51.501, -0.1416],
  [49.95, -6.3],
  [60.8, -0.9],
  [54.6, -5.93],
])(
  'a position on the country map is converted back to the point %d, %d that was drawn there',
  (latitude, longitude) => {
    const { x, y } = toCountryMap(latitude, longitude);
    const point = pointAt(x, y, dataset(COUNTRY_MAP_DATA), 0);
    expect(point.latitude).toBeCloseTo(latitude, 6);
    expect(point.longitude).toBeCloseTo(longitude, 6);
  },
);

test.each([
  [51.501, -0.1416],
  [51.6, -0.3],
  [51.501, 0.02],
])(
  'a position on a local map is converted back to the point %d, %d that was drawn there',
  (latitude, longitude) => {
    const { project, data } = localProjection(51.501, -0.1416, 20_000);
    const { x, y } = project(latitude, longitude);
    const point = pointAt(x, y, dataset(data), LOCAL_MAP_SIDE);
    expect(point.latitude).toBeCloseTo(latitude, 6);
    expect(point.longitude).toBeCloseTo(longitude, 6);
  },
);
