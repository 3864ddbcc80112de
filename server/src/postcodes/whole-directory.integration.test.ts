import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { PostcodeRecord } from '@signpost/contract';
import { areasOfName } from './areas/find-areas.js';
import type { PostcodeDirectory } from './directory.js';
import { openDirectoryStore } from './directory-store.js';
import { importDirectory } from './import/import-directory.js';
import { readNames } from './import/names-tables.js';
import { openZip } from './import/zip-archive.js';
import rows from './sample/postcodes.json' with { type: 'json' };
import { sampleDirectory } from './sample/sample-directory.js';
import { NAME_COLUMNS, type NameColumn } from './table/directory-data.js';
import { postcodeOfKey } from './table/normalise-postcode.js';
import { isLong } from '../../../test/fixtures/length.js';
import { postcodesInProse } from '../../../test/fixtures/postcodes/prose.js';
import { parsedDirectory } from '../../../test/fixtures/postcodes/parsed-directory.js';
import { temporaryFolder } from '../../../test/fixtures/postcodes/temporary-folder.js';

const DATA = join(import.meta.dirname, '../../../../shared/data');
const WHOLE = join(DATA, 'onspd-scale.zip');
/**
 * Files of real rows, with the columns whose areas have not changed since. In the whole directory of this test, some
 * columns and nearly all terminated rows are made up.
 */
const REAL_ROWS: readonly (readonly [file: string, columns: readonly NameColumn[]])[] = [
  ['onspd-2024-08-sample.csv', NAME_COLUMNS],
  ['nspl-2021-11-WC.csv', ['country', 'region', 'localAuthority', 'lsoa', 'msoa', 'policeForce']],
];
const POSTCODES_PER_TEXT = 10_000;
/** Some ways in which people write a postcode. */
const WAYS: readonly ((postcode: string) => string)[] = [
  (postcode) => postcode,
  (postcode) => postcode.replace(' ', '').toLowerCase(),
  (postcode) => postcode.replace(' ', '-'),
];
const DEFAULT_LIMIT = 10;
/**
 * How many postcodes of an outcode come first if it is typed without a space. Longer outcodes and beginnings of
 * postcodes get their share of the limit, too.
 */
const FAIR_PART = 2;
const MIN_PROSE_CHARACTERS = 8_000_000;
/** Long enough to import and read 600 MB on a machine that does other work too. */
const TIMEOUT_MS = 300_000;

/** Counts the live postcodes of each outcode in the csv itself. */
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

const stores: Awaited<ReturnType<typeof openDirectoryStore>>[] = [];
afterAll(() => Promise.all(stores.map((store) => store.close())));

/** Imports a file and opens the directory. The folder is removed, but the store keeps the directory file open. */
async function imported(source: string) {
  const folder = await temporaryFolder();
  const report = await importDirectory({ source, dataDir: folder.dataDir, clock: () => 0 });
  const store = await openDirectoryStore({ dataDir: folder.dataDir });
  stores.push(store);
  await folder.remove();
  return { report, directory: store.current() };
}

const canRun = isLong && existsSync(WHOLE);
const sample = parsedDirectory(sampleDirectory());
const sampleRecords = rows.map((row) => {
  const record = sample.lookup(row.split('|')[0] ?? '', ['codes']);
  if (typeof record !== 'object') throw new Error(`${row} is not in the sample`);
  return record;
});
let whole: PostcodeDirectory;
let directory: ReturnType<typeof parsedDirectory>;
let namelessLsoas: number;
let nameOf: Awaited<ReturnType<typeof readNames>>;

/** Reads the names of codes from the archive's tables. */
async function namesOfWhole() {
  const { files, close } = await openZip(WHOLE, 'whole.zip', 100);
  const names = await readNames(files.filter(({ name }) => name.startsWith('Documents/')));
  close();
  return names;
}

beforeAll(async () => {
  if (!canRun) {
    console.log('Left out but in the long run beside the whole directory: its tests.');
    return;
  }
  const { report, directory: found } = await imported(WHOLE);
  whole = found;
  directory = parsedDirectory(whole);
  namelessLsoas = report.unknownCodes.lsoa;
  nameOf = await namesOfWhole();
}, TIMEOUT_MS);

