import { FULL_HEADER, fullRow } from '../../../../test/fixtures/postcodes/full-edition.js';
import { editionCsv, headerOf, PALACE } from '../../../../test/fixtures/postcodes/editions.js';
import { parsedDirectory } from '../../../../test/fixtures/postcodes/parsed-directory.js';
import {
  temporaryFolder,
  type TemporaryFolder,
} from '../../../../test/fixtures/postcodes/temporary-folder.js';
import { zipFile } from '../../../../test/fixtures/postcodes/zip-file.js';
import { openDirectoryStore } from '../directory-store.js';
import { shortTitle } from './portal-titles.js';

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

async function palace() {
  const store = await openDirectoryStore({ dataDir: folder.dataDir });
  const found = parsedDirectory(store.current()).lookup('SW1A 1AA', ['areas', 'codes']);
  await store.close();
  if (typeof found !== 'object') throw new Error('SW1A 1AA was not imported.');
  return found;
}

const CSV = editionCsv('2025', [PALACE], { lineEnd: '\n' });

describe('a csv file', () => {
  test.each([
    ['with semicolons', CSV.replaceAll(',', ';')],
    ['with tabs', CSV.replaceAll(',', '\t')],
    [
      'with quoted fields and semicolons',
      editionCsv('2025', [PALACE], { isQuoted: true }).replaceAll(',', ';'),
    ],
    ['with a line that names the delimiter', `sep=,\n${CSV}`],
    ['with a line that names another delimiter', `\uFEFF"sep=;"\r\n${CSV.replaceAll(',', ';')}`],
    ['with blank lines at the end', `${CSV}   \n\t\n\u001A`],
    ['with rows of delimiters at the end', `${CSV},,,,\n , ,\n`],
    ['with columns of spaces at the end', CSV.replaceAll('\n', ' , ,\n')],
    ['with blank columns at the end', CSV.replaceAll('\n', ',,\n')],
    ['with carriage returns alone, as old Macs wrote them', CSV.replaceAll('\n', '\r')],
    ['with two carriage returns and a newline', CSV.replaceAll('\n', '\r\r\n')],
    ['with a carriage return after the header and newlines after the rows', CSV.replace('\n', '\r')],
    ['with a title above the header', `ONS Postcode Directory (August 2025)\n${CSV}`],
    [
      'with a title, a blank line and a note above the header, all with commas',
      `\uFEFF"Postcodes, all of them",,,,\n,,,,\nSource: ONS, OS and Royal Mail\n${CSV}`,
    ],
    ['with a title above a header with semicolons', `Postcodes, August\n${CSV.replaceAll(',', ';')}`],
    ['with a title and carriage returns alone', `Postcodes\n\n${CSV}`.replaceAll('\n', '\r')],
  ])('reads a csv file %s', async (_how, csv) => {
    const { info } = await folder.import('ONSPD_AUG_2025_UK.csv', csv);
    expect(info.rows).toBe(1);
    expect(await palace()).toMatchObject({ localAuthority: 'E09000033', lsoa: 'E01004736' });
  });

  test('reads a csv file with the long column titles of the ONS portal', async () => {
    const titles: Readonly<Record<string, string>> = {
      pcds: 'Postcode (e-GIF)',
      dointr: 'Date of Introduction',
      doterm: 'Date of Termination',
      lad25cd: 'Local Authority District Code (2025)',
      ctry25cd: 'Country Code (2025)',
      lat: 'Latitude',
      long: 'Longitude',
      lsoa21cd: 'Lower layer Super Output Area Code (2021)',
    };
    const header = headerOf('2025');
    const long = header.split(',').map((title) => titles[title] ?? title.toUpperCase());
    const { info } = await folder.import('download.csv', CSV.replace(header, long.join(',')));
    expect(info.vintages).toMatchObject({ localAuthority: 2025, lsoa: 2021 });
    expect(await palace()).toMatchObject({ localAuthority: 'E09000033', lsoa: 'E01004736' });
    expect(shortTitle('Local Enterprise Partnership Code (2021) (2nd instance)')).toBe('lep21cd2');
  });

  test.each([
    [
      '"AB101AA",10,394235,806529,"S92000003","","S08000020","","S12000033","S13002842"',
      /Code-Point Open.*ONSPD/u,
    ],
    ['PC,PQ,EA,NO,CY,RH,LH,CC,DC,WC', /Code-Point Open/u],
    ['Postcode,PostcodeDistrict,PostcodeSector', /Scottish Postcode Directory/u],
    ['UPRN,GRIDGB1E,GRIDGB1N,PCDS,CTY25CD', /National Statistics UPRN Lookup/u],
    ['UPRN,OS_ADDRESS_TOPO_TOID,POSTCODE', /AddressBase/u],
    ['10,"NAG Hub - GeoPlace",9999,2025-01-01,0', /AddressBase/u],
    ['Postcode,Positional_quality_indicator,Eastings,Northings', /Code-Point Open/u],
    ['pcd7,pcd8,pcds,dointr,doterm,usertype,oa21cd,lsoa21cd,msoa21cd,ladcd', /NSPCL.*no coordinates.*ONSPD/u],
    ['name,value', /its header has no column for the postcode/u],
    ['pcds,oa21cd,wd25cd,wz11cd', /its header has no column for /u],
  ])('rejects a csv file of another product, and names it if it is known: %s', async (line, words) => {
    await expect(folder.import('file.csv', `${line}\n`)).rejects.toThrow(words);
  });

  test.each([
    [
      'a title and a header without a column',
      `Postcodes\n${CSV.replace('doterm', 'other')}`,
      /line 2: .*no column for /u,
    ],
    ['a few columns', 'Postcode,Latitude,Longitude\nSW1A 1AA,51.501,-0.141\n', /line 1: .*no column for /u],
    ['short lines of words', 'word\n'.repeat(50), /line 1: .*no column for the postcode/u],
    ['a title, and nothing below it', 'Postcodes\n', /line 1: .*no column for the postcode/u],
    ['a title and a row', `Postcodes\n${CSV.split('\n')[1] ?? ''}`, /line 1: .*no column for the postcode/u],
  ])('rejects a csv file with %s, naming the line', async (_what, csv, words) => {
    await expect(folder.import('file.csv', csv)).rejects.toThrow(words);
  });

  test('accepts a csv file without a header, unless a value does not fit its column', async () => {
    const row = editionCsv('2014', [PALACE]).split('\r\n')[0] ?? '';
    const fields = row.split(',');
    for (const [place, value] of [
      [42, 'Z'],
      [44, '99ZZ99Z9'],
      [8, '7'],
    ] as const) {
      const shifted = fields.with(place, value).join(',');
      await expect(folder.import('old.csv', shifted)).rejects.toThrow(/it has no header, and its first row/u);
    }
    await folder.import('old.csv', row);
    expect(await palace()).toMatchObject({ localAuthority: 'E09000033' });
  });

  test.each(['2014', '2018', '2021', '2024', 'NSPL'] as const)(
    'a file without a header is read by the layout of the edition %s, or rejected if a value does not fit',
    async (edition) => {
      const header = headerOf(edition).split(',');
      const all = editionCsv(edition, [PALACE], { isQuoted: true }).split('\r\n');
      const row = all.find((line) => line.includes('SW1A')) ?? '';
      const { info } = await folder.import('part-aa.csv', row);
      expect(info.source).toBe(edition === 'NSPL' ? 'NSPL' : 'ONSPD');
      expect(await palace()).toMatchObject({ country: 'England', codes: { ward: 'E05013806' } });
      const fields = row.split(',');
      for (const column of ['ctry', 'pcon', 'pfa', 'wz11', 'pcd', 'doterm']) {
        const place = header.indexOf(column);
        if (place < 0) continue;
        const other = fields.with(place, '"E05013806"').join(',');
        await expect(folder.import('part-ab.csv', other)).rejects.toThrow(/it has no header, and its first/u);
      }
    },
  );
});

