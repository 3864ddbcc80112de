import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { PostcodeRecord } from '@signpost/contract';
import { openDirectoryStore } from './directory-store.js';
import { importDirectory } from './import/import-directory.js';
import { openZip } from './import/zip-archive.js';
import rows from './sample/postcodes.json' with { type: 'json' };
import { sampleDirectory } from './sample/sample-directory.js';
import { isLong } from '../../../test/fixtures/length.js';
import { parsedDirectory } from '../../../test/fixtures/postcodes/parsed-directory.js';
import { temporaryFolder } from '../../../test/fixtures/postcodes/temporary-folder.js';

const WHOLE = join(import.meta.dirname, '../../../../shared/data/onspd-scale.zip');
const DEFAULT_LIMIT = 10;
/** The import and another reading of 600 MB, on a machine that has other work. */
const TIMEOUT_MS = 300_000;

/** How many live postcodes each outcode has, as the csv itself tells. */
async function liveOutcodes(): Promise<Map<string, number>> {
  const { files, close } = await openZip(WHOLE, 'whole.zip', 100);
  const csv = files.find(({ name }) => name.startsWith('Data/ONSPD'));
  if (csv === undefined) throw new Error('The archive holds no csv.');
  const counts = new Map<string, number>();
  for await (const line of createInterface({ input: Readable.from(await csv.open()) })) {
    const [, , postcode = '', , terminated] = line.split(',', 5);
    const [outcode = '', incode] = postcode.split(' ');
    if (terminated === '' && incode !== undefined) counts.set(outcode, (counts.get(outcode) ?? 0) + 1);
  }
  close();
  return counts;
}

const canRun = isLong && existsSync(WHOLE);
let directory: ReturnType<typeof parsedDirectory>;
let namelessLsoas: number;

beforeAll(async () => {
  if (!canRun) {
    console.log('Left out but in the long run beside the whole directory: its tests.');
    return;
  }
  const folder = await temporaryFolder();
  const report = await importDirectory({ source: WHOLE, dataDir: folder.dataDir, clock: () => 0 });
  const store = await openDirectoryStore({ dataDir: folder.dataDir });
  store.close();
  await folder.remove();
  directory = parsedDirectory(store.current());
  namelessLsoas = report.unknownCodes.lsoa;
}, TIMEOUT_MS);

(canRun ? describe : describe.skip)('the whole directory', () => {
  test(
    'every live outcode is reached by typing it, and a space keeps to it',
    async () => {
      const outcodes = await liveOutcodes();
      expect(outcodes.size).toBe(2_897);
      const outcodesOf = (partial: string) =>
        directory.autocomplete(partial, DEFAULT_LIMIT).map((postcode) => postcode.split(' ')[0]);
      for (const [outcode, count] of outcodes) {
        const own = Array<string>(Math.min(count, DEFAULT_LIMIT)).fill(outcode);
        expect([outcode, outcodesOf(`${outcode} `)]).toEqual([outcode, own]);
        expect([outcode, outcodesOf(outcode).slice(0, own.length)]).toEqual([outcode, own]);
      }
    },
    TIMEOUT_MS,
  );

  test('every code of an LSOA or a super data zone has its name', () => {
    expect(namelessLsoas).toBe(0);
  });

  test('the sample agrees with it wherever it holds true values', () => {
    const sample = parsedDirectory(sampleDirectory());
    let compared = 0;
    for (const row of rows) {
      const record = sample.lookup(row.split('|')[0] ?? '');
      if (typeof record !== 'object') throw new Error(`${row} is not in the sample`);
      const real = directory.lookup(record.postcode);
      // It has a part of Northern Ireland only.
      if (typeof real !== 'object') continue;
      compared += 1;
      expect([record.postcode, record.isActive]).toEqual([real.postcode, real.isActive]);
      expectSamePlace(record, real);
      const isBritish = !/^(?:BT|JE|GY|IM)/u.test(record.outcode);
      if (record.isActive && isBritish) expectSameAreas(record, real);
    }
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
