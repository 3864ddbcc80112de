import { copyFile, readFile, readdir, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDirectoryStore } from './directory-store.js';
import type { DirectoryInfo } from './table/directory-data.js';
import { inFormat2, offsetsIn, withChecksum } from '../../../test/fixtures/postcodes/directory-bytes.js';
import { HOLYROOD, PALACE, editionCsv } from '../../../test/fixtures/postcodes/editions.js';
import { parsedDirectory } from '../../../test/fixtures/postcodes/parsed-directory.js';
import { temporaryFolder, type TemporaryFolder } from '../../../test/fixtures/postcodes/temporary-folder.js';

const CSV = editionCsv('2025', [HOLYROOD, PALACE]);

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

/** Opens a store and records its notifications. */
async function opened(options: { readonly newestFormat?: number } = {}) {
  const swaps: string[] = [];
  const errors: unknown[] = [];
  let wake: () => void = () => undefined;
  const onSwap = ({ edition }: DirectoryInfo) => {
    swaps.push(edition);
    wake();
  };
  const store = await openDirectoryStore({
    dataDir: folder.dataDir,
    onSwap,
    onError: (error) => errors.push(error),
    ...options,
  });
  const swapped = () => new Promise<void>((resolve) => (wake = resolve));
  return { store, swaps, errors, swapped };
}

async function directoryFile() {
  const names = await readdir(join(folder.dataDir, 'postcodes'));
  const name = names.find((candidate) => candidate.endsWith('.sgp')) ?? '';
  return { name, path: join(folder.dataDir, 'postcodes', name) };
}

/** Points `current.json` to a file in one step, as an import does: a watcher must not see it half-written. */
async function pointTo(file: string): Promise<void> {
  const pointer = join(folder.dataDir, 'postcodes', 'current.json');
  await writeFile(`${pointer}.draft`, JSON.stringify({ file }));
  await rename(`${pointer}.draft`, pointer);
}

/** Replaces text in the header of a directory file by other text of the same length, and updates the checksum. */
async function changeHeader(path: string, words: string | RegExp, others: string): Promise<void> {
  const { checksum } = offsetsIn(await readFile(path));
  const text = await readFile(path, 'latin1');
  const bytes = Buffer.from(text.replace(words, others), 'latin1');
  expect(bytes.length).toBe(text.length);
  await writeFile(path, withChecksum(bytes, checksum));
}

