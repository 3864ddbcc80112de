import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runSignpost } from '../fixtures/signpost-server.js';

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'signpost-none-'));
});
afterEach(() => rm(parent, { recursive: true, force: true }));

test.each([
  'backup x.backup',
  'account list',
  'account create --email ada@example.org',
  'key list --account ada@example.org',
  'project list --account ada@example.org',
  'token show --account ada@example.org',
  'return-url list',
  'secret rotate',
  'audit',
])('signpost %s refuses to create an installation, and names the folder', async (command) => {
  const dataDir = join(parent, 'data');
  const { code, stdout, stderr } = await runSignpost(dataDir, command.split(' '));
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(`There is no installation in ${dataDir}, and none was made.`);
  expect(stderr).toContain('SIGNPOST_DATA_DIR');
  await expect(stat(dataDir)).rejects.toThrow('ENOENT');
});

test('signpost doctor reports that there is no installation, and creates none', async () => {
  const dataDir = join(parent, 'data');
  const { stdout } = await runSignpost(dataDir, ['doctor'], { SIGNPOST_BROWSER_PATH: '/bin/false' });
  expect(stdout).toMatch(
    /^! Database and secret: no installation is set up here yet\n {4}npx signpost start/mu,
  );
  expect(await readdir(parent)).toEqual([]);
});

test('a closed pipe ends a command silently, with the status of SIGPIPE', async () => {
  const program = join(import.meta.dirname, '../../server/bin/signpost.js');
  const child = spawn(process.execPath, [program, 'postcodes', 'status'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, SIGNPOST_DATA_DIR: join(parent, 'data') },
  });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = await once(child, 'close');
  expect([code, stderr]).toEqual([141, '']);
});
