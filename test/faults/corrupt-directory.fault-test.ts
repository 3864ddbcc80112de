import { randomBytes, randomUUID } from 'node:crypto';
import { copyFile, cp, mkdtemp, open, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { largeEditionCsv } from '../fixtures/postcodes/large-edition.js';
import { runSignpost, startSignpost, type SignpostServer } from '../fixtures/signpost-server.js';
import { waitUntil } from '../fixtures/wait-until.js';
import { startDirectoryCallers } from './support/directory-callers.js';
import { recordFault } from './support/fault-table.js';
import { UNLIMITED } from '../fixtures/unlimited.js';

const CALLERS = 2;
const ERROR = 'The postcode directory cannot be used.';
const SPOILT_BYTES = 4_096;

const LOOK_UPS = 100;
const TAKEN_UP = 'A new postcode directory is in use.';

let folder: string;
let edition: string;
let server: SignpostServer;

async function importEdition(): Promise<number | null> {
  const before = server.output().split(TAKEN_UP).length;
  const { code } = await server.run('postcodes', 'import', edition, '--force');
  await waitUntil('the server has taken it up', () => server.output().split(TAKEN_UP).length > before);
  return code;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signpost-editions-'));
  edition = join(folder, 'ONSPD_MAY_2025_UK.csv');
  await writeFile(edition, largeEditionCsv('B'));
  server = await startSignpost(UNLIMITED);
  await importEdition();
});
afterAll(async () => {
  await server.remove();
  await rm(folder, { recursive: true, force: true });
});

async function overwrite(file: string, position: number): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.write(randomBytes(SPOILT_BYTES), 0, SPOILT_BYTES, position);
  await handle.close();
}

const errorsOf = (output: string) => output.split(ERROR).length - 1;

const damages: readonly (readonly [string, (file: string) => Promise<void>])[] = [
  ['cut to half', async (file) => truncate(file, Math.floor((await stat(file)).size / 2))],
  ['its header overwritten', (file) => overwrite(file, 0)],
  ['overwritten in what is loaded', async (file) => overwrite(file, Math.floor((await stat(file)).size / 5))],
  ['deleted', (file) => rm(file)],
];

/** Replaces the directory file in use with a damaged copy. Writes the pointer file last, as an import does. */
async function putDamaged(damage: (file: string) => Promise<void>): Promise<void> {
  const directories = join(server.dataDir, 'postcodes');
  const whole = (await readdir(directories)).find((name) => name.endsWith('.sgp')) ?? '';
  const damaged = whole.replace('2025-05', '2025-06');
  await copyFile(join(directories, whole), join(directories, damaged));
  await damage(join(directories, damaged));
  await rm(join(directories, whole));
  await writeFile(join(directories, 'current.json'), JSON.stringify({ file: damaged }));
}

test.each(damages)(
  'if the directory file is damaged, the server uses the one in memory, and the next start logs the damage: %s',
  async (what, damage) => {
    const callers = startDirectoryCallers(server, {
      postcode: 'B0 0AA',
      callers: CALLERS,
      judge: (record) => (record.easting === 529_090 ? '' : JSON.stringify(record)),
    });
    const errorsBefore = errorsOf(server.output());
    await putDamaged(damage);
    await waitUntil('the damage is noticed', () => errorsOf(server.output()) > errorsBefore);
    const noticedAt = callers.answers();
    await waitUntil('more lookups are answered', () => callers.answers() > noticedAt + LOOK_UPS);
    const copy = join(folder, `copy-${randomUUID()}`);
    await cp(server.dataDir, copy, { recursive: true });
    const imported = await importEdition();
    const { answers, wrong } = await callers.stop();

    const start = await startSignpost(UNLIMITED, copy);
    const lookedUp = await start.post('/api/postcode/lookup', { postcode: 'SW1A 1AA' }, server.apiKey);
    await start.end('SIGTERM');
    const saysSample = /the sample of \d+; import the whole directory with/u.test(start.output());
    const isLogged = errorsOf(start.output()) > 0;
    const doctor = (await runSignpost(copy, ['doctor'], { SIGNPOST_BROWSER_PATH: '/bin/false' })).stdout;
    const finding = /.*Postcode directory.*/u.exec(doctor)?.[0] ?? '';

    await recordFault({
      fault: `the directory file ${what}`,
      expected:
        'the one in memory serves on; a start with nothing else logs the damage, serves the sample and says so; an import mends it',
      figure:
        `${answers} lookups meanwhile, ${wrong.length} failed; at the start: ${isLogged ? 'logged' : 'not logged'}, ` +
        `${saysSample ? 'sample announced' : 'sample not announced'}, lookup ${lookedUp.status}; ` +
        `doctor: ${finding.startsWith('✖') ? 'found' : 'not found'}; the next import ended with ${imported}`,
    });
    expect(wrong).toEqual([]);
    expect(answers).toBeGreaterThan(LOOK_UPS);
    expect([isLogged, saysSample, lookedUp.status]).toEqual([true, true, 200]);
    expect(finding).toMatch(/^✖/u);
    expect(imported).toBe(0);
  },
);
