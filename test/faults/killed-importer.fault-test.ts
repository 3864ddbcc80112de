import { readdir, rm, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDirectoryStore } from '../../server/src/postcodes/directory-store.js';
import { rounds } from '../fixtures/length.js';
import { startImport } from '../fixtures/postcodes/import-process.js';
import { largeEditionCsv } from '../fixtures/postcodes/large-edition.js';
import { startSignpost, type SignpostServer } from '../fixtures/signpost-server.js';
import { startDirectoryCallers } from './support/directory-callers.js';
import { recordFault } from './support/fault-table.js';
import { UNLIMITED } from '../fixtures/unlimited.js';

const KILLS = rounds(8, 20);
/** Some importers finish before they are killed. */
const MAX_IMPORTERS = 3 * KILLS;
/** The lines of progress that an import of the large edition prints. */
const LINES = 20;
const EDITIONS = ['2025-05', '2025-08'] as const;
const LONGEST_AFTER_LINE_MS = 40;
const CALLERS = 4;

let folder: string;
let server: SignpostServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signpost-editions-'));
  server = await startSignpost(UNLIMITED);
});
afterAll(async () => {
  await server.remove();
  await rm(folder, { recursive: true, force: true });
});

async function editionFile(name: string, content: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, content);
  return file;
}

/** The edition in use, read from its file. Throws if the file is damaged. */
async function editionInUse(): Promise<string> {
  const errors: unknown[] = [];
  const { dataDir } = server;
  const store = await openDirectoryStore({ dataDir, onError: (error) => errors.push(error) });
  await store.close();
  if (errors.length > 0) throw errors[0];
  return store.current().info.edition;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Kills importers that write into the data folder of a busy server, and then imports another edition. */
async function killImporters() {
  const content = largeEditionCsv();
  const sources = {
    '2025-05': await editionFile('ONSPD_MAY_2025_UK.csv', content),
    '2025-08': await editionFile('ONSPD_AUG_2025_UK.csv', content),
  };
  const last = await editionFile('ONSPD_NOV_2025_UK.csv', content);
  expect((await server.run('postcodes', 'import', sources['2025-05'])).code).toBe(0);
  const callers = startDirectoryCallers(server, {
    postcode: 'SW1A 1AA',
    callers: CALLERS,
    judge: (record) => (record.easting === 529_090 ? '' : JSON.stringify(record)),
  });

  let kills = 0;
  let importers = 0;
  let takenBeforeKill = 0;
  let inUse = '2025-05';
  const broken: string[] = [];
  while (kills < KILLS && importers < MAX_IMPORTERS) {
    importers += 1;
    const [before, wanted] = inUse === '2025-05' ? EDITIONS : EDITIONS.toReversed();
    const importer = startImport(sources[wanted], server.dataDir);
    await importer.progressed(Math.floor(Math.random() * LINES));
    await pause(Math.random() * LONGEST_AFTER_LINE_MS);
    importer.kill();
    const { signal, error } = await importer.ended();
    inUse = await editionInUse().catch((damage: unknown) => String(damage));
    if (signal === 'SIGKILL') kills += 1;
    if (signal === 'SIGKILL' && inUse === wanted) takenBeforeKill += 1;
    if (error !== '') broken.push(error);
    if (inUse !== wanted && (inUse !== before || signal !== 'SIGKILL')) broken.push(inUse);
  }
  const next = await server.run('postcodes', 'import', last, '--force');
  const { answers, wrong } = await callers.stop();
  inUse = await editionInUse();
  const files = (await readdir(join(server.dataDir, 'postcodes'))).sort();

  await recordFault({
    fault: 'an importer killed with kill -9 at random moments beside a running server',
    expected: 'no failed lookup, always a whole directory in use, no half file, and the next import works',
    figure:
      `${kills} kills, ${takenBeforeKill} of them after the new one was in use; ${answers} lookups meanwhile, ` +
      `${wrong.length} of them failed; ${broken.length} times no whole directory; the next import ended with ` +
      `${next.code} and left ${files.length} files`,
  });
  return { kills, broken, wrong, answers, code: next.code, inUse, files };
}

describe('when importers are killed at random moments', () => {
  let outcome: Awaited<ReturnType<typeof killImporters>>;

  beforeAll(async () => {
    outcome = await killImporters();
  });

  test('a whole directory is in use after each kill of an importer', () => {
    expect(outcome.kills).toBe(KILLS);
    expect(outcome.broken).toEqual([]);
  });

  test('no lookup fails while importers are killed', () => {
    expect(outcome.wrong).toEqual([]);
    expect(outcome.answers).toBeGreaterThan(KILLS);
  });

  test('after importers are killed, the next import works, and no half file remains', () => {
    expect([outcome.code, outcome.inUse]).toEqual([0, '2025-11']);
    expect(outcome.files).toEqual(['current.json', expect.stringMatching(/^onspd-2025-11-.{8}\.sgp$/u)]);
  });
});
