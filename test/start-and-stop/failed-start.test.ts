import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApp } from '../../server/src/app/app.js';
import { readConfig } from '../../server/src/app/config.js';
import { systemRandomBytes } from '../../server/src/platform/random.js';
import { noCaptures } from '../fixtures/capture/no-captures.js';
import { descendantsOf, stillRunning } from '../fixtures/processes.js';
import { NO_BROWSER, runSignpost, startSignpost } from '../fixtures/signpost-server.js';
import { waitUntil } from '../fixtures/wait-until.js';

const SECRET = 'a-secret-of-more-than-thirty-two-characters';

let folder: string;
let dataDir: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signpost-failed-start-'));
  dataDir = join(folder, 'data');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test.each<[string, Readonly<Record<string, string>>]>([
  ['SIGNPOST_HOST', { ...NO_BROWSER, SIGNPOST_HOST: 'nowhere.invalid' }],
  ['SIGNPOST_TRUST_PROXY', { SIGNPOST_TRUST_PROXY: '0.0.0.0/0' }],
  ['SIGNPOST_DATA_DIR', { SIGNPOST_DATA_DIR: '/proc/nowhere' }],
  [
    'SIGNPOST_DATABASE_URL',
    { SIGNPOST_DATABASE_URL: 'postgres://a:hush@127.0.0.1:1/x', SIGNPOST_SECRET: SECRET },
  ],
  ['TMPDIR', { TMPDIR: '/proc/nowhere' }],
  ['SIGNPOST_SECRET', { SIGNPOST_SECRET: 'hush' }],
  ['SIGNPOST_BROWSER_PATH', { SIGNPOST_BROWSER_PATH: tmpdir() }],
  ['SIGNPOST_BLOCK_LISTS', { ...NO_BROWSER, SIGNPOST_BLOCK_LISTS: '/proc/nowhere' }],
  ['SIGNPOST_GUARD_ADDRESS', { ...NO_BROWSER, SIGNPOST_GUARD_ADDRESS: '192.0.2.1:3128' }],
])('an invalid %s ends the start with a message that names it, as in %j', async (variable, settings) => {
  const { code, stdout, stderr } = await runSignpost(dataDir, ['start'], settings);

  expect([code, stdout]).toEqual([1, '']);
  const words = stderr.slice(stderr.indexOf('signpost: '));
  expect(words).toMatch(/^signpost: .+(?::\n {2}.+|\.)\n$/u);
  expect(words).toContain(variable);
  expect(stderr).not.toContain('hush');
});

test('a start that fails halfway closes captures and releases the data folder for the next start', async () => {
  const calls: string[] = [];
  const close = () => {
    calls.push('capture closed');
    return Promise.resolve();
  };
  const silent = () => undefined;
  const start = (trustProxy: readonly string[]) =>
    startApp(
      { ...readConfig({ SIGNPOST_PORT: '0', SIGNPOST_DATA_DIR: dataDir }), trustProxy: [...trustProxy] },
      {
        clock: () => Date.now(),
        monotonicMs: () => performance.now(),
        pause: () => Promise.resolve(),
        randomBytes: systemRandomBytes,
        log: { debug: silent, info: silent, warn: silent, error: silent },
        logsRequests: () => false,
        startCapture: () => Promise.resolve({ ...noCaptures(), close }),
        runImport: () => Promise.reject(new Error('Nothing is imported here.')),
      },
    );

  await expect(start(['no network'])).rejects.toThrow('neither IPv6 nor IPv4');
  expect(calls).toEqual(['capture closed']);

  // The lock on the data folder was released, and the one-time password is still unused.
  const app = await start([]);
  expect(app.bootstrapCredentials?.password).toEqual(expect.any(String));
  await app.close();
});

describe('a server that is told to stop while it starts', () => {
  /** Writes a program that poses as a slow browser: it reports its launch, then runs `work`. Returns its path. */
  const slowBrowser = async (work: string) => {
    const program = join(folder, 'browser');
    const lines = ['#!/bin/sh', 'if [ "$1" = --version ]; then echo Chromium 1.0; exit; fi'];
    await writeFile(program, [...lines, `touch ${folder}/launched`, work, ''].join('\n'));
    await chmod(program, 0o755);
    return program;
  };
  const exists = (path: string) =>
    access(path).then(
      () => true,
      () => false,
    );

  async function stopDuringStart(work: string, whenStopped: () => Promise<void>) {
    const env = {
      PATH: process.env.PATH,
      TMPDIR: folder,
      SIGNPOST_PORT: '0',
      SIGNPOST_DATA_DIR: dataDir,
      SIGNPOST_BROWSER_PATH: await slowBrowser(work),
    };
    const child = spawn(process.execPath, ['server/bin/signpost.js', 'start'], { env });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => (stdout += String(chunk)));
    child.stderr.on('data', (chunk) => (stderr += String(chunk)));
    const ended = once(child, 'close');
    await waitUntil('the browser is launched', () => exists(join(folder, 'launched')));
    const family = await descendantsOf(child.pid ?? 0);
    child.kill('SIGTERM');
    await whenStopped();
    await ended;
    await waitUntil('nothing of it runs', async () => (await stillRunning(family)).length === 0);
    return { code: child.exitCode, stdout, stderr };
  }

  test('a start stopped while its browser starts leaves no temporary folder, and the next prints a one-time password', async () => {
    const release = join(folder, 'release');
    const { code, stdout, stderr } = await stopDuringStart(
      `while [ ! -e ${release} ]; do sleep 0.05; done; exit 1`,
      () => writeFile(release, ''),
    );

    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toContain('Stopped before it had started.');
    expect((await readdir(folder)).filter((name) => name.startsWith('signpost-server-'))).toEqual([]);
    const next = await startSignpost(NO_BROWSER, dataDir);
    expect(next.output()).toContain('One-time password');
    await next.remove();
  });

  test('a start that hangs when it is stopped exits with 1 after a time limit', async () => {
    // Like Chromium, this fake browser ends when its pipe to Signpost is closed.
    const { code, stderr } = await stopDuringStart('cat <&3 > /dev/null', () => Promise.resolve());

    expect(code).toBe(1);
    expect(stderr).toContain('Stopping took too long.');
  });
});

test.each([
  ['npx signpost start', 'npx', ['signpost', 'start']],
  ['npm start', 'npm', ['start']],
])('SIGTERM sent only to "%s" ends the server and everything it started', async (_line, program, words) => {
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    SIGNPOST_PORT: '0',
    SIGNPOST_DATA_DIR: dataDir,
  };
  const child = spawn(program, words, { env });
  let output = '';
  const read = (chunk: unknown) => (output += String(chunk));
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  await waitUntil('the server runs', () => output.includes('Browser: '));
  const family = await descendantsOf(child.pid ?? 0);
  expect(family.length).toBeGreaterThan(1);

  child.kill('SIGTERM');
  await waitUntil('nothing of it runs', async () => (await stillRunning(family)).length === 0);
  expect(output).toContain('Stopped.');
});
