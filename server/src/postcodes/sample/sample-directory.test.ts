import { parsedDirectory } from '../../../../test/fixtures/postcodes/parsed-directory.js';
import codes from './codes.json' with { type: 'json' };
import rows from './postcodes.json' with { type: 'json' };
import { sampleDirectory } from './sample-directory.js';

const sample = parsedDirectory(sampleDirectory());
const records = rows.map((row) => {
  const record = sample.lookup(row.split('|')[0] ?? '');
  if (typeof record !== 'object') throw new Error(`${row} is not in the sample`);
  return record;
});

describe('the sample', () => {
  test('has every line of its table, each postcode once and in canonical form', () => {
    expect(new Set(records.map(({ postcode }) => postcode)).size).toBe(rows.length);
    expect(records.map(({ postcode }) => postcode)).toEqual(rows.map((row) => row.split('|')[0]));
    expect(sample.info).toMatchObject({ rows: rows.length, isSample: true });
    expect(rows.every((row) => row.split('|').length <= 15)).toBe(true);
  });

  test('has postcodes of every nation, every region of England, the Crown dependencies, and terminated ones', () => {
    const values = (field: 'country' | 'region') =>
      [...new Set(records.map((record) => record[field]))].sort();
    expect(values('country')).toEqual([
      'Channel Islands',
      'England',
      'Isle of Man',
      'Northern Ireland',
      'Scotland',
      'Wales',
    ]);
    expect(values('region').filter((region) => region !== null)).toHaveLength(9);
    expect(records.some(({ isActive }) => !isActive)).toBe(true);
    for (const area of ['JE', 'GY', 'IM', 'BT'])
      expect(records.some(({ outcode }) => outcode.startsWith(area))).toBe(true);
  });

  test('has the codes of well-known areas, the grid reference, and null for other values', () => {
    const parts = ['codes', 'areas', 'history'] as const;
    expect(sample.lookup('SW1A 1AA', parts)).toMatchObject({
      codes: {
        country: 'E92000001',
        region: 'E12000007',
        localAuthority: 'E09000033',
        policeForce: 'E23000001',
        ward: null,
      },
      areas: { gridReference: 'TQ 29090 79645', county: null },
      history: { introduced: null, terminated: null, positionalQuality: null },
    });
    expect(sample.lookup('BT4 3XX', parts)).toMatchObject({
      codes: { country: 'N92000002' },
      areas: { gridReference: null },
    });
  });

  test('has codes only for names in its table, all well-formed, and no code twice in a column', () => {
    for (const [column, byName] of Object.entries(codes)) {
      const names = new Set(
        records
          .flatMap((record) => Object.entries(record))
          .flatMap(([field, value]) => (field === column ? [value] : [])),
      );
      for (const [name, code] of Object.entries(byName)) {
        expect([...names]).toContain(name);
        expect(code).toMatch(/^[EWSNLM]\d{8}$/u);
      }
      expect(new Set(Object.values(byName)).size).toBe(Object.keys(byName).length);
    }
  });

  test('contains the places that everybody tries', () => {
    expect(sample.lookup('sw1a 2aa')).toMatchObject({
      localAuthority: 'Westminster',
      constituency: 'Cities of London and Westminster',
    });
    for (const postcode of ['SW1A 1AA', 'SW1A 0AA', 'EH99 1SP', 'CF99 1SN', 'BT4 3XX']) {
      expect(sample.validate(postcode).isValid).toBe(true);
    }
    const [palace] = sample.nearest({ latitude: 51.501, longitude: -0.1416, limit: 1, radiusMetres: 100 });
    expect(palace?.postcode).toBe('SW1A 1AA');
  });
});