test('rejects an Excel workbook and says what it is', async () => {
  const book = zipFile({ 'xl/workbook.xml': '<workbook/>' });
  await expect(folder.import('ONSPD.xlsx', book)).rejects.toThrow(/is an Excel workbook\. Save it as csv/u);
});

test.each([
  ['a few bytes', (bytes: Buffer, middle: number) => bytes.fill(0x5a, middle, middle + 40)],
  ['one bit', (bytes: Buffer, middle: number) => bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle)],
  ['a gap', (bytes: Buffer, middle: number) => bytes.fill(0, middle, middle + 400)],
])(
  'a zip that is damaged in the middle by %s is rejected as not whole, naming the file in it',
  async (_how, damage) => {
    const rows = Array.from({ length: 6_000 }, (_, index) => ({
      pcds: `SW${index % 19} ${index % 10}A${'ABDEFGHJLN'.charAt(Math.trunc(index / 190) % 10)}`,
      lat: `51.${String((index * 7_919) % 1_000_000).padStart(6, '0')}`,
    }));
    const bytes = zipFile({ 'Data/ONSPD_AUG_2025_UK.csv': editionCsv('2025', rows) });
    damage(bytes, Math.trunc(bytes.length / 2));
    await expect(folder.import('ONSPD.zip', bytes)).rejects.toThrow(
      /^ONSPD\.zip is not a whole zip archive \(Data\/ONSPD_AUG_2025_UK\.csv .*\): fetch it again\.(?: The first row that is broken: Data\/ONSPD_AUG_2025_UK\.csv, line \d+.*)?$/u,
    );
  },
);

