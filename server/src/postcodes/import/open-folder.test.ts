import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { editionCsv, HOLYROOD, PALACE } from '../../../../test/fixtures/postcodes/editions.js';
import {
  temporaryFolder,
  type TemporaryFolder,
} from '../../../../test/fixtures/postcodes/temporary-folder.js';
import { importDirectory, type ImportOptions } from './import-directory.js';

const NAMES = 'LAD26CD,LAD26NM\nE09000033,Westminster\nS12000036,City of Edinburgh\n';
const WHOLE = editionCsv('2026', [HOLYROOD, PALACE]);
const EDINBURGH = editionCsv('2026', [HOLYROOD]);
const LONDON = editionCsv('2026', [PALACE]);

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

/** Writes these files into the folder ONSPD_AUG_2026, and imports the folder `named`. */
async function importUnpacked(
  files: Readonly<Record<string, string>>,
  { named = 'ONSPD_AUG_2026', ...options }: Partial<ImportOptions> & { named?: string } = {},
) {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder.dataDir, 'ONSPD_AUG_2026', name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
  return importDirectory({
    source: join(folder.dataDir, named),
    dataDir: folder.dataDir,
    clock: () => 0,
    ...options,
  });
}

test('imports the folder of an unpacked archive, with names from its documents', async () => {
  const report = await importUnpacked({
    'Data/ONSPD_AUG_2026_UK.csv': WHOLE,
    'Data/multi_csv/ONSPD_AUG_2026_UK_EH.csv': EDINBURGH,
    'Documents/LAD names and codes UK.csv': NAMES,
    'Documents/LAU names and codes.csv': 'a,b\n1,2\n',
    'User Guide/guide.csv': 'page,text\n1,Hello\n',
    '.hidden.csv': 'x',
  });
  expect(report).toMatchObject({ info: { source: 'ONSPD', edition: '2026-08', rows: 2 } });
  expect(report.unknownCodes.localAuthority).toBe(0);
});

test.each([
  ['with a slash at its end', 'ONSPD_AUG_2026/'],
  ['by only the folder of the csv files', 'ONSPD_AUG_2026/Data/multi_csv'],
  ['by the folder above', '.'],
])('imports a folder with one csv file for each area, named %s', async (_how, named) => {
  const files = {
    'Data/multi_csv/ONSPD_AUG_2026_UK_EH.csv': EDINBURGH,
    'Data/multi_csv/ONSPD_AUG_2026_UK_SW.csv': LONDON,
  };
  expect(await importUnpacked(files, { named })).toMatchObject({ info: { edition: '2026-08', rows: 2 } });
});

test('imports a folder with a single csv file that is a symbolic link', async () => {
  const file = await folder.write('NSPL_MAY_2026_UK.csv', WHOLE);
  await mkdir(join(folder.dataDir, 'linked'));
  await symlink(file, join(folder.dataDir, 'linked', 'NSPL_MAY_2026_UK.csv'));
  await symlink('nowhere', join(folder.dataDir, 'linked', 'broken.csv'));
  expect(await importUnpacked({}, { named: 'linked' })).toMatchObject({ info: { source: 'NSPL', rows: 2 } });
});

test.each<[string, Readonly<Record<string, string>>, RegExp]>([
  [
    'without a csv file',
    { 'readme.txt': 'Hello' },
    /^ONSPD_AUG_2026 is a folder without a postcode directory: looked for Data\/ONSPD_….csv, Data\/multi_csv\/….csv and any other csv file\.$/u,
  ],
  [
    'of documents alone',
    { 'Documents/LAD names and codes.csv': NAMES },
    /is a folder without a postcode directory/u,
  ],
  [
    'with the archive in it',
    { 'inner/ONSPD.zip': 'PK' },
    /To import inner\/ONSPD\.zip, name it instead of its folder\.$/u,
  ],
  [
    'with another csv file',
    { 'people.csv': 'name,age\nAda,36\n' },
    /people\.csv, line 1: this is no postcode directory/u,
  ],
])('rejects a folder %s with a message', async (_what, files, message) => {
  await expect(importUnpacked(files)).rejects.toThrow(message);
});

test('rejects a folder of two editions, and names both', async () => {
  const files = {
    'May/multi_csv/ONSPD_MAY_2026_UK_EH.csv': EDINBURGH,
    'August/multi_csv/ONSPD_AUG_2026_UK_SW.csv': LONDON,
  };
  await expect(importUnpacked(files)).rejects.toThrow(
    'ONSPD_AUG_2026 holds several editions, 2026-05, 2026-08: name the folder or the file of one.',
  );
});

test('rejects a folder with more files and folders than the maximum', async () => {
  const files = Object.fromEntries(Array.from({ length: 12 }, (_, number) => [`${number}/a.txt`, 'a']));
  const bounds = { maxArchiveFiles: 10 };
  await expect(importUnpacked(files, { bounds })).rejects.toThrow(/has more than 10 files and folders/u);
});
