import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rounds } from '../fixtures/length.js';
import { startImport } from '../fixtures/postcodes/import-process.js';
import { largeEditionCsv } from '../fixtures/postcodes/large-edition.js';
import { startSignpost, type SignpostServer } from '../fixtures/signpost-server.js';
import { waitUntil } from '../fixtures/wait-until.js';
import { startDirectoryCallers } from './support/directory-callers.js';
import { recordFault } from './support/fault-table.js';
import { UNLIMITED } from '../fixtures/unlimited.js';

const SWAPS = rounds(8, 20);
const CALLERS = 8;
/** A postcode that the sample does not have. */
const POSTCODE = 'B0 0AA';
const TAKEN_UP = 'A new postcode directory is in use.';
/** Fields of the same postcode in two editions. A record that mixes fields of both would be noticed. */
const EASTINGS = ['529090', '429091'];
const WARDS = ['E05013806', 'E05000001'];
const recordOf = (edition: number) => `${EASTINGS[edition]} ${WARDS[edition]}`;

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

const swapsSeen = () => server.output().split(TAKEN_UP).length - 1;

async function writeEditions(): Promise<readonly string[]> {
  const plain = largeEditionCsv();
  const other = plain
    .replaceAll(EASTINGS[0] ?? '', EASTINGS[1] ?? '')
    .replaceAll(WARDS[0] ?? '', WARDS[1] ?? '');
  const files = [join(folder, 'ONSPD_MAY_2025_UK.csv'), join(folder, 'ONSPD_AUG_2025_UK.csv')];
  for (const [index, file] of files.entries()) await writeFile(file, index === 0 ? plain : other);
  return files;
}

test('while new directories take over one after the other, no lookup fails or mixes two of them', async () => {
  const files = await writeEditions();
  const take = async (source: string) => {
    const before = swapsSeen();
    expect((await startImport(source, server.dataDir).ended()).error).toBe('');
    await waitUntil('the server has taken it up', () => swapsSeen() > before);
  };
  await take(files[0] ?? '');
  const before = swapsSeen();
  const seen = new Map<string, number>();
  const callers = startDirectoryCallers(server, {
    postcode: POSTCODE,
    callers: CALLERS,
    judge: ({ easting, ward }) => {
      const record = `${easting} ${ward}`;
      seen.set(record, (seen.get(record) ?? 0) + 1);
      return [0, 1].map(recordOf).includes(record) ? '' : `mixed: ${record}`;
    },
  });
  for (let swap = 1; swap <= SWAPS; swap += 1) await take(files[swap % files.length] ?? '');
  const swaps = swapsSeen() - before;
  const { answers, wrong } = await callers.stop();

  const [ofFirst = 0, ofSecond = 0] = [0, 1].map((edition) => seen.get(recordOf(edition)));
  await recordFault({
    fault: `the postcode directory replaced again and again while ${CALLERS} callers look up`,
    expected: 'no lookup fails, and each is answered from one whole directory',
    figure: `${swaps} swaps during ${answers} lookups, ${wrong.length} of them failed; ${ofFirst} answered from the one and ${ofSecond} from the other`,
  });
  expect(swaps).toBe(SWAPS);
  expect(wrong).toEqual([]);
  expect(Math.min(ofFirst, ofSecond)).toBeGreaterThan(SWAPS);
});
