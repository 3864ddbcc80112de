import { readdir, rm, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { largeEditionCsv } from '../fixtures/postcodes/large-edition.js';
import { runSignpost, startSignpost } from '../fixtures/signpost-server.js';
import { waitUntil } from '../fixtures/wait-until.js';
import { integrityOf } from './support/check-database.js';
import { recordFault } from './support/fault-table.js';
import { countedFor, lookUp, openLedgers } from './support/ledger.js';
import { mountSmallDisk } from './support/small-disk.js';
import { UNLIMITED } from '../fixtures/unlimited.js';

const DISK_MEGABYTES = 32;
const CLIENTS_PER_KEY = 4;
const REJECTIONS = 50;

const mounted = await mountSmallDisk(DISK_MEGABYTES);
const disk = typeof mounted === 'string' ? undefined : mounted;
const dataDir = join(disk?.folder ?? '', 'data');
let editions: string;

beforeAll(async () => {
  editions = await mkdtemp(join(tmpdir(), 'signpost-editions-'));
  if (typeof mounted === 'string') {
    console.warn(`The tests of a full disk are left out: ${mounted}.`);
    await recordFault({ fault: 'a full disk', expected: 'clear errors', figure: `left out: ${mounted}` });
  }
});
afterEach(async () => {
  await disk?.makeRoom();
  await rm(dataDir, { recursive: true, force: true });
});
afterAll(async () => {
  await disk?.remove();
  await rm(editions, { recursive: true, force: true });
});

const testWithDisk = disk === undefined ? test.skip : test;

testWithDisk(
  'while the disk is full, requests get clear errors and nothing acknowledged is lost; service resumes once there is room',
  async () => {
    await mkdir(dataDir);
    const server = await startSignpost(UNLIMITED, dataDir);
    const ledgers = await openLedgers(server, 2);
    const rejections: string[] = [];
    const others: string[] = [];
    let isOver = false;
    const client = async (ledger: (typeof ledgers)[number]) => {
      while (!isOver) {
        const seen = await lookUp(server, ledger);
        if (seen === undefined) others.push('cut off');
        else if (seen.answer.status === 503) rejections.push(seen.body);
        else if (seen.answer.status !== 200) others.push(`${seen.answer.status} ${seen.body}`);
      }
    };
    const clients = ledgers.flatMap((ledger) =>
      Array.from({ length: CLIENTS_PER_KEY }, () => client(ledger)),
    );
    const before = () => ledgers.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
    await waitUntil('requests are answered', () => before() > REJECTIONS);
    await disk?.fill();
    await waitUntil('requests are refused', () => rejections.length > REJECTIONS);
    const whileFull = before();
    const health = (await server.get('/healthz')).status;
    const readyWhileFull = await server.get('/readyz');
    const whyNotReady = await readyWhileFull.text();
    await disk?.makeRoom();
    await waitUntil('requests are answered again', () => before() > whileFull + REJECTIONS);
    const readyAgain = (await server.get('/readyz')).status;
    isOver = true;
    await Promise.all(clients);
    await server.end('SIGTERM');
    const exitCode = server.process.exitCode;

    const again = await startSignpost(UNLIMITED, dataDir);
    let counted = 0;
    const wrong: unknown[] = [];
    for (const ledger of ledgers) {
      const total = await countedFor(again, ledger);
      counted += total;
      if (total < ledger.acknowledged || total > ledger.sent) wrong.push({ total, ...ledger });
    }
    const integrity = await integrityOf(dataDir);
    await again.end('SIGTERM');

    const words = [...new Set(rejections)];
    await recordFault({
      fault: 'the disk of the data folder filled up while requests come',
      expected:
        'requests that cannot be counted get 503, /readyz too; nothing acknowledged is lost, it goes on by itself once there is room',
      figure:
        `${rejections.length} requests refused with 503 (${words.length} wording), ${others.length} otherwise; ` +
        `${before()} acknowledged ≤ ${counted} counted; /readyz ${readyWhileFull.status}, then ${readyAgain}; exit code ${exitCode}`,
    });
    expect(words).toEqual([expect.stringContaining('cannot count')]);
    expect(others).toEqual([]);
    expect([health, exitCode]).toEqual([200, 0]);
    expect([readyWhileFull.status, readyAgain]).toEqual([503, 200]);
    expect(whyNotReady).toContain('Its disk is full: make room there.');
    expect(wrong).toEqual([]);
    expect(integrity).toEqual({ integrity_check: 'ok' });
  },
);

testWithDisk('an idle server is not ready on a full disk, and is ready once there is room', async () => {
  await mkdir(dataDir);
  const server = await startSignpost(UNLIMITED, dataDir);
  const readiness = async () => (await server.get('/readyz')).status;
  expect(await readiness()).toBe(200);
  await disk?.fill();
  await waitUntil('it is not ready', async () => (await readiness()) === 503);
  const lookedUp = await server.post('/api/postcode/lookup', { postcode: 'SW1A 1AA' });
  await disk?.makeRoom();
  await waitUntil('it is ready again', async () => (await readiness()) === 200);
  const lookedUpAgain = await server.post('/api/postcode/lookup', { postcode: 'SW1A 1AA' });
  await server.end('SIGTERM');
  expect([lookedUp.status, lookedUpAgain.status]).toEqual([503, 200]);
});

testWithDisk('a start on a full disk ends with code 1, and says that the disk is full', async () => {
  await disk?.fill();
  const fresh = await runSignpost(dataDir, ['start']);
  await disk?.makeRoom();
  await rm(dataDir, { recursive: true, force: true });

  await mkdir(dataDir);
  await (await startSignpost(UNLIMITED, dataDir)).end('SIGKILL');
  await disk?.fill();
  const existing = await runSignpost(dataDir, ['start']);
  await disk?.makeRoom();
  const afterwards = await startSignpost(UNLIMITED, dataDir);
  await afterwards.end('SIGTERM');

  const isClear = ({ stderr }: { stderr: string }) =>
    /\bfull\b.*make room/iu.test(stderr) && !/^\s+at /mu.test(stderr);
  await recordFault({
    fault: 'a start on a full disk, with an empty data folder and with one in use',
    expected: 'exit code 1 and a sentence that says that the disk is full; it starts once there is room',
    figure: `exit codes ${fresh.code} and ${existing.code}; a clear sentence in ${[fresh, existing].filter(isClear).length} of 2; started once there was room`,
  });
  expect([fresh.code, existing.code]).toEqual([1, 1]);
  expect([fresh.stderr, existing.stderr].filter((stderr) => !isClear({ stderr }))).toEqual([]);
});

testWithDisk.each([
  ['is full', 0],
  ['has room for only the start of the new directory', 256 * 1_024],
])(
  'an import while the disk %s keeps the old directory in use and leaves no partial file',
  async (what, freeBytes) => {
    await mkdir(dataDir);
    const server = await startSignpost(UNLIMITED, dataDir);
    const [small, large] = [join(editions, 'ONSPD_MAY_2025_UK.csv'), join(editions, 'ONSPD_AUG_2025_UK.csv')];
    await writeFile(small, largeEditionCsv('B'));
    await writeFile(large, largeEditionCsv());
    expect((await server.run('postcodes', 'import', small)).code).toBe(0);
    const files = (await readdir(join(dataDir, 'postcodes'))).sort();
    await disk?.fill(freeBytes);
    const refused = await server.run('postcodes', 'import', large);
    const left = (await readdir(join(dataDir, 'postcodes'))).sort();
    await disk?.makeRoom();
    const lookedUp = await server.post('/api/postcode/lookup', { postcode: 'SW1A 1AA' });
    const next = await server.run('postcodes', 'import', large);
    await server.end('SIGTERM');

    await recordFault({
      fault: `an import where the disk ${what}`,
      expected: 'a clear rejection, the directory before in use, no half file; it works once there is room',
      figure:
        `exit code ${refused.code}; ${left.length} of ${files.length} files as before; lookup answered with ` +
        `${lookedUp.status}; once there was room exit code ${next.code}`,
    });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/its disk is full/u);
    expect(left).toEqual(files);
    expect([lookedUp.status, next.code]).toEqual([200, 0]);
  },
);
