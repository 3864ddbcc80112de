import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openDirectoryStore } from '../directory-store.js';
import {
  BELFAST,
  EDITIONS,
  HOLYROOD,
  JERSEY,
  PALACE,
  editionCsv,
  type Edition,
} from '../../../../test/fixtures/postcodes/editions.js';
import { importDirectory } from './import-directory.js';
import { parsedDirectory } from '../../../../test/fixtures/postcodes/parsed-directory.js';
import {
  temporaryFolder,
  type TemporaryFolder,
} from '../../../../test/fixtures/postcodes/temporary-folder.js';
import { zipFile } from '../../../../test/fixtures/postcodes/zip-file.js';

const ROWS = [{ ...HOLYROOD, doterm: '202301' }, JERSEY, PALACE];
const SHARED_DATA = join(import.meta.dirname, '../../../../../shared/data');
const BYTE_ORDER_MARK = '\uFEFF';

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

async function current() {
  const store = await openDirectoryStore({ dataDir: folder.dataDir });
  await store.close();
  return parsedDirectory(store.current());
}

const fileName = (edition: Edition) =>
  edition === 'NSPL' ? 'NSPL_NOV_2021_UK.csv' : `ONSPD_AUG_${edition}_UK.csv`;

describe.each(EDITIONS)('the edition of %s', (edition) => {
  test.each([
    ['plain', {}],
    ['quoted', { isQuoted: true }],
    ['with bare line feeds', { lineEnd: '\n' }],
  ])('imports the file of the edition: %s', async (_how, how) => {
    const { info } = await folder.import(fileName(edition), editionCsv(edition, ROWS, how));
    expect(info).toMatchObject({ rows: 3, live: 2, terminated: 1, withoutCoordinates: 1 });
    expect(info.source).toBe(edition === 'NSPL' ? 'NSPL' : 'ONSPD');
    const directory = await current();
    expect(directory.lookup('SW1A1AA')).toMatchObject({
      postcode: 'SW1A 1AA',
      easting: 529090,
      northing: 179645,
      country: 'England',
      region: 'London',
      localAuthority: 'E09000033',
      ward: 'E05013806',
      isActive: true,
    });
    expect(directory.lookup('EH99 1SP')).toMatchObject({ region: null, northing: 673849, isActive: false });
    expect(directory.lookup('JE2 4WD')).toMatchObject({
      latitude: null,
      longitude: null,
      easting: null,
      northing: null,
      country: 'Channel Islands',
      localAuthority: null,
      ward: null,
    });
    const [nearest] = directory.nearest({
      latitude: 51.501,
      longitude: -0.1416,
      limit: 1,
      radiusMetres: 100,
    });
    expect(nearest?.postcode).toBe('SW1A 1AA');
  });
});

describe('an edition without degrees', () => {
  test('an edition without degrees gets them from the British or Irish grid, to within ten metres', async () => {
    await folder.import('ONSPD_NOV_2014_UK.csv', editionCsv('2014', [BELFAST, HOLYROOD, PALACE]));
    const directory = await current();
    for (const row of [BELFAST, HOLYROOD, { ...PALACE, lat: '51.501009', long: '-0.141588' }]) {
      const query = { latitude: Number(row.lat), longitude: Number(row.long), limit: 1, radiusMetres: 100 };
      const [nearest] = directory.nearest(query);
      expect(nearest?.postcode).toBe(row.pcds);
      expect(nearest?.distanceMetres).toBeLessThan(10);
    }
  });
});

describe('the header', () => {
  test('the header may begin with a byte order mark, whether its fields are quoted or not', async () => {
    for (const isQuoted of [false, true]) {
      const csv = BYTE_ORDER_MARK + editionCsv('2024', [PALACE], { isQuoted });
      expect((await folder.import('ONSPD.csv', csv)).info.rows).toBe(1);
    }
  });

  test('if the header has small areas of several years, the newest is used, or an older one if that is blank', async () => {
    const rows = [
      { ...HOLYROOD, lsoa11: 'S01008679', lsoa21: '' },
      { ...PALACE, lsoa11: 'E01004736', lsoa21: 'E01035716' },
    ];
    await folder.import('ONSPD.csv', editionCsv('2024', rows));
    const directory = await current();
    expect(directory.lookup('EH99 1SP')).toMatchObject({ lsoa: 'S01008679' });
    expect(directory.lookup('SW1A 1AA')).toMatchObject({ lsoa: 'E01035716' });
  });
});

