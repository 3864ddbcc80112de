import { openDirectoryStore } from '../directory-store.js';
import { BELFAST, PALACE, editionCsv } from '../../../../test/fixtures/postcodes/editions.js';
import { parsedDirectory } from '../../../../test/fixtures/postcodes/parsed-directory.js';
import {
  temporaryFolder,
  type TemporaryFolder,
} from '../../../../test/fixtures/postcodes/temporary-folder.js';
import { zipFile } from '../../../../test/fixtures/postcodes/zip-file.js';

const WARD = 'W05001556';
const AUTHORITY = 'W06000001';

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

/** Imports two rows, one with Welsh codes and one in Belfast, and these tables of names. Returns both records. */
async function recordsWith(tables: Readonly<Record<string, string | Buffer>>) {
  const rows = [
    { ...PALACE, wd: WARD, lad: AUTHORITY },
    { ...BELFAST, lsoa21: 'N21000001' },
  ];
  const documents = Object.entries(tables).map(
    ([name, content]) => [`Documents/${name}.csv`, content] as const,
  );
  const csv = { 'Data/ONSPD_AUG_2025_UK.csv': editionCsv('2025', rows) };
  await folder.import('ONSPD.zip', zipFile({ ...csv, ...Object.fromEntries(documents) }));
  const store = await openDirectoryStore({ dataDir: folder.dataDir });
  await store.close();
  const directory = parsedDirectory(store.current());
  const record = (postcode: string) => {
    const found = directory.lookup(postcode);
    if (typeof found !== 'object') throw new Error(`${postcode} was not imported.`);
    return found;
  };
  return { welsh: record(PALACE.pcds), irish: record(BELFAST.pcds) };
}

describe('the name of a code', () => {
  test('the lsoa of a postcode in Northern Ireland has the name of its super data zone', async () => {
    const { irish } = await recordsWith({ SDZ: 'SDZ21CD,SDZ21NM\nN21000001,Dunsilly_A\n' });
    expect(irish).toMatchObject({ lsoa: 'Dunsilly_A', msoa: null });
  });

  test('finds the name of a code in a table of other areas, or in a later column', async () => {
    const { welsh, irish } = await recordsWith({
      zones: 'DZ21CD,DZ21NM,SDZ21CD,SDZ21NM\nN20000001,Dunsilly_A1,N21000001,Dunsilly_A\n',
      areas: 'CTY25CD,CTY25NM\nW06000001,Isle of Anglesey\n',
    });
    expect(irish.lsoa).toBe('Dunsilly_A');
    expect(welsh.localAuthority).toBe('Isle of Anglesey');
  });

  test('finds a name if a quoted field spans several lines, and a wrong quote affects only its own row', async () => {
    const { welsh, irish } = await recordsWith({
      authorities: 'LAD23CD,LAD23NM,NOTE\r\nW06000001,"Isle of\r\nAnglesey","now\nand ""then"""\r\n',
      zones: 'SDZ21CD,SDZ21NM\nN21000009,"Slip\nN21000001,Dunsilly_A\n',
    });
    expect([welsh.localAuthority, irish.lsoa]).toEqual(['Isle of Anglesey', 'Dunsilly_A']);
  });

  test("prefers the name in a table of the code's own level to a newer name in a table of other areas", async () => {
    const { welsh } = await recordsWith({
      authorities: 'LAD23CD,LAD23NM\nW06000001,Isle of Anglesey\n',
      areas: 'CTY25CD,CTY25NM\nW06000001,(pseudo) Wales\n',
    });
    expect(welsh.localAuthority).toBe('Isle of Anglesey');
  });
});

