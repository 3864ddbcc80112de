import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newDatabase } from '../fixtures/database-of-folder.js';
import { runSignpost } from '../fixtures/signpost-server.js';

const HEX = 'c14f2d0b9e8a76533f1e0d2c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a6978';
const BASE64 = 'p3Qk+0Zr/8sXwYv1uT6mNcJ4hGfD5aSl2eBi7oKj9Mw=';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signpost-drill-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function succeed(
  dataDir: string,
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
) {
  const run = await runSignpost(dataDir, words, settings);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  return run.stdout;
}

test.each([
  ['64 hexadecimal digits and a newline', HEX, `${HEX}\n`],
  ['base64 and a Windows line ending', BASE64, `${BASE64}\r\n`],
])(
  'a backup made with the secret in a variable can be restored with the secret in a file as %s',
  async (_, secret, kept) => {
    const at = (name: string) => join(folder, name);
    const [original, trial, other, backup] = [
      at('original'),
      at('trial'),
      at('other'),
      at('signpost.backup'),
    ];
    const byVariable = { SIGNPOST_SECRET: secret };
    await newDatabase(original);
    await succeed(original, ['account', 'create', '--email', 'ada@example.org'], byVariable);
    const accounts = await succeed(original, ['account', 'list', '--json'], byVariable);
    await succeed(original, ['backup', backup], byVariable);

    await mkdir(trial, { mode: 0o700 });
    await writeFile(join(trial, 'secret'), kept, { mode: 0o600 });
    await succeed(trial, ['restore', backup], {});
    expect(await succeed(trial, ['account', 'list', '--json'], {})).toBe(accounts);

    const byFile = { SIGNPOST_SECRET_FILE: join(trial, 'secret') };
    await succeed(other, ['restore', backup], byFile);
    expect(await succeed(other, ['account', 'list', '--json'], byFile)).toBe(accounts);
    await succeed(original, ['backup', backup, '--force'], byFile);
  },
);
