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

test('the unpacked embedded browser runs, and only its owner has access to it', async () => {
  const [program, again] = [await unpackEmbeddedBrowser(folder), await unpackEmbeddedBrowser(folder)];
  if (!isPackedForThisMachine) {
    expect([program, again]).toEqual([undefined, undefined]);
    return;
  }

  expect(again).toBe(program);
  const path = program ?? '';
  expect(await readdir(dirname(path))).toEqual(['chromium-headless-shell']);
  expect((await stat(path)).mode & 0o777).toBe(0o700);
  expect((await run(path, ['--version'])).stdout).toMatch(/^Chromium \d+\./u);
});
