import { editionCsv, HOLYROOD, PALACE } from '../../../test/fixtures/postcodes/editions.js';
import { temporaryFolder, type TemporaryFolder } from '../../../test/fixtures/postcodes/temporary-folder.js';
import { readCurrentInfo } from '../postcodes/directory-store.js';
import type { ImportJob } from '../postcodes/import/directory-imports.js';
import { DIRECT } from '../platform/outbound/outbound-settings.js';
import { importInProcess } from './import-in-process.js';

const BUILT = new URL('../../dist/app/import-process.js', import.meta.url);
const NAME = 'ONSPD_AUG_2026_UK.csv';

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

const runner = () => {
  const { dataDir } = folder;
  const settings = {
    dataDir,
    directorySearchUrl: 'https://portal.example/search',
    allowAddresses: [],
    outbound: DIRECT,
  };
  return importInProcess(settings, BUILT);
};
const jobOf = (content: string): Promise<ImportJob> =>
  folder.write('upload', content).then((path) => ({
    source: { kind: 'file', path, name: NAME },
    excludeNorthernIreland: false,
    force: false,
  }));
const never = new AbortController().signal;

test('imports an edition in another process that reports its progress', async () => {
  const phases = new Set<string>();
  const job = await jobOf(editionCsv('2026', [HOLYROOD, PALACE]));
  const { report } = await runner()(job, ({ phase }) => phases.add(phase), never);
  expect(report?.info).toMatchObject({ edition: '2026-08', rows: 2 });
  expect([...phases]).toEqual(['read', 'write']);
  expect((await readCurrentInfo(folder.dataDir)).edition).toBe('2026-08');
});

test('reports the error message of a failed import in another process', async () => {
  await expect(runner()(await jobOf('%PDF-1.7'), () => undefined, never)).rejects.toThrow(
    `${NAME} is not a postcode directory (zip or csv): it is a PDF document.`,
  );
});

test('an import in another process fails when the server stops', async () => {
  const stopping = new AbortController();
  const running = runner()(await jobOf(editionCsv('2026', [PALACE])), () => undefined, stopping.signal);
  stopping.abort();
  await expect(running).rejects.toThrow(
    'The server stopped before the import was done. Start the import again.',
  );
});
