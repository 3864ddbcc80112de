import { editionCsv, HOLYROOD, PALACE } from '../../../../test/fixtures/postcodes/editions.js';
import {
  temporaryFolder,
  type TemporaryFolder,
} from '../../../../test/fixtures/postcodes/temporary-folder.js';
import { zipFile } from '../../../../test/fixtures/postcodes/zip-file.js';

type Row = Parameters<typeof editionCsv>[1][number];

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

const at = (pcds: string, more: Partial<Row> = {}): Row => ({ ...PALACE, pcds, ...more });

async function changes(before: readonly Row[], now: readonly Row[]) {
  await folder.import('ONSPD_MAY_2026_UK.csv', editionCsv('2026', before));
  return (await folder.import('ONSPD_AUG_2026_UK.csv', editionCsv('2026', now), { force: true })).changes;
}

test('counts postcodes that are new, terminated, in use again, moved or missing since the previous directory', async () => {
  const before = [
    at('SW1A 1AA'),
    at('SW1A 1AB'),
    at('SW1A 1AD', { doterm: '202001' }),
    at('SW1A 1AE'),
    at('SW1A 1AF'),
    at('SW1A 1AG', { lat: '99.999999', long: '0.000000' }),
    at('SW1A 2AA'),
  ];
  const now = [
    at('AB1 0AA'),
    at('SW1A 1AA'),
    at('SW1A 1AB', { doterm: '202607', lat: '52.000000' }),
    at('SW1A 1AD'),
    at('SW1A 1AE', { lat: '51.501109' }),
    at('SW1A 1AF', { lat: '51.501089' }),
    at('SW1A 1AG'),
    at('ZE1 0AA', { doterm: '202607' }),
  ];
  expect(await changes(before, now)).toMatchObject({
    since: { source: 'ONSPD', edition: '2026-05' },
    new: 2,
    ended: 1,
    inUseAgain: 1,
    gone: 1,
    moved: 1,
    movedMetres: 10,
  });
});

const table = (names: Readonly<Record<string, string>>) =>
  ['LAD26CD,LAD26NM', ...Object.entries(names).map((entry) => entry.join(','))].join('\n');
const archive = (rows: readonly Row[], names: Readonly<Record<string, string>>) =>
  zipFile({
    'Data/ONSPD_UK.csv': editionCsv('2026', rows),
    'Documents/LAD names and codes.csv': table(names),
  });

test('uses postcodes to distinguish a renamed area from a new and a removed one', async () => {
  const rows = (codes: readonly string[]) =>
    codes.map((lad, number) => at(`SW1A 1A${'ABDEFG'[number] ?? ''}`, { lad }));
  const names = { E07000001: 'Old Town', E07000002: 'North', E07000003: 'South', E07000004: 'Stays' };
  const codes = ['E07000001', 'E07000001', 'E07000002', 'E07000003', 'E07000004', 'E07000004'];
  await folder.import('ONSPD_MAY_2026.zip', archive(rows(codes), names));
  const nextNames = { E07000001: 'New Town', E06000001: 'Unity', E06000002: 'Alone', E07000004: 'Stays' };
  const next = ['E07000001', 'E07000001', 'E06000001', 'E06000001', 'E07000004', 'E06000002'];
  const { changes: found } = await folder.import('ONSPD_AUG_2026.zip', archive(rows(next), nextNames));
  expect(found?.areas.localAuthority).toEqual({
    counts: { renamed: 1, new: 2, gone: 2 },
    renamed: [{ before: 'Old Town', now: 'New Town' }],
    new: ['Alone', 'Unity'],
    gone: ['North', 'South'],
  });
  expect(found?.areas.country.counts).toEqual({ renamed: 0, new: 0, gone: 0 });
});

test('of 150 new wards, lists only a hundred names, but counts all', async () => {
  const rows = Array.from({ length: 150 }, (_, number) =>
    at(`SW1A ${number % 10}A${'ABDEFGHJLNPQRSTU'.charAt(number / 10)}`, {
      wd: `E05${String(number).padStart(6, '0')}`,
    }),
  );
  const found = await changes([HOLYROOD], rows);
  expect(found?.areas.ward.counts).toEqual({ renamed: 0, new: 150, gone: 1 });
  expect(found?.areas.ward.new).toHaveLength(100);
});

test('reports no changes if the previous directory was the sample, or cannot be read', async () => {
  const first = await folder.import('ONSPD_MAY_2026_UK.csv', editionCsv('2026', [HOLYROOD]));
  expect(first.changes).toBeNull();
  await folder.write('postcodes/current.json', '{"file":"onspd-2020-01-00000000.sgp"}');
  const next = await folder.import('ONSPD_AUG_2026_UK.csv', editionCsv('2026', [HOLYROOD]));
  expect(next).toMatchObject({ changes: null, info: { edition: '2026-08' } });
});