describe('codes that mean that there is no area', () => {
  const table = 'NPARK16CD,NPARK16NM\nE26000001,Dartmoor\nE65000001,England (non-National Park)\n';
  const values: Readonly<Record<string, string>> = {
    npark16cd: 'E65000001',
    bua24cd: 'E63999999',
    parncp25cd: 'E43000001',
    ttwa15cd: 'Z',
    wdstl05cd: '99ZZ99',
    oa01cd: 'Z99',
    lsoa01cd: 'E99999999',
    msoa01cd: 'E98999999',
    oac11ind: '9Z9',
    cal24cd: 'W99999999',
    rgn25cd: 'W92000004',
  };
  const titles = FULL_HEADER.split(',');
  const row = fullRow('SW1A 1AA')
    .split(',')
    .map((value, index) => values[titles[index] ?? ''] ?? value)
    .join(',');

  test('codes that mean "no area" become null, whether or not a table names them', async () => {
    for (const tables of [{}, { 'Documents/National Park names and codes.csv': table }]) {
      const archive = zipFile({ 'Data/ONSPD_AUG_2025_UK.csv': `${FULL_HEADER}\n${row}\n`, ...tables });
      await folder.import('onspd.zip', archive, { force: true });
      const { areas, region, codes } = await palace();
      expect(areas).toMatchObject({
        nationalPark: null,
        builtUpArea: null,
        civilParish: null,
        travelToWorkArea: null,
        statisticalWard: null,
        outputArea2001: null,
        lsoa2001: null,
        msoa2001: null,
        outputAreaClass: null,
        cancerAlliance: null,
        county: 'E10000030',
      });
      expect([region, codes?.region]).toEqual([null, null]);
    }
  });

  test('an indicator beside the code of an output area is not mistaken for the code', async () => {
    const csv = CSV.replace('oa21cd', 'oaind').replace('oa11cd', 'oacode').replace('oa01cd', 'x');
    const cells = csv.split('\n')[1]?.split(',') ?? [];
    const [header = ''] = csv.split('\n');
    const at = (title: string) => header.split(',').indexOf(title);
    const changed = cells.with(at('oaind'), '7').with(at('oacode'), 'S00001364').join(',');
    await folder.import('ONSPD_MAY_2011_UK.csv', `${header}\n${changed}\n`);
    expect((await palace()).areas?.outputArea).toBe('S00001364');
  });
});
