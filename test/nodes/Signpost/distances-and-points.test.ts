import { measureDistance } from '../../../nodes/Signpost/postcode/measure-distance';
import { reverseGeocode } from '../../../nodes/Signpost/postcode/reverse-geocode';
import { findNearestPostcodes } from '../../../nodes/Signpost/postcode/searches';
import { property } from '../../../nodes/shared/values';
import { success } from '../fixtures/fake-execution';
import { record, run } from '../fixtures/new-node';

const distances = (body: unknown) => {
  const to = property(body, 'to');
  const places: unknown[] = Array.isArray(to) ? to : [];
  const missing = places.flatMap((place, index) =>
    place === 'nowhere' ? [{ index, reason: 'malformed' }] : [],
  );
  const results = places.map((place, index) =>
    place === 'nowhere' ? null : { metres: 1000 - index, bearingDegrees: 0 },
  );
  return success({ results, missing });
};

test('Measure Distance returns an item per destination with its name, and accepts lists in several formats', async () => {
  const point = { latitude: 51.5, longitude: -0.1 };
  const shop = { name: 'Our shop', postcode: 'B1 1BB' };
  const to = ['M1 1AE, nowhere;\nEH99 1SP', '51.5, -0.1', point, shop];
  const { json, bodies } = await run(measureDistance, {
    parameters: { from: 'SW1A 1AA', to },
    items: [{ row: 7 }],
    answer: distances,
  });
  expect(property(bodies[0], 'to')).toEqual(['M1 1AE', 'nowhere', 'EH99 1SP', point, point, 'B1 1BB']);
  expect(json.map(({ row, destination, found, reason }) => [row, destination, found, reason])).toEqual([
    [7, 'M1 1AE', true, undefined],
    [7, 'nowhere', false, 'malformed'],
    [7, 'EH99 1SP', true, undefined],
    [7, '51.5, -0.1', true, undefined],
    [7, point, true, undefined],
    [7, 'Our shop', true, undefined],
  ]);
});

test('Measure Distance can return only the nearest of all destinations, even if they take several requests', async () => {
  const to = Array.from({ length: 150 }, (_, index) => `M${index} 1AE`);
  const { json, bodies } = await run(measureDistance, {
    parameters: { from: 'SW1A 1AA', to, distanceOutput: 'nearest' },
    answer: distances,
  });
  expect(bodies).toHaveLength(2);
  expect(json).toEqual([{ destination: 'M99 1AE', metres: 901, bearingDegrees: 0, found: true }]);
});

test('Measure Distance of version 1 splits a text that lists several destinations', async () => {
  const parameters = { from: 'SW1A 1AA', to: ['M1 1AE, EH99 1SP'] };
  const { json } = await run(measureDistance, { parameters, answer: distances, typeVersion: 1 });
  expect(json).toMatchObject([{ results: [{ metres: 1000 }, { metres: 999 }] }]);
});

test('Reverse Geocode sends all valid points in one request, and fails only the items with invalid ones', async () => {
  const points = [
    [51.5, -0.1],
    ['51.6', ' -0.2 '],
    ['', 0],
    [0, 0],
    ['north', 0],
  ];
  const { json, bodies } = await run(reverseGeocode, {
    parameters: points.map(([latitude, longitude]) => ({ latitude, longitude })),
    items: points.map((_, row) => ({ row })),
    answer: () => success({ results: [record('SW1A 1AA'), record('SW2 1AA'), null], note: 'Not in the UK.' }),
  });
  expect(bodies).toHaveLength(1);
  expect(property(bodies[0], 'points')).toEqual([
    { latitude: 51.5, longitude: -0.1 },
    { latitude: 51.6, longitude: -0.2 },
    { latitude: 0, longitude: 0 },
  ]);
  expect(json).toMatchObject([
    { row: 0, postcode: 'SW1A 1AA', found: true },
    { row: 1, postcode: 'SW2 1AA', found: true },
    { row: 2, error: 'Latitude is empty' },
    { row: 3, found: false, reason: 'noneInRange', note: 'Not in the UK.' },
    { row: 4, error: 'Latitude is not a number from -90 to 90' },
  ]);
});

test('Find Nearest can return all postcodes, requested page by page', async () => {
  const { json, bodies } = await run(findNearestPostcodes, {
    parameters: { postcode: 'SW1A 1AA', returnAll: true },
    items: [{ row: 7 }],
    answer: (body) => {
      const left = 250 - Number(property(body, 'offset'));
      return success({
        results: Array.from({ length: Math.min(100, left) }, () => record('SW1A 1AA')),
        total: 250,
      });
    },
  });
  expect(bodies).toHaveLength(3);
  expect(json).toHaveLength(250);
  expect(json[249]).toMatchObject({ row: 7, postcode: 'SW1A 1AA' });
});

test('Measure Distance takes rows of a table as destinations, also without a postcode', async () => {
  const to = [
    { Name: 'Our shop', Postcode: 'B1 1BB', Manager: 'Ada' },
    { Name: 'New shop', Postcode: '' },
    { Name: 'Old shop', Postcode: null, Latitude: null, Longitude: '' },
    { name: 'Depot', Latitude: '51.5', Longitude: '-0.1' },
  ];
  const { json, bodies } = await run(measureDistance, {
    parameters: { from: 'SW1A 1AA', to },
    answer: distances,
  });
  expect(property(bodies[0], 'to')).toEqual(['B1 1BB', { latitude: 51.5, longitude: -0.1 }]);
  expect(json).toMatchObject([
    { destination: 'Our shop', metres: 1000, found: true },
    { destination: 'New shop', metres: null, found: false, reason: 'blank' },
    { destination: 'Old shop', metres: null, found: false, reason: 'blank' },
    { destination: 'Depot', metres: 999, found: true },
  ]);
});

test.each([1.1, 1.2])(
  'version %p: a destination with neither postcode nor location is an error that quotes it',
  async (typeVersion) => {
    const { json, bodies } = await run(measureDistance, {
      parameters: { from: 'SW1A 1AA', to: ['M1 1AE', { code: 'B1 1BB' }] },
      answer: distances,
      typeVersion,
    });
    expect(bodies).toEqual([]);
    expect(json).toMatchObject([
      {
        error: 'Destination 2 has neither a postcode nor latitude and longitude',
        details: { description: expect.stringContaining('{"code":"B1 1BB"}') },
      },
    ]);
  },
);