const TABLES = {
  'Documents/Country names and codes UK as at 08_12.csv': `${BYTE_ORDER_MARK}CTRY12CD,CTRY12CDO,CTRY12NM,CTRY12NMW\r\nE92000001,921,England,Lloegr\r\nS92000003,923,Scotland,Yr Alban\r\nL93000001,,Channel Islands,`,
  'Documents/LAD names and codes UK as at 04_23.csv':
    'LAD23CD,LAD23NM\nE09000033,The Old Name\nS12000036,"City of Edinburgh"\n',
  'Documents/LAD names and codes UK as at 04_25.csv': 'LAD25CD,LAD25NM\nE09000033,"Westminster, City of "\n',
  'Documents/Region names and codes EN as at 12_10.txt':
    'GOR10CD\tGOR10CDO\tGOR10NM\r\nE12000007\tH\tLondon\r\n',
  'Documents/Ward names and codes UK as at 05_25.csv': Buffer.from(
    'WD25CD,WD25NM\nE05013806,Ynys Môn\n',
    'latin1',
  ),
  'Documents/User Guide.txt': 'Nothing to see, here.',
};

describe('an archive', () => {
  test('takes the names of codes from tables in UTF-8 or Latin-1, preferring the newest names', async () => {
    const csv = editionCsv('2025', ROWS);
    const { unknownCodes, info } = await folder.import(
      'some.zip',
      zipFile({ 'Data/ONSPD_AUG_2025_UK.csv': csv, ...TABLES }),
    );
    expect(info.edition).toBe('2025-08');
    const directory = await current();
    expect(directory.lookup('SW1A 1AA')).toMatchObject({
      country: 'England',
      region: 'London',
      localAuthority: 'Westminster, City of',
      ward: 'Ynys Môn',
      lsoa: 'E01004736',
    });
    expect(directory.lookup('EH99 1SP')).toMatchObject({
      localAuthority: 'City of Edinburgh',
      ward: 'S13002929',
    });
    expect(directory.lookup('JE2 4WD')).toMatchObject({ country: 'Channel Islands' });
    expect(unknownCodes).toMatchObject({ country: 0, localAuthority: 0, ward: 1, lsoa: 1 });
  });

  test('an archive may have its files in folders, and one file for each area', async () => {
    const archive = zipFile({
      'ONSPD_MAY_2021/Data/multi_csv/ONSPD_MAY_2021_UK_SW.csv': editionCsv('2021', [PALACE]),
      'ONSPD_MAY_2021/Data/multi_csv/ONSPD_MAY_2021_UK_EH.csv': editionCsv('2021', [
        HOLYROOD,
        { ...PALACE, doterm: '202105' },
      ]),
      '__MACOSX/ONSPD_MAY_2021/Data/._ONSPD_MAY_2021_UK.csv': 'rubbish',
    });
    const { info, duplicates } = await folder.import('parts.zip', archive);
    expect(info).toMatchObject({ edition: '2021-05', rows: 2, live: 2 });
    expect(duplicates).toBe(1);
    const directory = await current();
    expect(directory.lookup('EH99 1SP')).toMatchObject({ isActive: true });
    expect(directory.lookup('SW1A 1AA')).toMatchObject({ isActive: true });
  });

  test('rejects an archive of two editions or products, whether the names of files or of folders show it', async () => {
    const [one, other] = [editionCsv('2021', [PALACE]), editionCsv('2021', [HOLYROOD])];
    for (const [first, second] of [
      ['Data/ONSPD_NOV_2025_UK.csv', 'Data/ONSPD_AUG_2024_UK.csv'],
      ['Data/multi_csv/ONSPD_NOV_2025_UK_EH.csv', 'Data/multi_csv/ONSPD_AUG_2024_UK_SW.csv'],
      ['ONSPD_NOV_2025/Data/multi_csv/EH.csv', 'ONSPD_AUG_2024/Data/multi_csv/SW.csv'],
      ['NSPL_NOV_2025_UK.csv', 'NSPL_2024-08_UK.csv'],
    ] as const) {
      const attempt = folder.import('two.zip', zipFile({ [first]: one, [second]: other }));
      await expect(attempt).rejects.toThrow('two.zip holds several editions, 2024-08, 2025-11');
    }
    const both = zipFile({ 'Data/ONSPD_NOV_2025_UK.csv': one, 'Data/NSPL_NOV_2025_UK.csv': other });
    await expect(folder.import('two.zip', both)).rejects.toThrow(
      'two.zip holds several directories, NSPL, ONSPD: name the folder or the file of one.',
    );
  });

  test('rejects an archive of parts with different columns, even if no file name contains an edition', async () => {
    const archive = zipFile({
      'Data/multi_csv/EH.csv': editionCsv('2021', [HOLYROOD]),
      'Data/multi_csv/SW.csv': editionCsv('2026', [PALACE]),
    });
    await expect(folder.import('two.zip', archive)).rejects.toThrow(
      'Data/multi_csv/SW.csv has other columns than Data/multi_csv/EH.csv: they are of two editions.',
    );
  });

  test('of an archive that has both the whole directory and its parts, only the whole directory is read', async () => {
    const archive = zipFile({
      'Data/multi_csv/ONSPD_MAY_2021_UK_SW.csv': editionCsv('2021', [PALACE]),
      'Data/ONSPD_MAY_2021_UK.csv': editionCsv('2021', ROWS),
    });
    const { info, duplicates } = await folder.import('both.zip', archive);
    expect([info.rows, duplicates]).toEqual([3, 0]);
  });
});

