import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { inFormat2 } from '../../../test/fixtures/postcodes/directory-bytes.js';
import { HOLYROOD, PALACE, editionCsv } from '../../../test/fixtures/postcodes/editions.js';
import { temporaryFolder, type TemporaryFolder } from '../../../test/fixtures/postcodes/temporary-folder.js';
import { startPortal } from '../../../test/fixtures/postcodes/portal.js';
import { zipFile } from '../../../test/fixtures/postcodes/zip-file.js';
import { directoryFinding, directoryInfoFinding } from '../app/installation-findings.js';
import { readCurrentInfo } from '../postcodes/directory-store.js';
import { DIRECT } from '../platform/outbound/outbound-settings.js';
import { registerPostcodesCommands } from './postcodes.js';

const NOW = Date.UTC(2025, 9, 1);

let folder: TemporaryFolder;
let now: number;
let searchUrl: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  now = NOW;
  searchUrl = 'http://127.0.0.1:1/sharing/rest/search';
});
afterEach(() => folder.remove());

async function run(...words: string[]) {
  return runWith(new PassThrough(), words);
}

async function runWith(stderr: PassThrough, words: readonly string[]) {
  const stdout = new PassThrough();
  const program = new Command('signpost').exitOverride();
  const imported: string[] = [];
  registerPostcodesCommands(program, {
    dataDir: () => folder.dataDir,
    stdout,
    stderr,
    clock: () => now,
    directorySearchUrl: () => searchUrl,
    outbound: () => DIRECT,
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
  test('status describes the sample, and says how to get the whole directory', async () => {
    const { stdout } = await run('status');
    expect(stdout).toMatch(/Edition +the built-in sample/u);
    expect(stdout).toContain('npx signpost postcodes import latest');
  });

  test('import reports what it imported, and status describes it', async () => {
    const { stdout, stderr, imported } = await run('import', await source());
    expect(imported).toEqual(['ONSPD 2025-08']);
    expect(stdout).toMatch(/Edition +ONSPD 2025-08/u);
    expect(stdout).toMatch(/ward +100\.00 % +2\n/u);
    expect(stderr).toMatch(/^Reading 100 %\nWriting\n(?:Writing \d+ %\n)*Writing 100 %\n$/u);
    const status = (await run('status')).stdout;
    expect(status).toMatch(/Postcodes +2\n/u);
    expect(status).toMatch(/Imported +\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ\n/u);
  });

  test('status and doctor advise importing again if an older version imported the directory', async () => {
    await run('import', await source());
    expect((await run('status')).stdout).not.toContain('An older version');
    const directories = join(folder.dataDir, 'postcodes');
    const name = (await readdir(directories)).find((file) => file.endsWith('.sgp')) ?? '';
    const path = join(directories, name);
    await writeFile(path, inFormat2(await readFile(path)));
    expect((await run('status')).stdout).toMatch(
      /An older version of Signpost imported it, without codes, areas and history.*postcodes import/u,
    );
    expect(await directoryFinding(folder, () => NOW)).toMatchObject({
      state: 'could be better',
      message:
        'ONSPD 2025-08, 2 postcodes; an older version of Signpost imported it, without codes, areas and history',
      advice: expect.stringMatching(/latest$/u),
    });
  });

  test('import warns of a partial edition, and of codes without a name', async () => {
    expect((await run('import', await source())).stdout).toMatch(
      /\nWarning: This edition is only a part of one: .*\n\nWarning: Some codes have no name, .*import that\.\n$/u,
    );
  });

  test('import and status with --json print only JSON on standard output', async () => {
    const report: unknown = JSON.parse((await run('import', await source(), '--json')).stdout);
    expect(report).toMatchObject({
      info: { edition: '2025-08', rows: 2 },
      duplicates: 0,
      unknownCodes: { ward: 2 },
    });
    const status: unknown = JSON.parse((await run('status', '--json')).stdout);
    expect(status).toMatchObject({ source: 'ONSPD', isSample: false, live: 2 });
  });

  test('import rejects a file that is not a postcode directory, and names it', async () => {
    const page = await folder.write('page.zip', '<html>');
    await expect(run('import', page)).rejects.toThrow('page.zip is not a postcode directory');
  });

  test('import says what changed since the previous directory', async () => {
    await folder.import(
      'ONSPD_MAY_2025_UK.csv',
      editionCsv('2025', [HOLYROOD, { ...PALACE, pcds: 'SW1A 2AA', wd: 'E05000001' }]),
    );
    const { stdout, stderr } = await run('import', await source());
    expect(stderr).toMatch(/\nWriting 100 %\nComparing\n(?:Comparing \d+ %\n)*Comparing 100 %\n$/u);
    expect(stdout).toMatch(/\nCompared with ONSPD 2025-05\n {2}new postcodes +1\n {2}ended +0\n/u);
    expect(stdout).toMatch(/\n {2}moved by over 10 metres +0\n {2}no longer in it +1\nNames of areas\n/u);
    expect(stdout).toContain('\n  ward: 1 new (E05013806); 1 gone (E05000001)\n');
    const report: unknown = JSON.parse((await run('import', await source(), '--json')).stdout);
    expect(report).toMatchObject({ changes: { since: { edition: '2025-08' }, new: 0, gone: 0 } });
  });

  test('status names the command to run if the edition is more than six months old', async () => {
    await run('import', await source());
    now = Date.UTC(2026, 1, 28);
    expect((await run('status')).stdout).not.toContain('months old');
    now = Date.UTC(2026, 2, 1);
    expect((await run('status')).stdout).toContain(
      'it is 7 months old. To import the newest: npx signpost postcodes import latest\n',
    );
  });

  test('import latest says what it fetches, or that the newest edition is already in use', async () => {
    const archive = zipFile({ 'Data/ONSPD_AUG_2026_UK.csv': editionCsv('2026', [HOLYROOD, PALACE]) });
    const portal = await startPortal(archive);
    searchUrl = portal.searchUrl;
    now = Date.UTC(2026, 8, 2);
    const first = await run('import', 'latest');
    const second = await run('import', 'latest');
    const third: unknown = JSON.parse((await run('import', 'latest', '--json')).stdout);
    await portal.close();
    expect(first.stderr).toMatch(
      /^ONS Postcode Directory \(August 2026\), 0 MB\nLicence: Open Government Licence v3\.0.*\nFetching/u,
    );
    expect(first.stdout).toMatch(/Edition +ONSPD 2026-08/u);
    expect(first.imported).toEqual(['ONSPD 2026-08']);
    expect(second.stdout).toBe(
      'ONSPD 2026-08 is in use and is the newest edition: nothing was done. To import it again, add --force.\n',
    );
    expect(second.imported).toEqual([]);
    expect(third).toMatchObject({
      isUpToDate: true,
      info: { edition: '2026-08' },
      latest: { bytes: archive.length },
    });
  });

  test('import shows a progress bar on a terminal, or the megabytes so far if the server does not announce the size', async () => {
    await folder.import('ONSPD_MAY_2026_UK.csv', editionCsv('2026', [HOLYROOD, PALACE]));
    const archive = zipFile({ 'Data/ONSPD_AUG_2026_UK.csv': editionCsv('2026', [HOLYROOD, PALACE]) });
    const portal = await startPortal(archive);
    portal.answer = (path, response) => {
      if (path !== '/signed') return false;
      // Written in two parts, so that the response has no Content-Length.
      response.write(archive.subarray(0, 100));
      response.end(archive.subarray(100));
      return true;
    };
    searchUrl = portal.searchUrl;
    const terminal = () => Object.assign(new PassThrough(), { isTTY: true });
    const { stderr } = await runWith(terminal(), ['import', 'latest']);
    const unannounced = await runWith(terminal(), ['import', new URL('/signed', portal.searchUrl).href]);
    await portal.close();
    expect(stderr).toMatch(/Fetching \[-{40}\] 0% of .*Reading \[-{40}\] 0% of /su);
    expect(stderr).toMatch(/Writing \[={40}\] 100% of .*Comparing \[={40}\] 100% of /su);
    expect(unannounced.stderr).toMatch(/^\rFetching 0\.\d MB/u);
  });

  test('import latest says how to import by hand if the portal is down', async () => {
    await expect(run('import', 'latest')).rejects.toThrow('npx signpost postcodes import FILE');
  });
});

describe('the doctor', () => {
  test.each([
    [
      '2025-08',
      NOW,
      'could be better',
      /2 postcodes: this edition is only a part of one: [^;]*$/u,
      /latest$/u,
    ],
    [
      '2025-08',
      Date.UTC(2026, 7, 1),
      'could be better',
      /2 postcodes: this edition is only a part.*; it is 12 months old$/u,
      /latest$/u,
    ],
    ['none', NOW, 'could be better', /^only the sample of \d+ postcodes$/u, /latest$/u],
  ])('reports the edition %s at %d ms after 1970 as "%s"', async (edition, at, state, message, advice) => {
    if (edition !== 'none') await run('import', await source());
    const finding = await directoryFinding(folder, () => at);
    expect(finding.state).toBe(state);
    expect(finding.message).toMatch(message);
    expect(finding.advice).toMatch(advice);
  });

  test('finds nothing wrong with a complete edition that is two months old', async () => {
    await run('import', await source());
    const info = { ...(await readCurrentInfo(folder.dataDir)), rows: 2_650_000 };
    expect(directoryInfoFinding(info, NOW)).toEqual({
      name: 'Postcode directory',
      state: 'works',
      message: 'ONSPD 2025-08, 2,650,000 postcodes',
    });
  });
});
