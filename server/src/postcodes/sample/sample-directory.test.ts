import { parsedDirectory } from '../../../../test/fixtures/postcodes/parsed-directory.js';
import { NAME_COLUMNS } from '../table/directory-data.js';
import areas from './areas.json' with { type: 'json' };
import rows from './postcodes.json' with { type: 'json' };
import { sampleDirectory } from './sample-directory.js';

const sample = parsedDirectory(sampleDirectory());
const records = rows.map((row) => {
  const record = sample.lookup(row.split('|')[0] ?? '', ['codes']);
  if (typeof record !== 'object') throw new Error(`${row} is not in the sample`);
  return record;
});

describe('the sample', () => {
  test('the sample has every line of its table, each postcode once and in canonical form', () => {
    expect(new Set(records.map(({ postcode }) => postcode)).size).toBe(rows.length);
    expect(records.map(({ postcode }) => postcode)).toEqual(rows.map((row) => row.split('|')[0]));
    expect(sample.info).toMatchObject({ rows: rows.length, isSample: true, hasDetails: false });
    expect(rows.every((row) => row.split('|').length <= 15)).toBe(true);
  });

  test('the sample has postcodes of every nation, every English region and the Crown dependencies, and terminated ones', () => {
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

  test('the sample has all areas of each postcode except GIR 0AA: one is null only if there is no such area', () => {
    const missing = (record: (typeof records)[number]) =>
      NAME_COLUMNS.filter((column) => record[column] === null || record.codes?.[column] === null);
    const notIn: Readonly<Record<string, readonly string[]>> = {
      England: [],
      // Only England has regions and integrated care boards.
      Scotland: ['region', 'icb'],
      Wales: ['region', 'icb'],
      // Northern Ireland has a single police force, which the directory leaves out, and no level like the MSOA.
      'Northern Ireland': ['region', 'msoa', 'policeForce', 'icb'],
    };
    const none = ['region', 'localAuthority', 'ward', 'constituency', 'lsoa', 'msoa', 'policeForce', 'icb'];
    for (const record of records) {
      // The only postcode of the United Kingdom without a position: no edition has its areas.
      if (record.postcode === 'GIR 0AA') continue;
      expect([record.postcode, missing(record)]).toEqual([
        record.postcode,
        notIn[record.country ?? ''] ?? none,
      ]);
      const isPlaced = record.latitude !== null && record.easting !== null && record.northing !== null;
      expect([record.postcode, isPlaced]).toEqual([record.postcode, !/^(?:JE|GY|IM)/u.test(record.outcode)]);
    }
    expect(sample.info.vintages).toMatchObject({ constituency: 2024, lsoa: 2021 });
  });

  test('the sample has area codes and grid references, and null for columns that it does not have', () => {
    const parts = ['codes', 'areas', 'history'] as const;
    expect(sample.lookup('SW1A 1AA', parts)).toMatchObject({
      codes: {
        country: 'E92000001',
        region: 'E12000007',
        localAuthority: 'E09000033',
        policeForce: 'E23000001',
        ward: 'E05013806',
        constituency: 'E14001172',
        lsoa: 'E01004736',
        msoa: 'E02000977',
        county: null,
      },
      areas: { gridReference: 'TQ 29090 79645', county: null },
      history: { introduced: null, terminated: null, positionalQuality: null },
    });
    expect(sample.lookup('JE1 1AA', parts)).toMatchObject({ areas: { crownDependency: 'Jersey' } });
    expect(sample.lookup('BT4 3XX', parts)).toMatchObject({
      codes: { country: 'N92000002' },
      areas: { gridReference: 'J 40325 74856', crownDependency: null },
    });
  });

  test("the sample names only codes that its rows have, and each of these codes is well-formed and of its column's level", () => {
    const LEVELS: Readonly<Record<string, RegExp>> = {
      localAuthority: /^(?:E0[6789]|W06|S12|N09)/u,
      ward: /^(?:E05|W05|S13|N08)/u,
      constituency: /^(?:E14|W07|S14|N05)/u,
      lsoa: /^(?:E01|W01|S01|N21)/u,
      msoa: /^(?:E02|W02|S02)/u,
    };
    for (const [column, names] of Object.entries(areas)) {
      const used = new Set(rows.flatMap((row) => row.split('|').slice(6)));
      for (const [code, name] of Object.entries(names)) {
        expect([...used]).toContain(code);
        expect(code).toMatch(/^[EWSN]\d{8}$/u);
        expect(code).toMatch(LEVELS[column] ?? /^$/u);
        expect(name.trim()).toBe(name);
      }
    }
    for (const { lsoa, msoa, country, codes } of records.filter((record) => record.msoa !== null)) {
      // In England and Wales, an LSOA has the name of the MSOA around it and a letter.
      if (country !== 'Scotland') expect(lsoa?.slice(0, -1)).toBe(msoa);
      expect(codes?.lsoa?.charAt(0)).toBe(codes?.msoa?.charAt(0));
    }
  });

  test('the sample has well-known postcodes, such as SW1A 2AA and M1 1AE, with names of their areas', () => {
    expect(sample.lookup('sw1a 2aa')).toMatchObject({
      localAuthority: 'Westminster',
      constituency: 'Cities of London and Westminster',
    });
    expect(sample.lookup('SW1A 1AA')).toMatchObject({ lsoa: 'Westminster 018C', msoa: 'Westminster 018' });
    expect(sample.lookup('M1 1AE')).toMatchObject({ constituency: 'Manchester Central' });
    for (const postcode of ['SW1A 1AA', 'SW1A 0AA', 'EH99 1SP', 'CF99 1SN', 'BT4 3XX']) {
      expect(sample.validate(postcode).isValid).toBe(true);
    }
    const [palace] = sample.nearest({ latitude: 51.501, longitude: -0.1416, limit: 1, radiusMetres: 100 });
    expect(palace?.postcode).toBe('SW1A 1AA');
  });
});
