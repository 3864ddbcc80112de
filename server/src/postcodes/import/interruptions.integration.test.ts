import { readdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { openDirectoryStore } from '../directory-store.js';
import { HOLYROOD, PALACE, editionCsv } from '../../../../test/fixtures/postcodes/editions.js';
import { takeImportLock } from './import-lock.js';
import { rounds } from '../../../../test/fixtures/length.js';
import { startImport } from '../../../../test/fixtures/postcodes/import-process.js';
import { largeEditionCsv } from '../../../../test/fixtures/postcodes/large-edition.js';
import {
  temporaryFolder,
  type TemporaryFolder,
} from '../../../../test/fixtures/postcodes/temporary-folder.js';

const LARGE = largeEditionCsv();

let folder: TemporaryFolder;
let large: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  await folder.import('ONSPD_MAY_2025_UK.csv', editionCsv('2025', [HOLYROOD, PALACE]));
  large = await folder.write('ONSPD_AUG_2025_UK.csv', LARGE);
});
afterEach(() => folder.remove());

const files = async () => (await readdir(join(folder.dataDir, 'postcodes'))).sort();
const directoryOf = (wanted: string): unknown =>
  expect.stringMatching(new RegExp(`^onspd-${wanted}-.{8}\\.sgp$`, 'u'));

async function edition() {
  const errors: unknown[] = [];
  const store = await openDirectoryStore({ dataDir: folder.dataDir, onError: (error) => errors.push(error) });
  await store.close();
  expect(errors).toEqual([]);
  return store.current().info.edition;
}

describe('an importer that is killed', () => {
  test.each(rounds([1, 8, 18, 20], [1, 3, 8, 15, 18, 19, 20]))(
    'an importer killed after %d steps leaves a whole directory in use; the next one succeeds and cleans up',
    async (lines) => {
      const importer = startImport(large, folder.dataDir);
      await importer.progressed(lines);
      importer.kill();
      const { signal } = await importer.ended();
      expect(['2025-05', '2025-08']).toContain(await edition());
      expect(signal === 'SIGKILL' || (await edition()) === '2025-08').toBe(true);

      await folder.import('ONSPD_NOV_2025_UK.csv', LARGE);
      expect(await edition()).toBe('2025-11');
      expect(await files()).toEqual(['current.json', directoryOf('2025-11')]);
    },
  );
});

describe('two importers at once', () => {
  test('the second of two importers is rejected, and says who is importing, since when and what', async () => {
    const since = Date.UTC(2025, 8, 1, 10);
    const lock = await takeImportLock(folder.dataDir, 'first.zip', () => since);
    const second = await startImport(large, folder.dataDir).ended();
    expect(second.code).toBe(1);
    expect(second.error).toBe(
      `Another import is under way: process ${process.pid} on ${hostname()}, since 2025-09-01T10:00:00.000Z, importing first.zip.`,
    );
    expect(await edition()).toBe('2025-05');

    await lock.release();
    expect(await startImport(large, folder.dataDir).ended()).toMatchObject({ code: 0, error: '' });
    expect(await edition()).toBe('2025-08');
    expect(await readdir(folder.dataDir)).not.toContain('import.json');
  });

  test('importers started at the same moment leave one directory and no partial import', async () => {
    const importers = Array.from({ length: 4 }, () => startImport(large, folder.dataDir));
    const ends = await Promise.all(importers.map((importer) => importer.ended()));
    expect(ends.filter(({ code }) => code === 0).length).toBeGreaterThanOrEqual(1);
    for (const { code, error } of ends) expect(code === 0 || error.includes('Another import')).toBe(true);
    expect(await edition()).toBe('2025-08');
    expect(await files()).toEqual(['current.json', directoryOf('2025-08')]);
  });

  test('an importer that was killed does not block the next', async () => {
    const first = startImport(large, folder.dataDir);
    await first.progressed(1);
    first.kill();
    await first.ended();
    expect((await startImport(large, folder.dataDir).ended()).error).toBe('');
  });
});

describe('a full disk', () => {
  test('an import reports a full disk, keeps the previous postcode directory, and leaves no files behind', async () => {
    const { code, error } = await startImport(large, folder.dataDir, 64).ended();
    expect(code).toBe(1);
    expect(error).toMatch(/its disk is full|share of its disk|larger than this user/u);
    expect(await edition()).toBe('2025-05');
    expect(await files()).toEqual(['current.json', directoryOf('2025-05')]);
  });
});
