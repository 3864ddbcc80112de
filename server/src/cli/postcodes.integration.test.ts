import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { largeEditionCsv } from '../../../test/fixtures/postcodes/large-edition.js';
import { startPortal } from '../../../test/fixtures/postcodes/portal.js';
import { temporaryFolder } from '../../../test/fixtures/postcodes/temporary-folder.js';
import { zipFile } from '../../../test/fixtures/postcodes/zip-file.js';

const PROGRAM = join(import.meta.dirname, '../../bin/signpost.js');
const ARCHIVE = zipFile({ 'Data/ONSPD_AUG_2026_UK.csv': largeEditionCsv('B') });

test('import latest resumes the download of a killed import, and leaves none of its unfinished files', async () => {
  const folder = await temporaryFolder();
  const portal = await startPortal(ARCHIVE);
  const importLatest = () =>
    spawn(process.execPath, [PROGRAM, 'postcodes', 'import', 'latest', '--json'], {
      env: {
        PATH: process.env.PATH,
        SIGNPOST_DATA_DIR: folder.dataDir,
        SIGNPOST_DIRECTORY_SEARCH_URL: portal.searchUrl,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  try {
    portal.breaks = [ARCHIVE.length / 2];
    const killed = importLatest();
    for await (const line of killed.stderr) if (String(line).includes('Fetching')) killed.kill('SIGKILL');
    expect(killed.signalCode ?? (await once(killed, 'close'))[1]).toBe('SIGKILL');

    const second = importLatest();
    const [output, messages] = await Promise.all([text(second.stdout), text(second.stderr)]);
    expect(messages).toContain('ONS Postcode Directory (August 2026)');
    expect(JSON.parse(output)).toMatchObject({ info: { edition: '2026-08', rows: 10_001 }, changes: null });
    const [, range = '0'] = /^bytes=(\d+)-$/u.exec(portal.requests.at(-1)?.range ?? '') ?? [];
    expect(Number(range)).toBeGreaterThan(0);
    const files = (await readdir(join(folder.dataDir, 'postcodes'))).sort();
    expect(files).toEqual(['current.json', expect.stringMatching(/^onspd-2026-08-.{8}\.sgp$/u)]);
  } finally {
    await portal.close();
    await folder.remove();
  }
});
