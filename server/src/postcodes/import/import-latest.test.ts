import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inFormat2, offsetsIn } from '../../../../test/fixtures/postcodes/directory-bytes.js';
import { HOLYROOD, PALACE, editionCsv } from '../../../../test/fixtures/postcodes/editions.js';
import { AUGUST, startPortal } from '../../../../test/fixtures/postcodes/portal.js';
import {
  temporaryFolder,
  type TemporaryFolder,
} from '../../../../test/fixtures/postcodes/temporary-folder.js';
import { zipFile } from '../../../../test/fixtures/postcodes/zip-file.js';
import { readCurrentInfo } from '../directory-store.js';
import type { ImportProgress } from './import-directory.js';
import { importLatest, type LatestOptions } from './import-latest.js';

const ROWS = editionCsv('2026', [HOLYROOD, PALACE]);
const ARCHIVE = zipFile({ 'Data/ONSPD_AUG_2026_UK.csv': ROWS });
const NOW = Date.UTC(2026, 10, 22);
const MAY = [expect.stringMatching(/^onspd-2026-05-.*\.sgp$/u)];

let folder: TemporaryFolder;
let portal: Awaited<ReturnType<typeof startPortal>>;
beforeEach(async () => {
  folder = await temporaryFolder();
  await folder.import('ONSPD_MAY_2026_UK.csv', ROWS);
  portal = await startPortal(ARCHIVE);
});
afterEach(async () => {
  await portal.close();
  await folder.remove();
});

/** Tells the portal how many bytes have arrived, so that it cuts the connection after as many as `breaks` says. */
const onProgress = ({ phase, doneBytes }: ImportProgress) => {
  if (phase === 'download') portal.received(doneBytes);
};
const latest = (options: Partial<LatestOptions> = {}) =>
  importLatest({
    searchUrl: portal.searchUrl,
    dataDir: folder.dataDir,
    clock: () => NOW,
    onProgress,
    ...options,
  });
const edition = async () => (await readCurrentInfo(folder.dataDir)).edition;
const files = async () =>
  (await readdir(join(folder.dataDir, 'postcodes'))).filter((name) => name !== 'current.json').sort();
const kept = [
  expect.stringMatching(/^download-[0-9a-f]{16}\.json\.partial$/u),
  expect.stringMatching(/^download-[0-9a-f]{16}\.partial$/u),
];
const fetched = () => portal.requests.filter(({ path }) => path === '/signed');

describe('the newest edition', () => {
  test('announces the newest edition, fetches it through a redirect, imports it, and removes the download', async () => {
    const found: string[] = [];
    const progress: ImportProgress[] = [];
    const report = await latest({
      onFound: ({ title, licence }) => found.push(`${title}: ${licence}`),
      onProgress: (done) => progress.push(done),
    });
    expect(found).toEqual([
      expect.stringContaining('ONS Postcode Directory (August 2026): Open Government Licence'),
    ]);
    expect(report).toMatchObject({
      info: { source: 'ONSPD', edition: '2026-08' },
      latest: { edition: '2026-08' },
    });
    expect(progress).toContainEqual({
      phase: 'download',
      doneBytes: ARCHIVE.length,
      totalBytes: ARCHIVE.length,
    });
    expect(await files()).toEqual([expect.stringMatching(/^onspd-2026-08-.*\.sgp$/u)]);
  });

  test('does not fetch the newest edition if it is in use, unless forced, published again, or now wanted without BT postcodes', async () => {
    await latest();
    expect(await latest()).toEqual({
      isUpToDate: true,
      latest: expect.objectContaining({ edition: '2026-08' }),
      info: expect.objectContaining({ edition: '2026-08' }),
    });
    expect(fetched()).toHaveLength(1);
    expect(await latest({ force: true })).toHaveProperty('changes');
    portal.items = [{ ...AUGUST, created: NOW + 1 }];
    expect(await latest()).toHaveProperty('changes');
    portal.items = [AUGUST];
    expect(await latest({ excludeNorthernIreland: true })).toHaveProperty('changes');
    expect(fetched()).toHaveLength(4);
  });

  test.each<[string, (file: Buffer) => Buffer]>([
    ['an older version of Signpost imported it, without its details', inFormat2],
    [
      'its file is damaged behind the header',
      (file) => {
        const place = offsetsIn(file).checksum - 100;
        file.writeUInt8(file.readUInt8(place) ^ 1, place);
        return file;
      },
    ],
  ])('imports the newest edition again if %s, and then not once more', async (_why, change) => {
    await latest();
    const path = join(folder.dataDir, 'postcodes', String((await files())[0]));
    await writeFile(path, change(await readFile(path)));
    expect(await latest()).toMatchObject({
      isUpToDate: false,
      info: { edition: '2026-08', hasDetails: true },
    });
    expect(await latest()).toMatchObject({ isUpToDate: true });
  });

  test('the newest edition does not replace a newer ONSPD, but does replace a newer NSPL', async () => {
    await folder.import('ONSPD_NOV_2026_UK.csv', ROWS);
    expect(await latest()).toMatchObject({ isUpToDate: true, info: { edition: '2026-11' } });
    await folder.import('NSPL_NOV_2026_UK.csv', ROWS);
    expect(await latest()).toMatchObject({ info: { source: 'ONSPD', edition: '2026-08' } });
  });
});

