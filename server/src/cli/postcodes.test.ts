import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { HOLYROOD, PALACE, editionCsv } from '../../../test/fixtures/postcodes/editions.js';
import { temporaryFolder, type TemporaryFolder } from '../../../test/fixtures/postcodes/temporary-folder.js';
import { registerPostcodesCommands } from './postcodes.js';

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

async function run(...words: string[]) {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const program = new Command('signpost').exitOverride();
  const imported: string[] = [];
  registerPostcodesCommands(program, {
    ...{ dataDir: () => folder.dataDir, stdout, stderr, clock: () => 0 },
    onImport: (edition) => Promise.resolve(void imported.push(edition)),
  });
  try {
    await program.parseAsync(['postcodes', ...words], { from: 'user' });
  } finally {
    stdout.end();
    stderr.end();
  }
  return { stdout: await text(stdout), stderr: await text(stderr), imported };
}

const source = () => folder.write('ONSPD_AUG_2025_UK.csv', editionCsv('2025', [HOLYROOD, PALACE]));

describe('signpost postcodes', () => {
  test('status tells of the sample, and how to get the whole directory', async () => {
    const { stdout } = await run('status');
    expect(stdout).toMatch(/Edition +the embedded sample/u);
    expect(stdout).toContain('npx signpost postcodes import FILE');
  });

  test('import reports what has come, and status repeats it', async () => {
    const { stdout, stderr, imported } = await run('import', await source());
    expect(imported).toEqual(['ONSPD 2025-08']);
    expect(stdout).toMatch(/Edition +ONSPD 2025-08/u);
    expect(stdout).toMatch(/ward +100\.00 % +2\n/u);
    expect(stderr).toBe('Reading 100 %\nWriting\n');
    expect((await run('status')).stdout).toMatch(/Postcodes +2\n/u);
  });

  test('--json prints what programs read, and nothing else on standard output', async () => {
    const report: unknown = JSON.parse((await run('import', await source(), '--json')).stdout);
    expect(report).toMatchObject({
      info: { edition: '2025-08', rows: 2 },
      duplicates: 0,
      unknownCodes: { ward: 2 },
    });
    const status: unknown = JSON.parse((await run('status', '--json')).stdout);
    expect(status).toMatchObject({ source: 'ONSPD', isSample: false, live: 2 });
  });

  test('import of something else says what it is', async () => {
    const page = await folder.write('page.zip', '<html>');
    await expect(run('import', page)).rejects.toThrow('page.zip is not a postcode directory');
  });
});
