import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../../../../test/fixtures/postcodes/temporary-folder.js';
import { launchBrowser } from './launch-browser.js';

test.each([
  ['kill -9 $$', 'ended without a word', /MemoryMax=/u],
  ['echo Killed >&2; exit 1', 'ended as soon as it had started', /MemoryMax=/u],
  ['echo It broke. >&2; exit 1', 'ended as soon as it had started', /SIGNPOST_BROWSER_PATH/u],
])(
  'says why a browser does not start, and how to fix it, if its program runs "%s"',
  async (script, why, cure) => {
    const folder = await temporaryFolder();
    const program = join(folder.dataDir, 'browser');
    await writeFile(program, `#!/bin/sh\n${script}\n`);
    await chmod(program, 0o700);
    const launching = launchBrowser({
      program,
      kind: 'plain',
      proxyServer: 'http://127.0.0.1:9',
      withoutSandbox: true,
      fitsSharedMemory: true,
    });
    await expect(launching).rejects.toMatchObject({
      problem: { why: `${program} ${why}`, cure: expect.stringMatching(cure) },
    });
    await folder.remove();
  },
);