describe('a download that breaks off', () => {
  test('an interrupted download resumes within the same call', async () => {
    portal.breaks = [100, 200];
    expect(await latest()).toMatchObject({ info: { edition: '2026-08' } });
    expect(fetched().map(({ range, status }) => [range, status])).toEqual([
      [undefined, 200],
      ['bytes=100-', 206],
      ['bytes=300-', 206],
    ]);
  });

  test('an interrupted download that gets no further is kept, and the next call resumes it', async () => {
    portal.breaks = [100, 0];
    await expect(latest()).rejects.toThrow(
      /data could not be fetched: .*\. 0 of 0 MB have come and are kept: the same import goes on from there\. To do it by hand/u,
    );
    expect([await edition(), await files()]).toEqual(['2026-05', [...kept, ...MAY]]);
    await latest();
    expect(fetched().at(-1)).toMatchObject({ range: 'bytes=100-', status: 206 });
    expect([await edition(), (await files()).length]).toEqual(['2026-08', 1]);
  });

  test.each<[string, () => void]>([
    ['the file is another one now', () => (portal.etag = '"two"')],
    ['there are no ranges', () => (portal.hasRanges = false)],
    ['there is no version any more', () => (portal.etag = undefined)],
  ])('an interrupted download starts again if %s', async (_why, change) => {
    portal.breaks = [100, 0];
    await expect(latest()).rejects.toThrow('are kept');
    change();
    await latest();
    expect(fetched().at(-1)).toMatchObject({ status: 200 });
    expect(await edition()).toBe('2026-08');
  });

  test('an interrupted download is not kept if the server does not identify versions', async () => {
    portal.etag = 'W/"weak"';
    portal.breaks = [100];
    await expect(latest()).rejects.toThrow(/could not be fetched: [^.]*\. To do it by hand/u);
    await latest();
    expect(fetched().at(-1)).toMatchObject({ range: undefined, status: 200 });
  });

  test('importing another source removes an interrupted download', async () => {
    portal.breaks = [100, 0];
    await expect(latest()).rejects.toThrow('are kept');
    await folder.import('ONSPD_MAY_2026_UK.csv', ROWS);
    expect(await files()).toEqual(MAY);
  });

  test.each(['ONSPD_AUG_2026_UK.csv', 'ONSPD_NOV_2026_UK.csv'])(
    'removes an interrupted download of the newest edition, of August 2026, if %s is in use',
    async (name) => {
      await folder.import(name, ROWS, { clock: () => NOW });
      portal.breaks = [100, 0];
      await expect(latest({ force: true })).rejects.toThrow('are kept');
      expect(await files()).toHaveLength(3);
      expect(await latest()).toMatchObject({ isUpToDate: true });
      expect(await files()).toHaveLength(1);
    },
  );

  test('a later import of the same address resumes an interrupted download', async () => {
    const source = portal.searchUrl.replace('sharing/rest/search', 'signed');
    portal.breaks = [100, 0];
    await expect(folder.import('unused', '', { source, onProgress })).rejects.toThrow(
      /are kept: the same import[^.]*\.$/u,
    );
    await folder.import('unused', '', { source });
    expect(fetched().at(-1)).toMatchObject({ range: 'bytes=100-', status: 206 });
    expect(await edition()).toBe('2026-08');
  });
});

