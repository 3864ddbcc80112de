import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { lookupPostcodeResponse } from '@signpost/contract';
import { z } from 'zod';
import { NO_BROWSER, runSignpost, startSignpost, type SignpostServer } from '../fixtures/signpost-server.js';

const run = promisify(execFile);
const PNG_SIGNATURE = '89504e470d0a1a0a';

let folder: string;
let dataDir: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signpost-first-start-'));
  dataDir = join(folder, 'data');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const shownSecrets = (output: string) => ({
  password: /One-time password +(\S+)/u.exec(output)?.[1],
  key: /API key +(sp_live_\w{38})\n/u.exec(output)?.[1],
});

describe('an empty data folder', () => {
  let parent: string;
  let server: SignpostServer;
  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), 'signpost-first-start-'));
    server = await startSignpost({}, join(parent, 'data'));
  });
  afterAll(async () => {
    await server.remove();
    await rm(parent, { recursive: true });
  });

  test('the first start prints address, operator, one-time password, key and two curl lines that work', async () => {
    const output = server.output();
    expect(output).toContain(`Signpost is running at ${server.url}\n`);
    expect(output).toContain('operator@localhost');
    expect(output).toContain(
      'Sign-up: open, because only this machine can reach the server; SIGNPOST_SIGNUP=closed closes it\n',
    );
    expect(shownSecrets(output)).toEqual({
      password: expect.stringMatching(/^[\w-]{20,}$/u),
      key: server.apiKey,
    });

    const lines = output.split('\n').filter((line) => line.startsWith('curl '));
    const answers = [];
    for (const line of lines) answers.push(await run('bash', ['-c', line], { cwd: folder }));
    expect(answers).toHaveLength(2);
    const { result } = lookupPostcodeResponse.parse(JSON.parse(answers[0]?.stdout ?? ''));
    expect(result.postcode).toBe('SW1A 1AA');
    const picture = await readFile(join(folder, 'signpost.png'));
    expect(picture.subarray(0, 8).toString('hex')).toBe(PNG_SIGNATURE);
  });

  test('the files of an installation are readable only by its own user: files 0600, folders 0700', async () => {
    const names = await readdir(server.dataDir, { recursive: true });
    expect(names).toEqual(expect.arrayContaining(['secret', 'signpost.db']));
    for (const name of ['.', ...names]) {
      const entry = await lstat(join(server.dataDir, name));
      const mode = (entry.mode & 0o777).toString(8);
      expect([name, mode]).toEqual([name, entry.isDirectory() ? '700' : '600']);
    }
  });

  test('the one-time password is hashed at the full cost of argon2id', async () => {
    const names = await readdir(server.dataDir);
    const stored = await Promise.all(
      names
        .filter((name) => name.startsWith('signpost.db'))
        .map((name) => readFile(join(server.dataDir, name), 'latin1')),
    );
    expect(stored.join('')).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
  });

  test('a second start prints neither password nor key', async () => {
    const { password = '', key = '' } = shownSecrets(server.output());
    await server.end('SIGTERM');
    const second = await startSignpost(NO_BROWSER, server.dataDir);
    expect(second.output()).toContain('Signpost is running');
    await second.end('SIGTERM');
    expect(second.output()).not.toContain(password);
    expect(second.output()).not.toContain(key.slice(0, 12));
    expect(second.output()).not.toContain('One-time');
  });
});

