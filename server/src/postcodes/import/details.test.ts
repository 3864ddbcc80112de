import type { IncludePart } from '@signpost/contract';
import { openDirectoryStore } from '../directory-store.js';
import {
  EDITIONS,
  editionCsv,
  HOLYROOD,
  JERSEY,
  PALACE,
} from '../../../../test/fixtures/postcodes/editions.js';
import { FULL_HEADER, fullRow } from '../../../../test/fixtures/postcodes/full-edition.js';
import { parsedDirectory } from '../../../../test/fixtures/postcodes/parsed-directory.js';
import {
  temporaryFolder,
  type TemporaryFolder,
} from '../../../../test/fixtures/postcodes/temporary-folder.js';
import { zipFile } from '../../../../test/fixtures/postcodes/zip-file.js';

const ALL: readonly IncludePart[] = ['codes', 'areas', 'history'];

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

/** Imports a file, and returns what `ask` returns for its directory. */
async function imported<Answer>(
  name: string,
  content: string | Buffer,
  ask: (directory: ReturnType<typeof parsedDirectory>) => Answer,
): Promise<Answer> {
  await folder.import(name, content);
  const store = await openDirectoryStore({ dataDir: folder.dataDir });
  try {
    return ask(parsedDirectory(store.current()));
  } finally {
    await store.close();
  }
}

const BLANKS = FULL_HEADER.split(',');
/** A row in which only the columns that every row has are filled. */
const bare = BLANKS.map(
  (column) =>
    ({ pcds: 'GU1 1AB', dointr: '202001', lad25cd: 'E07000209', ctry25cd: 'E92000001' })[column] ?? '',
).join(',');
const csv = [FULL_HEADER, fullRow('GU1 1AA', '201907'), bare, ''].join('\n');

