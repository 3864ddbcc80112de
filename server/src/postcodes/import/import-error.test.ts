import { createServer } from 'node:http';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openDirectoryStore } from '../directory-store.js';
import { HOLYROOD, PALACE, editionCsv } from '../../../../test/fixtures/postcodes/editions.js';
import {
  temporaryFolder,
  type TemporaryFolder,
} from '../../../../test/fixtures/postcodes/temporary-folder.js';
import { zipFile } from '../../../../test/fixtures/postcodes/zip-file.js';

const GOOD = editionCsv('2025', [HOLYROOD, PALACE], { lineEnd: '\n' });
const DATA = 'Data/ONSPD_AUG_2025_UK.csv';
const ARCHIVE = zipFile({ [DATA]: GOOD });

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await temporaryFolder();
  await folder.import('ONSPD_MAY_2025_UK.csv', GOOD);
});
afterEach(() => folder.remove());

const damaged = (bytes: Buffer, at: number) => {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(at) ^ 0xff, at);
  return copy;
};
const withLine = (from: string, to: string) => GOOD.replace(from, to);

const REJECTIONS: readonly (readonly [
  what: string,
  name: string,
  content: string | Buffer,
  message: RegExp,
])[] = [
  ['an empty file', 'a.csv', '', /a\.csv is empty/u],
  ['no zip', 'a.zip', 'anything', /^a\.zip is not a zip archive\. Download it again\.$/u],
  ['an HTML page', 'a.zip', '\n <!doctype html><p>Sign in', /a\.zip is not a postcode directory.*HTML/u],
  ['JSON', 'a.csv', '{"error": "no"}', /JSON/u],
  ['gzip', 'a.csv.gz', Buffer.from([0x1f, 0x8b, 8, 0]), /gzip.*unpack/u],
  ['binary data', 'a.csv', Buffer.from([1, 0, 2, 0]), /binary/u],
  [
    'a csv of something else',
    'a.csv',
    'name,age\nAda,36\n',
    /a\.csv, line 1: .*no column for the postcode \(pcds\)/u,
  ],
  [
    'a csv with only postcodes',
    'a.csv',
    'postcode,lat,long\nSW1A 1AA,51,0\n',
    /no column for the date of termination/u,
  ],
  ['one line that never ends', 'a.csv', 'x'.repeat(200_000), /line 1: .*does not end/u],
  ['a long line that ends', 'a.csv', `${'x'.repeat(70_000)}\n`, /line 1: .*more than 64 KiB/u],
  ['a header alone', 'a.csv', GOOD.split('\n')[0] ?? '', /no postcodes below/u],
  [
    'a row that breaks off',
    'a.csv',
    GOOD.slice(0, -60),
    /a\.csv, line 3, column \w+: the row breaks off here/u,
  ],
  ['a row that goes on', 'a.csv', `${GOOD.trimEnd()},x,y\n`, /line 3, column ruc21ind: the row goes on/u],
  [
    'a garbled postcode',
    'a.csv',
    withLine('EH99 1SP,', 'EH9? 1SP,').replace('EH99 1SP', 'EH9? 1SP'),
    /line 2, column pcds: "EH9\? 1SP" is not a postcode/u,
  ],
  [
    'a garbled latitude',
    'a.csv',
    withLine('55.952053', 'north'),
    /line 2, column lat: "north" is not a number of degrees/u,
  ],
  ['a latitude beyond the pole', 'a.csv', withLine('55.952053', '155.952053'), /line 2, column lat/u],
  ['a garbled easting', 'a.csv', withLine('326751', '32-751'), /line 2, column east1m/u],
  [
    'a garbled month',
    'a.csv',
    withLine('198001,,', '198001,2023,'),
    /line 2, column doterm: "2023" is not a month/u,
  ],
  [
    'a garbled code',
    'a.csv',
    withLine('S12000036', 'City of Edinburgh'),
    /line 2, column lad25cd: "City of Edinburgh" is not a code/u,
  ],
  [
    'an open quotation mark',
    'a.csv',
    withLine('S12000036', '"S12000036'),
    /line 2, column lad25cd: a quotation mark/u,
  ],
  ['a truncated archive', 'a.zip', ARCHIVE.subarray(0, -40), /a\.zip is not a whole zip archive/u],
  ['half an archive', 'a.zip', ARCHIVE.subarray(0, ARCHIVE.length / 2), /a\.zip is not a whole zip archive/u],
  ['a damaged archive', 'a.zip', damaged(ARCHIVE, 90), /a\.zip is not a whole zip archive/u],
  ['an encrypted archive', 'a.zip', zipFile({ [DATA]: GOOD }, { encrypted: true }), /is encrypted/u],
  ['an archive of something else', 'a.zip', zipFile({ 'a.txt': 'b' }), /holds no postcode directory/u],
  ['an archive in an archive', 'a.zip', zipFile({ 'b.zip': ARCHIVE }), /another archive, b\.zip/u],
];

