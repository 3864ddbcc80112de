import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const script = join(root, 'deploy/slim-program.mjs');
/** What compiled packages ask of the program that loads them. */
const WORK = `
  const image = await require('sharp')({ create: { width: 8, height: 8, channels: 3, background: 'red' } }).png().toBuffer();
  const { Database } = require('sqlite3');
  new Database(':memory:').get('select upper(?) as answer', [image.toString('latin1', 1, 4)], (error, row) => {
    console.log(error ?? row.answer);
  });
`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signpost-slim-'));
});
afterEach(() => rm(folder, { recursive: true }));

const onX64 = process.platform === 'linux' && process.arch === 'x64' ? test : test.skip;

onX64('Node.js that is made slim is smaller, and loads the compiled packages', async () => {
  const program = join(folder, 'node');
  await cp(process.execPath, program);
  const { size } = await stat(program);
  const { stdout } = await run(process.execPath, [
    script,
    program,
    join(root, 'node_modules'),
    '--',
    '--version',
  ]);
  expect(stdout).toMatch(/ MB, now /u);
  expect((await stat(program)).size).toBeLessThan(size - 4_000_000);
  const code = `(async () => {${WORK}})()`;
  expect((await run(program, ['--eval', code], { cwd: root })).stdout).toBe('PNG\n');
});

test('what is no program of a known kind stays as it is', async () => {
  const program = join(folder, 'program');
  await writeFile(program, '#!/bin/sh\n', { mode: 0o755 });
  const { stdout } = await run(process.execPath, [script, program, folder, '--', '--version']);
  expect(stdout).toContain('stays as it is');
  expect((await stat(program)).size).toBe(10);
});