describe('a name that has lost its Welsh letters', () => {
  const damaged = `${WARD},Pen draw Ll?n`;

  test('restores lost Welsh letters from the Welsh column of the table', async () => {
    const { welsh } = await recordsWith({
      wards: `WD25CD,WD25NM,WD25NMW\n${damaged},Pen draw Llŷn\n`,
      authorities: 'LAD25CD,LAD25NM,LAD25NMW\nW06000001,Isle of Anglesey,Ynys Môn\n',
    });
    expect(welsh).toMatchObject({ ward: 'Pen draw Llŷn', localAuthority: 'Isle of Anglesey' });
  });

  test('restores lost Welsh letters from a table of another year, and ignores names that are damaged there too', async () => {
    const { welsh } = await recordsWith({
      'wards 2025': `WD25CD,WD25NM\n${damaged}\n`,
      'wards 2024': `WD24CD,WD24NM\n${WARD},Pen draw Ll\uFFFDn\n`,
      'wards 2022': `WD22CD,WD22NM,WD22NMW\n${WARD},Llŷn,Pen draw Lly\u0302n\n`,
    });
    expect(welsh.ward).toBe('Pen draw Llŷn');
  });

  test('restores lost Welsh letters if several marks replace one letter', async () => {
    const { welsh } = await recordsWith({
      wards: `WD25CD,WD25NM,WD25NMW\n${WARD},Rhyl T?? Newydd - M\uFFFDn,Rhyl Tŷ Newydd - Môn\n`,
    });
    expect(welsh.ward).toBe('Rhyl Tŷ Newydd - Môn');
  });

  test.each([
    ['no other spelling is known', `WD25CD,WD25NM\n${damaged}\n`, 'Pen draw Ll?n'],
    [
      'its Welsh name is a different one',
      `WD25CD,WD25NM,WD25NMW\n${damaged},Aberdaron a Llŷn\n`,
      'Pen draw Ll?n',
    ],
    ['the mark is a part of the name', `WD25CD,WD25NM,WD25NMW\n${WARD},Who? Môn,Pwy? Môn\n`, 'Who? Môn'],
    [
      'only other places have letters there',
      `WD25CD,WD25NM\n${damaged}\nW05000001,Pen draw Llŷn\n`,
      'Pen draw Ll?n',
    ],
  ])('leaves a name with a question mark unchanged if %s', async (_why, wards, name) => {
    expect((await recordsWith({ wards })).welsh.ward).toBe(name);
  });
});

test('decodes a table correctly if some of its lines are in UTF-8 and others in Windows-1252', async () => {
  const { welsh } = await recordsWith({
    wards: Buffer.concat([
      Buffer.from(`\uFEFFWD25CD,WD25NM\r\n${WARD},"Pen draw Llŷn, Môn"\r\n`),
      Buffer.from('W05000002,Llanfihangel-y-Pennant â\r\n', 'latin1'),
    ]),
    authorities: Buffer.concat([
      Buffer.from('LAD25CD,LAD25NM\nW06000003,Tŷ\n'),
      Buffer.from(`${AUTHORITY},Ynys \x93Môn\x94\n`, 'latin1'),
    ]),
  });
  expect(welsh).toMatchObject({ ward: 'Pen draw Llŷn, Môn', localAuthority: 'Ynys “Môn”' });
});

test.each([
  ['tabs', `WD25CD\tWD25NM\n${WARD}\tKing's "Head", Old\n`, 'King\'s "Head", Old'],
  ['semicolons', `WD25CD;WD25NM\r\n${WARD};Pen draw\r\n`, 'Pen draw'],
  ['carriage returns alone', `WD25CD,WD25NM\r${WARD},Pen draw\r`, 'Pen draw'],
  ['doubled quotes', `\uFEFF"WD25CD","WD25NM"\n"${WARD}","The ""Old"", Town"\n`, 'The "Old", Town'],
  ['a broken line before the row', `WD25CD,WD25NM\nW05000001,"Open\n${WARD},Pen draw\n`, 'Pen draw'],
  ['blank lines', `WD25CD,WD25NM\n\n , \n${WARD},Pen draw`, 'Pen draw'],
])('reads a name from a table with %s', async (_what, wards, name) => {
  expect((await recordsWith({ wards })).welsh.ward).toBe(name);
});