describe('a port that is in use', () => {
  const taken = createServer();
  let port: string;
  beforeAll(async () => {
    taken.listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    port = typeof address === 'object' ? String(address?.port) : '';
  });
  afterAll(() => taken.close());

  test('a start whose port is taken exits with 1 and names the port and the variable, without a stack trace', async () => {
    const { code, stdout, stderr } = await runSignpost(dataDir, ['start'], { SIGNPOST_PORT: port });
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain(port);
    expect(stderr).toContain('SIGNPOST_PORT');
    expect(stderr).not.toMatch(/^\s+at /mu);
  });

  test('after a failed first start, only the next start prints the one-time password and the key', async () => {
    const { code, stdout, stderr } = await runSignpost(dataDir, ['start'], { SIGNPOST_PORT: port });
    expect([code, shownSecrets(stdout + stderr)]).toEqual([1, { password: undefined, key: undefined }]);
    const server = await startSignpost(NO_BROWSER, dataDir);
    await server.end('SIGTERM');
    const later = await startSignpost(NO_BROWSER, dataDir);
    await later.remove();
    expect(shownSecrets(server.output())).toEqual({ password: expect.any(String), key: expect.any(String) });
    expect(shownSecrets(later.output())).toEqual({ password: undefined, key: undefined });
  });
});

test('a start reports five wrong variables together, without the value of the secret one, and writes nothing', async () => {
  const { code, stdout, stderr } = await runSignpost(dataDir, ['start'], {
    SIGNPOST_PORT: 'eighty',
    SIGNPOST_LOG_LEVEL: 'loud',
    SIGNPOST_RATE_PER_DAY: '-2',
    SIGNPOST_METRICS_TOKEN: 'too-short',
    SIGNPOST_CAPTURE_TIMEOUT: '5000',
  });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('SIGNPOST_PORT must be a whole number from 0 to 65535, but is "eighty"');
  expect(stderr).toContain('SIGNPOST_LOG_LEVEL must be one of');
  expect(stderr).toContain('SIGNPOST_RATE_PER_DAY must be');
  expect(stderr).toContain('SIGNPOST_METRICS_TOKEN must have at least 16 characters');
  expect(stderr).toContain('did you mean SIGNPOST_CAPTURE_TIMEOUT_MS?');
  expect(stderr).not.toContain('too-short');
  expect(await readdir(folder)).toEqual([]);
});

test('a start whose data folder is a file exits with 1 and says so', async () => {
  await writeFile(dataDir, '');
  const { code, stderr } = await runSignpost(dataDir, ['start']);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^signpost: .*a part of its path is a file\..*\n$/u),
  ]);
});

test('a start without the built SQLite module says what to do, without a stack trace', async () => {
  const hook = join(folder, 'no-sqlite.cjs');
  const withoutPrograms = `
    const Module = require('node:module');
    const load = Module._load;
    Module._load = (request, ...rest) => {
      if (!request.endsWith('node_sqlite3.node')) return load(request, ...rest);
      throw Object.assign(new Error('Cannot find module'), { code: 'MODULE_NOT_FOUND' });
    };`;
  await writeFile(hook, withoutPrograms);
  const options = { NODE_OPTIONS: `--require ${hook}` };
  const cure = /SQLite is not built .* Run "npm rebuild sqlite3 --foreground-scripts"/u;
  const start = await runSignpost(dataDir, ['start'], options);
  expect([start.code, start.stderr]).toEqual([1, expect.stringMatching(cure)]);
  expect(start.stderr).toMatch(/^signpost: [^\n]*\n$/u);
  expect((await runSignpost(dataDir, ['doctor'], options)).stdout).toMatch(cure);
});

test('a start with an older Node.js says which one is needed, without a stack trace', async () => {
  const hook = join(folder, 'older-node.cjs');
  const version = "{ value: { ...process.versions, node: '18.20.4' } }";
  await writeFile(hook, `Object.defineProperty(process, 'versions', ${version});`);
  const options = { NODE_OPTIONS: `--require ${hook}` };
  expect(await runSignpost(dataDir, ['start'], options)).toEqual({
    code: 1,
    stdout: '',
    stderr: 'signpost: Node.js 20.19 or newer is needed; this is 18.20.4. Get it from https://nodejs.org.\n',
  });
});