(canRun ? describe : describe.skip)('the whole directory', () => {
  test(
    'typing any outcode that has active postcodes finds it, and a space limits the results to it',
    async () => {
      const outcodes = await liveOutcodes();
      expect(outcodes.size).toBe(2_897);
      const outcodesOf = (partial: string) =>
        directory.autocomplete(partial, DEFAULT_LIMIT).map((postcode) => postcode.split(' ')[0]);
      for (const [outcode, count] of outcodes) {
        const own = Array<string>(Math.min(count, DEFAULT_LIMIT)).fill(outcode);
        expect([outcode, outcodesOf(`${outcode} `)]).toEqual([outcode, own]);
        const first = own.slice(0, FAIR_PART);
        expect([outcode, outcodesOf(outcode).slice(0, first.length)]).toEqual([outcode, first]);
      }
    },
    TIMEOUT_MS,
  );

  test('every code of an LSOA or a super data zone has its name', () => {
    expect(namelessLsoas).toBe(0);
  });

  test(
    'every area is found by its name in capitals, with one space in place of two',
    () => {
      const { values, areaCodes } = whole.table;
      const lost: string[] = [];
      let names = 0;
      for (const column of NAME_COLUMNS)
        values[column].forEach((name, index) => {
          if (name === null) return;
          names += 1;
          const written = name.replaceAll('  ', ' ').toUpperCase();
          const code = areaCodes?.[column][index];
          if (!areasOfName(whole.table, column, written).some((area) => area.code === code))
            lost.push(`${column} ${written}`);
        });
      expect(lost).toEqual([]);
      expect(names).toBeGreaterThan(50_000);
    },
    TIMEOUT_MS,
  );

  test(
    'no text in the documents of installed packages is mistaken for a postcode',
    async () => {
      const { characters, found } = await postcodesInProse(whole);
      expect(found).toEqual([]);
      console.log(`${characters} characters of prose have no postcode.`);
      expect(characters).toBeGreaterThan(MIN_PROSE_CHARACTERS);
    },
    TIMEOUT_MS,
  );

  test('the sample agrees with the whole directory in positions, and in areas of active postcodes of Great Britain', () => {
    let compared = 0;
    for (const record of sampleRecords) {
      const real = directory.lookup(record.postcode);
      // The whole directory contains only a part of Northern Ireland.
      if (typeof real !== 'object') continue;
      compared += 1;
      expect([record.postcode, record.isActive]).toEqual([real.postcode, real.isActive]);
      expectSamePlace(record, real);
      const isBritish = !/^(?:BT|JE|GY|IM)/u.test(record.outcode);
      if (record.isActive && isBritish) expectSameAreas(record, real);
      else if (record.region !== null && real.region !== null) expect(record.region).toBe(real.region);
    }
    expect(compared).toBeGreaterThan(150);
  });

  test('every code of the sample, except small areas of Scotland, belongs to the name beside it', () => {
    let compared = 0;
    for (const record of sampleRecords) {
      for (const column of NAME_COLUMNS) {
        const code = record.codes?.[column] ?? null;
        // Skipped: the archive names the data zones of 2022, and the sample has those of 2011.
        if (code === null || /^S0[12]/u.test(code)) continue;
        compared += 1;
        expect([code, record[column]]).toEqual([code, nameOf(column, code)]);
      }
    }
    expect(compared).toBeGreaterThan(600);
  });

  test.each(REAL_ROWS)('the sample agrees with the file %s in the columns %j', async (file, columns) => {
    const real = parsedDirectory((await imported(join(DATA, file))).directory);
    let compared = 0;
    for (const record of sampleRecords) {
      const row = real.lookup(record.postcode, ['codes']);
      if (typeof row !== 'object') continue;
      for (const column of columns) {
        const name = record[column];
        const code = row.codes?.[column] ?? '';
        if (name === null) continue;
        compared += 1;
        if (/^S0[12]/u.test(code)) {
          expect([record.postcode, record.codes?.[column]]).toEqual([record.postcode, code]);
          continue;
        }
        expect([record.postcode, code, name]).toEqual([record.postcode, code, nameOf(column, code)]);
      }
    }
    expect(compared).toBeGreaterThan(10);
  });

  test(
    'finds every postcode, also terminated ones, with a space, a hyphen, or neither and in lower case',
    () => {
      const { keys } = whole.table;
      for (let from = 0; from < keys.length; from += POSTCODES_PER_TEXT) {
        const postcodes = Array.from(keys.subarray(from, from + POSTCODES_PER_TEXT), postcodeOfKey);
        const written = postcodes.map((postcode, index) => WAYS[index % WAYS.length]?.(postcode));
        const found = whole.findInText(written.join(', ')).filter(({ isValid }) => isValid);
        expect(found.map(({ postcode }) => postcode).join()).toBe(postcodes.join());
      }
    },
    TIMEOUT_MS,
  );
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