describe('a file that is not the directory', () => {
  test.each(REJECTIONS)(
    'rejects %s with a message that says what is wrong, and keeps the previous directory',
    async (_what, name, content, message) => {
      await expect(folder.import(name, content, { force: true })).rejects.toThrow(message);
      const files = await readdir(join(folder.dataDir, 'postcodes'));
      expect(files.sort()).toEqual([
        'current.json',
        expect.stringMatching(/^onspd-2025-05-[0-9a-f]{8}\.sgp$/u),
      ]);
      const store = await openDirectoryStore({ dataDir: folder.dataDir });
      await store.close();
      expect(store.current().info.edition).toBe('2025-05');
    },
  );

  test('the message about a file that does not exist names the file', async () => {
    const source = join(folder.dataDir, 'none.zip');
    const attempt = folder.import('other.csv', GOOD, { source });
    await expect(attempt).rejects.toThrow(
      `The file ${source} cannot be read: there is no such file or folder.`,
    );
  });
});

describe('a directory that is much worse', () => {
  const many = Array.from({ length: 20 }, (_, index) => ({
    ...PALACE,
    pcds: `SW1A ${index % 10}A${index < 10 ? 'A' : 'B'}`,
  }));

  test('rejects a directory with 17 rows in place of one with 20, and imports it by force', async () => {
    await folder.import('ONSPD_AUG_2025.csv', editionCsv('2025', many));
    const fewer = editionCsv('2025', many.slice(0, 17));
    await expect(folder.import('ONSPD_SEP_2025.csv', fewer)).rejects.toThrow(
      /17 rows instead of 20.*--force/u,
    );
    expect((await folder.import('ONSPD_SEP_2025.csv', fewer, { force: true })).muchWorse).toHaveLength(1);
  });

  test('rejects a directory in which a full column is only 85 % filled, but not one in which it is 90 % filled', async () => {
    await folder.import('ONSPD_AUG_2025.csv', editionCsv('2025', many));
    const without = (count: number) =>
      editionCsv(
        '2025',
        many.map((row, index) => (index < count ? { ...row, wd: '' } : row)),
      );
    await expect(folder.import('ONSPD_SEP_2025.csv', without(3))).rejects.toThrow(
      /ward is filled in 85 % of the rows instead of 100 %/u,
    );
    expect((await folder.import('ONSPD_SEP_2025.csv', without(2))).info.fillPercent.ward).toBe(90);
  });
});

describe('an older edition', () => {
  test('rejects an older edition, naming both editions, and imports it by force', async () => {
    await folder.import('ONSPD_AUG_2025.csv', GOOD);
    for (const name of ['ONSPD_MAY_2025.csv', 'NSPL_NOV_2024.csv'])
      await expect(folder.import(name, GOOD)).rejects.toThrow(
        /older .* than the one in use: its edition is 202\d-\d\d, and ONSPD 2025-08 is in use\. .*--force/u,
      );
    const { info, muchWorse } = await folder.import('ONSPD_MAY_2025.csv', GOOD, { force: true });
    expect([info.edition, muchWorse]).toEqual([
      '2025-05',
      ['its edition is 2025-05, and ONSPD 2025-08 is in use'],
    ]);
  });

  test('without an edition in the file name, recognises an older one by its newest month, with 3 months of tolerance', async () => {
    const rows = (doterm: string) =>
      editionCsv('2025', [HOLYROOD, PALACE, { ...PALACE, pcds: 'SW1A 1AB', doterm }]);
    await folder.import('ONSPD_AUG_2025.csv', GOOD);
    await expect(folder.import('data.csv', rows('202504'))).rejects.toThrow(/its edition is 2025-04/u);
    expect((await folder.import('data.csv', rows('202505'))).info.edition).toBe('2025-05');
  });

  test('imports an edition that is the same or newer', async () => {
    for (const name of ['ONSPD_MAY_2025.csv', 'NSPL_MAY_2025.csv', 'ONSPD_AUG_2025.csv'])
      expect((await folder.import(name, GOOD)).muchWorse).toEqual([]);
  });
});

describe('an address as the source', () => {
  async function served(answer: { status: number; body: Buffer | string; breaksOff?: boolean }) {
    const server = createServer((_request, response) => {
      const length = Buffer.byteLength(answer.body) + (answer.breaksOff === true ? 1 : 0);
      response.writeHead(answer.status, { 'content-length': length });
      response.write(answer.body, () => {
        if (answer.breaksOff === true) response.destroy();
        else response.end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    return { url: `http://127.0.0.1:${port}/ONSPD_NOV_2025.zip`, close: () => server.close() };
  }

  test('imports a directory from an address, and removes the fetched file afterwards', async () => {
    const server = await served({ status: 200, body: zipFile({ 'Data/postcodes.csv': GOOD }) });
    const { info } = await folder.import('unused', '', { source: server.url });
    server.close();
    expect(info.edition).toBe('2025-11');
    expect(
      (await readdir(join(folder.dataDir, 'postcodes'))).filter((name) => name.endsWith('.partial')),
    ).toEqual([]);
  });

  test.each([
    ['not found', { status: 404, body: 'no' }, /answered 404/u],
    ['an HTML page', { status: 200, body: '<html>' }, /HTML/u],
    ['breaking off', { status: 200, body: 'pcd', breaksOff: true }, /could not be fetched/u],
  ])(
    'rejects an address with the problem "%s", and leaves no file behind',
    async (_what, answer, message) => {
      const server = await served(answer);
      await expect(folder.import('unused', '', { source: server.url })).rejects.toThrow(message);
      server.close();
      expect(await readdir(join(folder.dataDir, 'postcodes'))).toHaveLength(2);
    },
  );
});
