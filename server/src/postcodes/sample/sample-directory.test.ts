import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PostcodeRecord } from '@signpost/contract';
import { openDirectoryStore } from '../directory-store.js';
import { importDirectory } from '../import/import-directory.js';
import { parsedDirectory } from '../testing/parsed-directory.js';
import { temporaryFolder } from '../testing/temporary-folder.js';
import rows from './postcodes.json' with { type: 'json' };
import { sampleDirectory } from './sample-directory.js';

const SHARED_DATA = join(import.meta.dirname, '../../../../../shared/data');
const SCALE = join(SHARED_DATA, 'onspd-scale.zip');

const sample = parsedDirectory(sampleDirectory());
const records = rows.map((row) => {
  const record = sample.lookup(row.split('|')[0] ?? '');
  if (typeof record !== 'object') throw new Error(`${row} is not in the sample`);
  return record;
});

describe('the sample', () => {
  test('holds every line of its table, each postcode once and canonical', () => {
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

  test('answers for the places that everybody tries', () => {
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

  test('agrees with the directory wherever that holds true values', async () => {
    if (!existsSync(SCALE)) {
      console.log(
        'Left out: comparing the sample with the whole directory, which is not beside the checkout.',
      );
      return;
    }
    const folder = await temporaryFolder();
    await importDirectory({ source: SCALE, dataDir: folder.dataDir, clock: () => 0 });
    const store = await openDirectoryStore({ dataDir: folder.dataDir });
    store.close();
    const whole = parsedDirectory(store.current());
    let compared = 0;
    for (const record of records) {
      const real = whole.lookup(record.postcode);
      // It has a part of Northern Ireland only.
      if (typeof real !== 'object') continue;
      compared += 1;
      expect([record.postcode, record.isActive]).toEqual([real.postcode, real.isActive]);
      expectSamePlace(record, real);
      const isBritish = !/^(?:BT|JE|GY|IM)/u.test(record.outcode);
      if (record.isActive && isBritish) expectSameAreas(record, real);
    }
    await folder.remove();
    expect(compared).toBeGreaterThan(150);
  });
});

function expectSamePlace(record: PostcodeRecord, real: PostcodeRecord) {
  if (record.latitude === null || record.longitude === null) return;
  expect(record.latitude).toBeCloseTo(real.latitude ?? NaN, 4);
  expect(record.longitude).toBeCloseTo(real.longitude ?? NaN, 4);
}

function expectSameAreas(record: PostcodeRecord, real: PostcodeRecord) {
  for (const field of ['easting', 'northing'] as const) {
    expect(Math.abs((record[field] ?? NaN) - (real[field] ?? NaN))).toBeLessThan(10);
  }
  const { country, region, localAuthority, ward } = real;
  expect(record).toMatchObject({ country, region, localAuthority, ward });
  if (real.policeForce !== null) expect(record.policeForce).toBe(real.policeForce);
}