describe('the columns of an edition', () => {
  test('a lookup returns all columns of an edition, as codes if neither a table nor a closed list has their names', async () => {
    const record = await imported('ONSPD_AUG_2025_UK.csv', csv, (directory) =>
      directory.lookup('GU1 1AA', ALL),
    );
    expect(record).toMatchObject({
      codes: {
        country: 'E92000001',
        region: 'E12000008',
        localAuthority: 'E07000209',
        ward: 'E05007293',
        constituency: 'E14001277',
        lsoa: 'E01030402',
        msoa: 'E02006302',
        policeForce: 'E23000029',
        icb: 'E54000063',
        county: 'E10000030',
        builtUpAreaSubdivision: null,
        ruralUrban: 'UN1',
        nationalPark: 'E26000001',
        standardRegion: '8',
      },
      country: 'England',
      region: 'South East',
      localAuthority: 'E07000209',
      policeForce: 'Thames Valley',
      icb: 'NHS Surrey Heartlands Integrated Care Board',
      areas: {
        county: 'E10000030',
        civilParish: 'E04009999',
        electoralDivision: 'E58001001',
        itl: 'E06000001',
        outputArea: 'E00155002',
        outputArea2011: 'E00155001',
        outputArea2001: 'E00155000',
        lsoa2011: 'E01030401',
        lsoa2001: 'E01030400',
        msoa2011: 'E02006301',
        msoa2001: 'E02006300',
        workplaceZone: 'E33000001',
        builtUpArea: 'E63004001',
        builtUpAreaSubdivision: null,
        ruralUrban: 'Urban: Nearer to a major town or city',
        ruralUrban2011: '(England/Wales) Urban major conurbation',
        ruralUrban2001: '5',
        outputAreaClass: '1C3',
        outputAreaClass2001: '3C2',
        travelToWorkArea: 'E30000212',
        nationalPark: 'Dartmoor',
        subIcb: 'E38000246',
        cancerAlliance: 'E56000001',
        nhsRegion: 'South East',
        healthAuthority: 'E18000001',
        primaryCareTrust: 'E16000001',
        localEnterprisePartnership: 'E37000001',
        localEnterprisePartnership2: 'E37000002',
        europeanRegion: 'North East',
        standardRegion: '8',
        skillsRegion: 'E24000001',
        statisticalWard: '00BKGQ',
        censusWard: '00BK',
        userType: 'large',
        deprivationRank: 12345,
        gridReference: 'SU 99300 49700',
        crownDependency: null,
      },
      history: { introduced: '1980-01', terminated: '2019-07', positionalQuality: 1 },
    });
  });

  test('fields that are blank in a row are null; bulk lookups and nearest searches return codes, areas and history too', async () => {
    const live = csv.replace(',201907,', ',,');
    const [first, second, near] = await imported('ONSPD_AUG_2025_UK.csv', live, (directory) => [
      ...directory.lookupAll(['GU1 1AB', 'GU11AA'], ALL).results,
      ...directory.nearest({ latitude: 51.236, longitude: -0.57, limit: 1, radiusMetres: 10 }, ALL),
    ]);
    expect(first).toMatchObject({
      history: { introduced: '2020-01', terminated: null, positionalQuality: null },
    });
    expect(new Set(Object.values(first?.areas ?? {}))).toEqual(new Set([null]));
    expect(second).toMatchObject({ areas: { county: 'E10000030' } });
    expect({ ...near, index: 1 }).toEqual({ ...second, distanceMetres: 0 });
  });

  test('a record has only the requested parts, in the order of the contract, whatever the requested order', async () => {
    const keys = await imported('ONSPD_AUG_2025_UK.csv', csv, (directory) =>
      [['history', 'codes'] as const, ['areas'] as const, [] as const].map((include) =>
        Object.keys(directory.lookup('GU1 1AA', include) ?? {}).slice(17),
      ),
    );
    expect(keys).toEqual([['codes', 'history'], ['areas'], []]);
  });

  test('codes get their names from tables, a code of one character only from the table of its own column', async () => {
    const zip = zipFile({
      'Data/ONSPD_AUG_2025_UK.csv': csv,
      'Documents/County names and codes.csv': 'CTY25CD,CTY25NM\nE10000030,Surrey\n',
      'Documents/Parish names and codes.csv': 'PARNCP25CD,PARNCP25NM\nE04009999,"Ash ""Green"""\n',
      'Documents/RUC names and codes.csv': 'RUC21CD,RUC21NM\nUN1,Urban: nearer\n8,wrong\n',
      'Documents/TTWA names and codes.csv': 'TTWA15CD,TTWA15NM\nE30000212,Guildford and Aldershot\n',
    });
    expect(
      await imported('ONSPD.zip', zip, (directory) => directory.lookup('GU1 1AA', ['areas', 'codes'])),
    ).toMatchObject({
      codes: {
        county: 'E10000030',
        civilParish: 'E04009999',
        ruralUrban: 'UN1',
        electoralDivision: 'E58001001',
      },
      areas: {
        county: 'Surrey',
        civilParish: 'Ash "Green"',
        ruralUrban: 'Urban: nearer',
        travelToWorkArea: 'Guildford and Aldershot',
        standardRegion: '8',
      },
    });
  });

  test('dates stay with their postcodes if the rows of a file are out of order, and one postcode has two rows', async () => {
    const rows = ['ZE1 0AA', 'AB10 1AA', 'GU1 1AA', 'AB10 1AA', 'B1 1AA'].map((postcode, index) =>
      fullRow(postcode, '201907').replace(',198001,', `,19800${index + 1},`),
    );
    const found = await imported(
      'ONSPD.csv',
      [FULL_HEADER, ...rows, ''].join('\n'),
      (directory) => directory.lookupAll(['AB101AA', 'B11AA', 'GU11AA', 'ZE10AA'], ['history']).results,
    );
    expect(found.map(({ postcode, history }) => [postcode, history?.introduced])).toEqual([
      ['AB10 1AA', '1980-04'],
      ['B1 1AA', '1980-05'],
      ['GU1 1AA', '1980-03'],
      ['ZE1 0AA', '1980-01'],
    ]);
  });

  test('pseudo codes become null, and codes of small areas need not have nine characters', async () => {
    const row = fullRow('GU1 1AA')
      .replace('E00155000', '95AA010001')
      .replace('E10000030', 'E99999999')
      .replace('E01030400', 'N99999999')
      .replace('UN1', 'Z9')
      .replace(',8,', ',0,');
    const areas = await imported('ONSPD.csv', [FULL_HEADER, row, ''].join('\n'), (directory) =>
      directory.lookup('GU1 1AA', ['areas', 'codes']),
    );
    expect(areas).toMatchObject({
      codes: { county: null, ruralUrban: null, standardRegion: null },
      areas: {
        outputArea2001: '95AA010001',
        county: null,
        lsoa2001: null,
        ruralUrban: null,
        standardRegion: null,
      },
    });
  });

  test.each(EDITIONS)(
    'the edition %s has dates and grid references; Jersey, if it is in it, has no grid reference',
    async (edition) => {
      const name = edition === 'NSPL' ? 'NSPL.csv' : 'ONSPD.csv';
      const rows = edition === '2014' ? [PALACE, HOLYROOD] : [PALACE, HOLYROOD, JERSEY];
      const [palace, jersey] = await imported(name, editionCsv(edition, rows), (directory) => [
        directory.lookup('SW1A 1AA', ALL),
        directory.lookup('JE2 4WD', ALL),
      ]);
      expect(palace).toMatchObject({
        codes: { localAuthority: 'E09000033', country: 'E92000001' },
        areas: { gridReference: 'TQ 29090 79645' },
        history: { introduced: '1980-01', terminated: null },
      });
      const hasOldColumns = edition === '2014' || edition === '2016';
      if (hasOldColumns) expect(palace).toHaveProperty('areas.ward1998', null);
      else expect(palace).not.toHaveProperty('areas.ward1998');
      if (edition === '2014') expect(jersey).toBeUndefined();
      else expect(jersey).toMatchObject({ areas: { gridReference: null, crownDependency: 'Jersey' } });
    },
  );
});