test('an unknown command exits with 2 and is named', async () => {
  const { code, stderr } = await runSignpost(dataDir, ['nonsense']);
  expect(code).toBe(2);
  expect(stderr).toContain('nonsense');
  expect(stderr).toContain('signpost --help');
  expect((await runSignpost(dataDir, ['acount', 'list'])).stderr).toContain('(Did you mean account?)');
  const { stderr: unfinished } = await runSignpost(dataDir, ['postcodes', 'import']);
  expect(unfinished).toContain('signpost postcodes import --help');
});

describe('doctor', () => {
  test('the doctor says what works, and that the directory is the sample', async () => {
    const { code, stdout } = await runSignpost(dataDir, ['doctor']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Postcode directory: .*sample/u);
    expect(stdout).toContain('signpost postcodes import');
    expect(stdout).toMatch(/\n\d+ checks: \d+ work, \d+ could be better\n$/u);
  });

  test.each([
    [
      'echo "$0: error while loading shared libraries: libnss3.so: cannot open shared object file" >&2; exit 127',
      /Browser: it does not start: the library libnss3\.so is missing; it wrote: ".*libnss3/u,
      /libnss3/u,
    ],
    [
      'echo "pthread_create: Resource temporarily unavailable" >&2; exit 1',
      /Browser: it does not start: the system gives it no more processes/u,
      /TasksMax=/u,
    ],
    [
      '[ "$1" = --version ] && { echo Chromium 1.0; exit; }; echo "No space left on device" >&2; exit 1',
      /Browser: it does not start: the disk of the temporary folder is full/u,
      /TMPDIR/u,
    ],
  ])('the doctor says why a browser does not start, and the cure: script %s', async (script, why, cure) => {
    const program = join(folder, 'broken-browser');
    await writeFile(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const { code, stdout } = await runSignpost(dataDir, ['doctor'], { SIGNPOST_BROWSER_PATH: program });
    expect(code).toBe(1);
    const line = stdout.split(/^(?=[✔!✖])/mu).find((one) => one.startsWith('✖ Browser:')) ?? '';
    expect(line).toMatch(why);
    expect(line).toMatch(cure);
    expect(stdout).toMatch(/\d+ checks: .*1 does not work\n$/u);
  });

  test('the doctor reports its findings as JSON with --json', async () => {
    const finding = z.object({
      name: z.string(),
      state: z.enum(['works', 'could be better', 'does not work']),
      message: z.string(),
      advice: z.string().optional(),
    });
    const { code, stdout } = await runSignpost(dataDir, ['doctor', '--json']);
    expect(code).toBe(0);
    const findings = z.array(finding.strict()).parse(JSON.parse(stdout));
    expect(findings.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'Database and secret',
        'Postcode directory',
        'Browser',
        'Browser for credentials',
        'Memory of captures',
        'Mail',
      ]),
    );
    expect(findings.find(({ name }) => name === 'Postcode directory')?.message).toContain('sample');
    expect(findings.filter(({ state }) => state === 'does not work')).toEqual([]);
  });
});

test('the doctor names the variable or command that fixes each problem', async () => {
  const open = join(folder, 'open');
  await mkdir(open);
  await chmod(open, 0o777);
  const { code, stdout } = await runSignpost(open, ['doctor'], {
    SIGNPOST_BROWSER_PATH: '/bin/false',
    SIGNPOST_PUBLIC_URL: 'https://signpost.example',
    SIGNPOST_SIGNUP: 'open',
  });
  expect(code).toBe(1);
  expect(stdout).not.toContain('signpost doctor');
  const troubles = stdout.split(/^(?=[✔!✖])/mu).filter((finding) => !finding.startsWith('✔'));
  const names = troubles.map((finding) => /^. ([^:]+):/u.exec(finding)?.[1]);
  expect(names).toEqual(
    expect.arrayContaining(['Data folder', 'Postcode directory', 'Browser', 'Sign-up', 'Trusted proxies']),
  );
  for (const finding of troubles) expect(finding).toMatch(/SIGNPOST_[A-Z]+|chmod|npx|apt-get/u);
});
