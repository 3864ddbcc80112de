import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { openDirectoryStore } from './directory-store.js';
import { importDirectory } from './import/import-directory.js';
import { openZip } from './import/zip-archive.js';
import { parsedDirectory } from './testing/parsed-directory.js';
import { temporaryFolder } from './testing/temporary-folder.js';

const WHOLE = join(import.meta.dirname, '../../../../shared/data/onspd-scale.zip');
const DEFAULT_LIMIT = 10;
/** The import and another reading of 600 MB, on a machine that has other work. */
const TIMEOUT_MS = 300_000;

/** How many live postcodes each outcode has, as the csv itself tells. */
async function liveOutcodes(): Promise<Map<string, number>> {
  const { files, close } = await openZip(WHOLE, 'whole.zip', 100);
  const csv = files.find(({ name }) => name.startsWith('Data/ONSPD'));
  if (csv === undefined) throw new Error('The archive holds no csv.');
  const counts = new Map<string, number>();
  for await (const line of createInterface({ input: Readable.from(await csv.open()) })) {
    const [, , postcode = '', , terminated] = line.split(',', 5);
    const [outcode = '', incode] = postcode.split(' ');
    if (terminated === '' && incode !== undefined) counts.set(outcode, (counts.get(outcode) ?? 0) + 1);
  }
  close();
  return counts;
}

test(
  'every live outcode of the whole directory is reached by typing it, and a space keeps to it',
  async () => {
    if (!existsSync(WHOLE)) {
      console.log('Left out: typing every live outcode, as the whole directory is not beside the checkout.');
      return;
    }
    const folder = await temporaryFolder();
    const { unknownCodes } = await importDirectory({
      source: WHOLE,
      dataDir: folder.dataDir,
      clock: () => 0,
    });
    const store = await openDirectoryStore({ dataDir: folder.dataDir });
    store.close();
    await folder.remove();
    const directory = parsedDirectory(store.current());
    const outcodes = await liveOutcodes();
    expect(outcodes.size).toBe(2_897);

    const outcodesOf = (partial: string) =>
      directory.autocomplete(partial, DEFAULT_LIMIT).map((postcode) => postcode.split(' ')[0]);
    for (const [outcode, count] of outcodes) {
      const own = Array<string>(Math.min(count, DEFAULT_LIMIT)).fill(outcode);
      expect([outcode, outcodesOf(`${outcode} `)]).toEqual([outcode, own]);
      expect([outcode, outcodesOf(outcode).slice(0, own.length)]).toEqual([outcode, own]);
    }
    expect(unknownCodes.lsoa).toBe(0);
  },
  TIMEOUT_MS,
);
