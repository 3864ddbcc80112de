import { editionCsv, HOLYROOD, PALACE } from '../../../test/fixtures/postcodes/editions.js';
import { startPortal } from '../../../test/fixtures/postcodes/portal.js';
import { temporaryFolder, type TemporaryFolder } from '../../../test/fixtures/postcodes/temporary-folder.js';
import { zipFile } from '../../../test/fixtures/postcodes/zip-file.js';
import type { ImportJob } from '../postcodes/import/directory-imports.js';
import { importDirectory } from '../postcodes/import/import-directory.js';
import { DIRECT } from '../platform/outbound/outbound-settings.js';
import { runDirectoryImport } from './directory-import.js';

const ARCHIVE = zipFile({ 'Data/ONSPD_AUG_2026_UK.csv': editionCsv('2026', [HOLYROOD, PALACE]) });

let folder: TemporaryFolder;
let portal: Awaited<ReturnType<typeof startPortal>>;
beforeEach(async () => {
  folder = await temporaryFolder();
  portal = await startPortal(ARCHIVE);
});
afterEach(async () => {
  await portal.close();
  await folder.remove();
});

const run = (source: ImportJob['source'], allowAddresses: readonly string[] = []) =>
  runDirectoryImport(
    { dataDir: folder.dataDir, directorySearchUrl: portal.searchUrl, allowAddresses, outbound: DIRECT },
    { source, excludeNorthernIreland: false, force: false },
    { clock: () => Date.UTC(2026, 10, 23), onProgress: ({ doneBytes }) => portal.received(doneBytes) },
  );
const address = () => ({ kind: 'address', url: new URL('/signed', portal.searchUrl).href }) as const;

test('does not fetch from an address that is not public, unless its network is allowed', async () => {
  await expect(run(address())).rejects.toThrow(
    /^127\.0\.0\.1:\d+ was not found, or is not a public address\. .* SIGNPOST_ALLOW_ADDRESSES/u,
  );
  expect(portal.requests).toEqual([]);
  expect((await run(address(), ['127.0.0.1'])).report?.info).toMatchObject({ edition: '2026-08', rows: 2 });
});

test('does not follow a redirect into a network that is not public', async () => {
  portal.answer = (_path, response) => {
    response.writeHead(302, { location: 'http://10.0.0.1/edition.zip' }).end();
    return true;
  };
  await expect(run(address(), ['127.0.0.1'])).rejects.toThrow(
    /^10\.0\.0\.1 was not found, or is not a public/u,
  );
});

test('keeps a partial download, and resumes it in the next import', async () => {
  portal.breaks = [100, 0];
  await expect(run(address(), ['127.0.0.1'])).rejects.toThrow(
    /\/signed could not be fetched: [^.]+\. 0 of 0 MB have come and are kept: the same import goes on from there\.$/u,
  );
  expect((await run(address(), ['127.0.0.1'])).report?.info.edition).toBe('2026-08');
  expect(portal.requests.at(-1)).toMatchObject({ range: 'bytes=100-', status: 206 });
});

test('reports a refused connection with the same message as importDirectory', async () => {
  const gone = await startPortal(ARCHIVE);
  await gone.close();
  const url = new URL('/signed', gone.searchUrl).href;
  const clock = () => Date.UTC(2026, 10, 23);
  const told = importDirectory({ dataDir: folder.dataDir, source: url, clock });
  const message = `${url} could not be fetched: connect ECONNREFUSED ${new URL(url).host}.`;
  await expect(told).rejects.toMatchObject({ name: 'ImportError', message });
  await expect(run({ kind: 'address', url }, ['127.0.0.1'])).rejects.toMatchObject({
    name: 'ImportError',
    message,
  });
});

test('imports the newest edition from the configured portal, but not a second time', async () => {
  expect((await run({ kind: 'latest' })).report?.info.edition).toBe('2026-08');
  const again = await run({ kind: 'latest' });
  expect([again.report, again.info.edition]).toEqual([undefined, '2026-08']);
});
