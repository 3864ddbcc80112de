import { copyFile, readFile, readdir, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { CHECKSUM_BYTES } from './file/directory-format.js';
import { openDirectoryStore } from './directory-store.js';
import type { DirectoryInfo } from './table/directory-data.js';
import { HOLYROOD, PALACE, editionCsv } from '../../../test/fixtures/postcodes/editions.js';
import { temporaryFolder, type TemporaryFolder } from '../../../test/fixtures/postcodes/temporary-folder.js';

const CSV = editionCsv('2025', [HOLYROOD, PALACE]);

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

/** Opens the store and notes what it tells. */
async function opened() {
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
  });
  const swapped = () => new Promise<void>((resolve) => (wake = resolve));
  return { store, swaps, errors, swapped };
}

async function directoryFile() {
  const names = await readdir(join(folder.dataDir, 'postcodes'));
  const name = names.find((candidate) => candidate.endsWith('.sgp')) ?? '';
  return { name, path: join(folder.dataDir, 'postcodes', name) };
}

/** Names another file as the one in use, at once, as an import does: a watcher must not see half of it. */
async function pointTo(file: string): Promise<void> {
  const pointer = join(folder.dataDir, 'postcodes', 'current.json');
  await writeFile(`${pointer}.draft`, JSON.stringify({ file }));
  await rename(`${pointer}.draft`, pointer);
}

/** Changes the header of a directory file to words of the same length; its checksum fits. */
async function changeHeader(path: string, words: string | RegExp, others: string): Promise<void> {
  const text = await readFile(path, 'latin1');
  const bytes = Buffer.from(text.replace(words, others), 'latin1');
  expect(bytes.length).toBe(text.length);
  const end = bytes.length - CHECKSUM_BYTES;
  bytes.writeUInt32LE(crc32(bytes.subarray(0, end)), end);
  await writeFile(path, bytes);
}

describe('the directory that serves', () => {
  test('is the sample where none has been imported', async () => {
    const { store, errors } = await opened();
    store.close();
    expect(store.current().info).toMatchObject({ isSample: true, source: 'sample' });
    expect(errors).toEqual([]);
  });

  test('is the newly imported one, noticed by itself and without one failed look-up', async () => {
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
    store.close();
    expect(swaps).toEqual(['2025-05', '2025-08', '2025-11']);
    expect(lookups).toBeGreaterThan(0);
    expect(failures).toBe(0);
  });

  test.each([
    ['cut short', async (path: string) => truncate(path, (await stat(path)).size - 20), /breaks off/u],
    ['empty', (path: string) => truncate(path, 0), /its beginning is damaged/u],
    [
      'damaged in one bit',
      async (path: string) => {
        const bytes = await readFile(path);
        const place = bytes.length - 100;
        bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place);
        await writeFile(path, bytes);
      },
      /checksum/u,
    ],
    [
      'one with a section that lies in another',
      (path: string) => changeHeader(path, '"keys":{"offset":0,', '"keys":{"offset":8,'),
      /do not follow each other/u,
    ],
    [
      'one with fewer rows than its sections',
      (path: string) => changeHeader(path, /"rows":\d/u, '"rows":0'),
      /do not fit each other/u,
    ],
    [
      'of another format',
      (path: string) => writeFile(path, 'SIGNPOST\u0009\0\0\0\0\0\0\0rest of it'),
      /format 9/u,
    ],
    ['missing', (path: string) => rm(path), /ENOENT/u],
  ])(
    'stays the one before when the new one is %s, which is reported once',
    async (_how, damage, reported) => {
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
      expect(store.isStandIn()).toBe(false);

      await folder.import('ONSPD_NOV_2025_UK.csv', CSV);
      await store.refresh();
      store.close();
      expect(store.current().info.edition).toBe('2025-11');
    },
  );

  test('is not led out of its folder by a pointer', async () => {
    await folder.import('ONSPD_MAY_2025_UK.csv', CSV);
    await pointTo('../../etc/passwd.sgp');
    const { store, errors } = await opened();
    expect(store.isStandIn()).toBe(true);
    expect(store.current().info.isSample).toBe(true);
    await folder.import('ONSPD_AUG_2025_UK.csv', CSV);
    await store.refresh();
    store.close();
    expect(store.isStandIn()).toBe(false);
    expect(String(errors)).toMatch(/current\.json .*is damaged/u);
  });
});