describe('the directory in use', () => {
  test('uses the sample if no directory has been imported', async () => {
    const { store, errors } = await opened();
    await store.close();
    expect(store.current().info).toMatchObject({ isSample: true, source: 'sample' });
    expect(errors).toEqual([]);
  });

  test('notices and uses a newly imported directory, without a failed lookup', async () => {
    const { store, swapped, swaps } = await opened();
    let failures = 0;
    let lookups = 0;
    const done = new AbortController();
    const looking = (async () => {
      while (!done.signal.aborted) {
        lookups += 1;
        if (typeof store.current().rowOf('SW1A 1AA') !== 'number') failures += 1;
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    for (const month of ['MAY', 'AUG', 'NOV']) {
      const swap = swapped();
      await folder.import(`ONSPD_${month}_2025_UK.csv`, CSV);
      await swap;
    }
    done.abort();
    await looking;
    await store.close();
    expect(swaps).toEqual(['2025-05', '2025-08', '2025-11']);
    expect(lookups).toBeGreaterThan(0);
    expect(failures).toBe(0);
  });

  test.each([
    ['is cut short', async (path: string) => truncate(path, (await stat(path)).size - 20), /breaks off/u],
    ['is empty', (path: string) => truncate(path, 0), /its beginning is damaged/u],
    [
      'is damaged in one bit',
      async (path: string) => {
        const bytes = await readFile(path);
        const place = offsetsIn(bytes).checksum - 100;
        bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place);
        await writeFile(path, bytes);
      },
      /checksum/u,
    ],
    [
      'has a section that lies in another',
      (path: string) => changeHeader(path, '"keys":{"offset":0,', '"keys":{"offset":8,'),
      /do not follow each other/u,
    ],
    [
      'has fewer rows than its sections',
      (path: string) => changeHeader(path, /"rows":\d/u, '"rows":0'),
      /do not fit each other/u,
    ],
    [
      'is of another format',
      (path: string) => writeFile(path, 'SIGNPOST\u0009\0\0\0\0\0\0\0rest of it'),
      /format 9, which a newer version of Signpost wrote.*update this server/u,
    ],
    ['is missing', (path: string) => rm(path), /ENOENT/u],
  ])('keeps the previous directory if a new one %s, and reports it once', async (_how, damage, reported) => {
    await folder.import('ONSPD_MAY_2025_UK.csv', CSV);
    const { store, errors } = await opened();
    await folder.import('ONSPD_AUG_2025_UK.csv', CSV);
    await store.refresh();
    expect(store.current().info.edition).toBe('2025-08');

    const { path } = await directoryFile();
    const damaged = join(folder.dataDir, 'postcodes', 'damaged.sgp');
    await copyFile(path, damaged);
    await damage(damaged);
    await pointTo('damaged.sgp');
    await store.refresh();
    await store.refresh();
    expect(store.current().info.edition).toBe('2025-08');
    expect(errors.map(String)).toEqual([expect.stringMatching(reported)]);
    expect(store.isFallback()).toBe(false);

    await folder.import('ONSPD_NOV_2025_UK.csv', CSV);
    await store.refresh();
    await store.close();
    expect(store.current().info.edition).toBe('2025-11');
  });

  test('a directory in format 2, of an older version, has no codes, areas or history until the next import', async () => {
    await folder.import('ONSPD_MAY_2025_UK.csv', CSV);
    const { path } = await directoryFile();
    await writeFile(path, inFormat2(await readFile(path)));
    const { store, errors } = await opened();
    const { table, info } = store.current();
    expect(info).toMatchObject({ edition: '2025-05', rows: 2, hasDetails: false });
    const older = parsedDirectory(table);
    expect(older.lookup('SW1A 1AA', ['codes', 'areas', 'history'])).toMatchObject({
      postcode: 'SW1A 1AA',
      localAuthority: 'E09000033',
      codes: null,
      areas: null,
      history: null,
    });

    await folder.import('ONSPD_AUG_2025_UK.csv', CSV);
    await store.refresh();
    const newer = parsedDirectory(store.current());
    expect(newer.info).toMatchObject({ edition: '2025-08', hasDetails: true });
    expect(newer.lookup('SW1A 1AA', ['codes'])).toMatchObject({ codes: { localAuthority: 'E09000033' } });
    await store.close();
    expect(errors).toEqual([]);
  });

  test('an older server keeps its directory while a newer one beside it loads an import', async () => {
    await folder.import('ONSPD_MAY_2025_UK.csv', CSV);
    const { path } = await directoryFile();
    await writeFile(path, inFormat2(await readFile(path)));
    const older = await opened({ newestFormat: 2 });
    const newer = await opened();
    expect(older.errors).toEqual([]);

    await folder.import('ONSPD_AUG_2025_UK.csv', CSV);
    await Promise.all([older.store.refresh(), newer.store.refresh()]);
    for (const { store } of [older, newer])
      expect(store.current().rowOf('SW1A 1AA')).toEqual(expect.any(Number));
    expect([older.store.current().info.edition, newer.store.current().info.edition]).toEqual([
      '2025-05',
      '2025-08',
    ]);
    expect(older.errors.map(String)).toEqual([
      expect.stringMatching(/reads formats up to 2: update this server/u),
    ]);
    expect(older.store.isFallback()).toBe(false);
    expect(newer.errors).toEqual([]);
    await older.store.close();
    await newer.store.close();
  });

  test('looking up the history of a damaged row throws an error that names the row; its other fields and the other row are still returned', async () => {
    await folder.import('ONSPD_MAY_2025_UK.csv', CSV);
    const { path } = await directoryFile();
    const bytes = await readFile(path);
    const { details } = offsetsIn(bytes);
    bytes.writeUInt8(bytes.readUInt8(details) ^ 1, details);
    await writeFile(path, bytes);
    const { store, errors } = await opened();
    const directory = parsedDirectory(store.current());
    expect(() => directory.lookup('EH99 1SP', ['history'])).toThrow(
      /damaged in row 1: import the directory again/u,
    );
    expect(directory.lookup('EH99 1SP')).toMatchObject({ postcode: 'EH99 1SP' });
    expect(directory.lookup('SW1A 1AA', ['history'])).toMatchObject({ history: { introduced: '1980-01' } });
    await store.close();
    expect(errors).toEqual([]);
  });

  test('reads no directory outside its folder if the pointer names one, and uses the sample until the next import', async () => {
    await folder.import('ONSPD_MAY_2025_UK.csv', CSV);
    await pointTo('../../etc/passwd.sgp');
    const { store, errors } = await opened();
    expect(store.isFallback()).toBe(true);
    expect(store.current().info.isSample).toBe(true);
    await folder.import('ONSPD_AUG_2025_UK.csv', CSV);
    await store.refresh();
    await store.close();
    expect(store.isFallback()).toBe(false);
    expect(String(errors)).toMatch(/current\.json .*is damaged/u);
  });
});
