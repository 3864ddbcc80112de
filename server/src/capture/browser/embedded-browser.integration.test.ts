import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { unpackEmbeddedBrowser } from './find-browser.js';

const run = promisify(execFile);
const isPackedForThisMachine = process.platform === 'linux' && process.arch === 'x64';

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'signpost-test-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

test('the embedded browser is unpacked only once, and only for its owner, and runs', async () => {
  const program = await unpackEmbeddedBrowser(folder);
  if (!isPackedForThisMachine) {
    expect(program).toBeUndefined();
    return;
  }

  const path = program ?? '';
  const { ino, mode } = await stat(path);
  expect(mode & 0o777).toBe(0o700);
  expect(await readdir(dirname(path))).toEqual(['chromium-headless-shell']);
  expect(await unpackEmbeddedBrowser(folder)).toBe(path);
  expect((await stat(path)).ino).toBe(ino);
  expect((await run(path, ['--version'])).stdout).toMatch(/^Chromium \d+\./u);
});