describe('several rows of one postcode', () => {
  const live = { ...PALACE, lat: '51.000001' };
  const laterLive = { ...PALACE, lat: '51.000002' };
  const ended = { ...PALACE, doterm: '199606', lat: '51.000003' };
  const laterEnded = { ...PALACE, doterm: '199001', lat: '51.000004' };

  test.each([
    ['a live one before a terminated one', [live, ended], 51.000001],
    ['a live one after a terminated one', [ended, live], 51.000001],
    ['a live one between terminated ones', [ended, live, laterEnded], 51.000001],
    ['two live ones: the last', [live, ended, laterLive], 51.000002],
    ['two terminated ones: the last', [ended, laterEnded], 51.000004],
  ])('for one postcode, uses the last live row, or else the last one: %s', async (_what, rows, latitude) => {
    const { duplicates } = await folder.import('ONSPD_MAY_2021.csv', editionCsv('2021', [...rows, HOLYROOD]));
    expect(duplicates).toBe(rows.length - 1);
    expect((await current()).lookup('SW1A 1AA')).toMatchObject({ latitude, isActive: latitude < 51.000003 });
  });
});

describe('the samples of real editions', () => {
  test.each([
    ['onspd-2018-05-sample.csv', 'ONSPD', 5_168, 'M11 1AA'],
    ['onspd-2024-08-sample.csv', 'ONSPD', 8_047, 'M1 1AD'],
    ['onspd-2025-header-sample.csv', 'ONSPD', 8_048, 'SE1 2DL'],
    ['nspl-2021-11-WC.csv', 'NSPL', 7_455, 'WC1A 1AB'],
    ['nspl-2021-11-JE.csv', 'NSPL', 3_608, 'JE1 0BD'],
  ])('imports each row of the sample file %s of a real edition', async (name, source, rows, postcode) => {
    const path = join(SHARED_DATA, name);
    if (!existsSync(path)) {
      console.log(`Left out: importing ${name}, which is not beside the checkout.`);
      return;
    }
    const { info, duplicates } = await importDirectory({
      source: path,
      dataDir: folder.dataDir,
      clock: () => 0,
    });
    expect(info).toMatchObject({ source, rows });
    expect(duplicates).toBe(0);
    expect((await current()).lookup(postcode)).toMatchObject({ postcode, isActive: true });
  });
});

describe('the import', () => {
  test('leaves out BT postcodes on request', async () => {
    const { info } = await folder.import('ONSPD.csv', editionCsv('2025', [BELFAST, PALACE]), {
      excludeNorthernIreland: true,
    });
    expect(info).toMatchObject({ rows: 1, withoutNorthernIreland: true });
    expect((await current()).lookup('BT1 5GS')).toBeUndefined();
  });

  test('takes the edition from the newest month in the rows if no name contains it', async () => {
    const { info } = await folder.import(
      'postcodes.csv',
      editionCsv('2024', [{ ...PALACE, doterm: '202407' }]),
    );
    expect(info.edition).toBe('2024-07');
  });

  test('reads thousands of different codes correctly from rows that are not in order', async () => {
    const digits = Array.from('0123456789');
    const rows = Array.from('ZYXW').flatMap((letter) =>
      digits.flatMap((district) =>
        digits.flatMap((sector) =>
          Array.from('ABDEFGHJ').map((unit, index) => ({
            ...PALACE,
            pcds: `${letter}${district} ${sector}A${unit}`,
            lsoa21: `E01${letter.charCodeAt(0)}${district}${sector}${index}`.padEnd(9, '0'),
          })),
        ),
      ),
    );
    await folder.import('ONSPD.csv', editionCsv('2025', rows));
    const directory = await current();
    for (const row of rows)
      expect(directory.lookup(row.pcds)).toMatchObject({ postcode: row.pcds, lsoa: row.lsoa21 });
  });
});
