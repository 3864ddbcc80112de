import { LAND, NEIGHBOUR, ringOf, type Outline } from './coastline.js';
import { COUNTRY_MAP_SIZE, isOnCountryMap, toCountryMap, drawOutlines, type Position } from './projection.js';

const TOWNS: Readonly<Record<string, readonly [latitude: number, longitude: number]>> = {
  London: [51.507, -0.128],
  Birmingham: [52.48, -1.9],
  Manchester: [53.48, -2.245],
  Leeds: [53.8, -1.549],
  Norwich: [52.63, 1.297],
  Exeter: [50.725, -3.527],
  Canterbury: [51.28, 1.08],
  Cardiff: [51.5, -3.2],
  Aberystwyth: [52.41, -4.06],
  Carlisle: [54.895, -2.935],
  Edinburgh: [55.94, -3.2],
  Inverness: [57.46, -4.24],
  Belfast: [54.58, -5.94],
  Enniskillen: [54.345, -7.63],
  Kirkwall: [58.98, -2.97],
  Stornoway: [58.21, -6.39],
  Newport: [50.7, -1.29],
  Douglas: [54.16, -4.5],
  Llangefni: [53.255, -4.31],
};

const SEA: readonly (readonly [latitude: number, longitude: number])[] = [
  [53.7, -4.9],
  [55.5, 0],
  [50.2, -1.5],
  [51.35, -4.2],
  [57.9, -3.4],
  [57.8, -6.2],
  [53.0, 0.35],
  [52.3, -5],
  [59.5, -1.9],
];

/** Whether a point is inside an outline: a line to the west crosses an odd number of edges (ray casting). */
function isInside({ x, y }: Position, corners: readonly Position[]): boolean {
  let inside = false;
  corners.forEach((one, index) => {
    const other = corners.at(index - 1) ?? one;
    if (one.y > y === other.y > y) return;
    if (x > one.x + ((y - one.y) / (other.y - one.y)) * (other.x - one.x)) inside = !inside;
  });
  return inside;
}

const drawnOutline = (outline: Outline): readonly Position[] =>
  ringOf(outline).map(([longitude, latitude]) => toCountryMap(latitude, longitude));

const shapes = LAND.map(drawnOutline);
const [mainland = []] = shapes;
const isOnLand = (latitude: number, longitude: number) =>
  shapes.some((shape) => isInside(toCountryMap(latitude, longitude), shape));

test.each(Object.entries(TOWNS))('the map shows %s on land', (_name, [latitude, longitude]) => {
  expect(isOnLand(latitude, longitude)).toBe(true);
});

test.each(SEA)('the map shows the position %d, %d in the sea', (latitude, longitude) => {
  expect(isOnLand(latitude, longitude)).toBe(false);
});

test('the map shows Dublin in Ireland, and not in the United Kingdom', () => {
  expect(isOnLand(53.33, -6.35)).toBe(false);
  expect(isInside(toCountryMap(53.33, -6.35), drawnOutline(NEIGHBOUR))).toBe(true);
});

test('on the map, towns are north, south, east and west of each other as in reality', () => {
  const place = (name: string) => toCountryMap(...(TOWNS[name] ?? [Number.NaN, Number.NaN]));
  expect(place('Kirkwall').y).toBeLessThan(place('Inverness').y);
  expect(place('Inverness').y).toBeLessThan(place('Edinburgh').y);
  expect(place('Edinburgh').y).toBeLessThan(place('Leeds').y);
  expect(place('Leeds').y).toBeLessThan(place('London').y);
  expect(place('Belfast').x).toBeLessThan(place('Cardiff').x);
  expect(place('Cardiff').x).toBeLessThan(place('London').x);
  expect(place('London').x).toBeLessThan(place('Norwich').x);
});

describe('the drawn mainland', () => {
  const landsEnd = toCountryMap(50.066, -5.715);
  const johnOGroats = toCountryMap(58.644, -3.07);
  const lowestoft = toCountryMap(52.481, 1.763);
  const lizard = toCountryMap(49.96, -5.2);
  const nearest = (place: Position) =>
    Math.min(...mainland.map((corner) => Math.hypot(corner.x - place.x, corner.y - place.y)));

  test('the mainland has a corner within 3 km of Land’s End, of John o’ Groats and of Lowestoft', () => {
    for (const place of [landsEnd, johnOGroats, lowestoft]) expect(nearest(place)).toBeLessThan(3);
  });

  test('the mainland reaches as far east as Lowestoft and as far south as the Lizard, to within 3 km', () => {
    expect(Math.abs(Math.max(...mainland.map(({ x }) => x)) - lowestoft.x)).toBeLessThan(3);
    expect(Math.abs(Math.max(...mainland.map(({ y }) => y)) - lizard.y)).toBeLessThan(3);
  });

  test('the northernmost point of the mainland is less than 8 km further north than John o’ Groats', () => {
    const north = Math.min(...mainland.map(({ y }) => y));
    expect(johnOGroats.y - north).toBeGreaterThanOrEqual(0);
    expect(johnOGroats.y - north).toBeLessThan(8);
  });

  test('the south of England reaches as far west as Land’s End, to within 3 km', () => {
    const england = mainland.filter(({ y }) => y > toCountryMap(51.2, -4.5).y);
    expect(Math.abs(Math.min(...england.map(({ x }) => x)) - landsEnd.x)).toBeLessThan(3);
  });
});

test('a unit of the map is a kilometre: Land’s End and John o’ Groats are 969 km apart', () => {
  const from = toCountryMap(50.0657, -5.7148);
  const to = toCountryMap(58.6444, -3.0681);
  expect(Math.hypot(to.x - from.x, to.y - from.y)).toBeCloseTo(969, -1);
});

test('all the land is on the map, and Paris is not', () => {
  for (const shape of shapes) expect(shape.every(isOnCountryMap)).toBe(true);
  expect(isOnCountryMap(toCountryMap(48.86, 2.35))).toBe(false);
  expect(COUNTRY_MAP_SIZE.height).toBeGreaterThan(COUNTRY_MAP_SIZE.width);
});

test('every outline has as many latitudes as longitudes, all in the range of the British Isles', () => {
  for (const outline of [...LAND, NEIGHBOUR]) {
    expect(outline.length % 2).toBe(0);
    outline.forEach((value, index) => {
      expect(index % 2 === 0 ? value > 49.8 && value < 61 : value > -10.6 && value < 1.8).toBe(true);
    });
  }
});

test('shores are drawn as closed lines from corner to corner', () => {
  const [corner = { x: 0, y: 0 }] = mainland;
  const start = `${corner.x.toFixed(1)},${corner.y.toFixed(1)}`;
  const path = drawOutlines(LAND.slice(0, 1));
  expect(path.startsWith(`M${start}L`)).toBe(true);
  expect(path.endsWith(`L${start}`)).toBe(true);
  expect(path.split('L')).toHaveLength(mainland.length);
  expect(drawOutlines(LAND).split('M')).toHaveLength(LAND.length + 1);
});
