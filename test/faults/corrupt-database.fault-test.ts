import { createHash, randomBytes, randomInt } from 'node:crypto';
import { cp, mkdtemp, open, readFile, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '../../server/src/storage/open-storage.js';
import { runSignpost, startSignpost } from '../fixtures/signpost-server.js';
import { recordFault } from './support/fault-table.js';
import { lookUp, openLedgers } from './support/ledger.js';
import { tryStart } from './support/try-start.js';
import { UNLIMITED } from '../fixtures/unlimited.js';

const PAGE_BYTES = 4_096;
const HEADER_BYTES = 100;
const ROWS = 5_000;
const ROWS_PER_STATEMENT = 500;
const ADVICE = /restore a backup there, or move the file away/u;

let folder: string;
/** A data folder whose server was stopped normally, and one whose server was killed and left a write-ahead log. */
let whole: string;
let killed: string;

const day = (index: number) => ({
  key_id: 1_000 + index,
  day: 1,
  requests: index,
  minute: 1,
  minute_requests: 1,
  granted: 1,
  per_minute: 5,
  per_day: 20,
});

async function enlarge(dataDir: string): Promise<void> {
  const { db, close } = await openStorage({ file: join(dataDir, 'signpost.db') });
  await db.batchInsert(
    'usage_days',
    Array.from({ length: ROWS }, (_, index) => day(index)),
    ROWS_PER_STATEMENT,
  );
  await close();
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signpost-corrupt-'));
  [whole, killed] = [join(folder, 'whole'), join(folder, 'killed')];
  const server = await startSignpost(UNLIMITED, whole);
  await server.end('SIGTERM');
  await enlarge(whole);
  await cp(whole, killed, { recursive: true });
  const again = await startSignpost(UNLIMITED, killed);
  for (const ledger of await openLedgers(again, 1)) await lookUp(again, ledger);
  await again.end('SIGKILL');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function overwrite(file: string, position: number, bytes: Buffer): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.write(bytes, 0, bytes.length, position);
  await handle.close();
}

async function overwritePages(file: string, share: number): Promise<void> {
  const pages = (await readFile(file)).length / PAGE_BYTES;
  const chosen = new Set<number>();
  // Never the first page, because damage to it is noticed immediately.
  while (chosen.size < pages * share) chosen.add(randomInt(1, pages));
  for (const page of chosen) await overwrite(file, page * PAGE_BYTES, randomBytes(PAGE_BYTES));
}

const lastPageOf = async (file: string) => (await readFile(file)).length - PAGE_BYTES;

const damages: readonly (readonly [string, () => string, (file: string) => Promise<void>])[] = [
  ['cut to half', () => whole, async (file) => truncate(file, (await readFile(file)).length / 2 + 1)],
  ['its header overwritten', () => whole, (file) => overwrite(file, 0, randomBytes(HEADER_BYTES))],
  ['a tenth of its pages overwritten', () => whole, (file) => overwritePages(file, 0.1)],
  ['half of its pages overwritten', () => whole, (file) => overwritePages(file, 0.5)],
  [
    'one page of counts overwritten',
    () => whole,
    async (file) => overwrite(file, await lastPageOf(file), randomBytes(PAGE_BYTES)),
  ],
  ['emptied beside its write-ahead log', () => killed, (file) => truncate(file, 0)],
];

const hashesOf = (file: string) =>
  Promise.all(
    ['', '-wal'].map(async (suffix) =>
      createHash('sha256')
        .update(await readFile(file + suffix).catch(() => ''))
        .digest('hex'),
    ),
  );

const doctorSays = async (dataDir: string) =>
  (await runSignpost(dataDir, ['doctor'], { SIGNPOST_BROWSER_PATH: '/bin/false' })).stdout;

test.each(damages)(
  'the server rejects a damaged database with advice, and does not change it: %s',
  async (what, from, damage) => {
    const dataDir = await mkdtemp(join(folder, 'damaged-'));
    await cp(from(), dataDir, { recursive: true });
    const file = join(dataDir, 'signpost.db');
    await damage(file);
    const before = await hashesOf(file);
    const finding = /.*Database and secret.*/u.exec(await doctorSays(dataDir))?.[0] ?? '';
    const { outcome, code, output } = await tryStart(dataDir);
    const words = output.split('\n').find((line) => line.startsWith('signpost: ')) ?? '';
    const after = await hashesOf(file);

    const isClear = ADVICE.test(words) && words.includes(file);
    const isUnchanged = JSON.stringify(after) === JSON.stringify(before);
    await recordFault({
      fault: `the database ${what}`,
      expected: 'refused with its name and what to do, found by the doctor, and never changed or made anew',
      figure:
        `start: ${outcome} with exit code ${code}, ${isClear ? 'a clear sentence' : 'no clear sentence'}; doctor: ` +
        `${finding.startsWith('✖') ? 'found' : 'not found'}; the file is ${isUnchanged ? 'unchanged' : 'changed'}`,
    });
    expect([outcome, code]).toEqual(['ended', 1]);
    expect(words).toMatch(ADVICE);
    expect(words).toContain(file);
    expect(finding).toMatch(/^✖/u);
    expect(finding).toMatch(ADVICE);
    expect(after).toEqual(before);
  },
);
