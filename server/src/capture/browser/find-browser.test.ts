import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { findBrowser } from './find-browser.js';

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'signpost-test-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

const program = async (name: string, answer: string) => {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\n${answer}\n`);
  await chmod(path, 0o755);
  return path;
};

test('uses the configured program even if there are others', async () => {
  await program('headless_shell', 'echo Chromium 2.0');
  const configured = await program('mine', 'echo Chromium 1.0');

  expect(await findBrowser({ configured, searchPath: folder, withEmbedded: false })).toMatchObject({
    program: configured,
    origin: 'SIGNPOST_BROWSER_PATH',
  });
});

test('finds no browser if the configured program does not run, even if there are others', async () => {
  await program('headless_shell', 'echo Chromium 2.0');
  const configured = await program('mine', 'exit 1');

  expect(await findBrowser({ configured, searchPath: folder, withEmbedded: true })).toBeUndefined();
});

test('prefers a headless shell to a full browser', async () => {
  await program('chromium', 'echo Chromium 1.0');
  const shell = await program('chromium-headless-shell', 'echo Chromium 1.0');
  const found = await findBrowser({
    searchPath: ['', folder].join(delimiter),
    withEmbedded: false,
  });

  expect(found?.kind).toBe('headless shell');
  if (found?.origin === 'this system') expect(found.program).toBe(shell);
});

test('skips a program that only says how to install the browser', async () => {
  const stub = await program(
    'chromium-browser',
    'echo "requires the chromium snap to be installed" >&2; exit 10',
  );
  const found = await findBrowser({ searchPath: folder, withEmbedded: false });

  expect(found?.program).not.toBe(stub);
});