describe('a wrong response of the portal is rejected, and the previous directory stays', () => {
  test.each<[string, () => void, RegExp]>([
    [
      'a file of another size',
      () => (portal.size = 2 * ARCHIVE.length),
      /sends \d+ bytes, but announced \d+\./u,
    ],
    [
      'a page',
      () => (portal.file = Buffer.from('<html>Busy</html>')),
      /ONSPD_AUG_2026\.zip is not a postcode directory.*HTML/u,
    ],
    ['another archive', () => (portal.file = zipFile({ 'a.txt': 'b' })), /holds no postcode directory/u],
    [
      'another edition',
      () => (portal.file = zipFile({ 'Data/ONSPD_MAY_2026_UK.csv': ROWS })),
      /"ONS Postcode Directory \(August 2026\)" holds the ONSPD of 2026-05/u,
    ],
    [
      'the NSPL',
      () => (portal.file = zipFile({ 'Data/NSPL_AUG_2026_UK.csv': ROWS })),
      /holds the NSPL of 2026-08/u,
    ],
    ['a damaged archive', () => (portal.file = ARCHIVE.subarray(0, -9)), /is not a whole zip archive/u],
    ['nothing', () => (portal.file = Buffer.alloc(0)), /is empty/u],
    [
      'a redirect to an address that is not https',
      () => (portal.leadsTo = 'ftp://127.0.0.1/x'),
      /leads to ftp:\/\/127\.0\.0\.1, which is not https/u,
    ],
    [
      'redirects in a circle',
      () => (portal.leadsTo = `/sharing/rest/content/items/${AUGUST.id}/data`),
      /leads on more than 5 times/u,
    ],
  ])('keeps the previous directory if the portal sends %s', async (_what, change, message) => {
    portal.size = -1;
    change();
    const attempt = latest();
    await expect(attempt).rejects.toThrow(message);
    await expect(attempt).rejects.toThrow('npx signpost postcodes import FILE');
    expect([await edition(), await files()]).toEqual(['2026-05', MAY]);
  });

  test('rejects a directory that is much worse, and keeps its download for --force', async () => {
    portal.file = zipFile({ 'Data/ONSPD_AUG_2026_UK.csv': editionCsv('2026', [PALACE]) });
    portal.size = portal.file.length;
    await expect(latest()).rejects.toThrow(/much worse.*add --force/u);
    expect([await edition(), await files()]).toEqual(['2026-05', [...kept, ...MAY]]);
    await latest({ force: true });
    expect(fetched().at(-1)).toMatchObject({ status: 304 });
    expect([await edition(), (await files()).length]).toEqual(['2026-08', 1]);
  });

  test('rejects an edition older than the one in use, without downloading it', async () => {
    await folder.import('ONSPD_NOV_2026_UK.csv', ROWS);
    const before = fetched().length;
    const without = { excludeNorthernIreland: true };
    await expect(latest(without)).rejects.toThrow(
      /its edition is 2026-08, and ONSPD 2026-11 is in use\. .*add --force/u,
    );
    expect([fetched().length, await edition()]).toEqual([before, '2026-11']);
    await latest({ ...without, force: true });
    expect(await edition()).toBe('2026-08');
  });

  test('rejects a response with an error status, and keeps the partial download', async () => {
    portal.breaks = [100, 0];
    await expect(latest()).rejects.toThrow('are kept');
    portal.answer = (path, response) => {
      if (path === '/signed') response.writeHead(503).end();
      return path === '/signed';
    };
    await expect(latest()).rejects.toThrow(
      /data answered 503 Service Unavailable: no directory came\. To do it by hand/u,
    );
    portal.answer = undefined;
    await latest();
    expect(fetched().at(-1)).toMatchObject({ range: 'bytes=100-', status: 206 });
  });
});
