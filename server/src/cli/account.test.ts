import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { verify } from '@node-rs/argon2';
import { Command } from 'commander';
import { commandLine } from '../../../test/fixtures/command-line.js';

let dataDir: string;
let cli: ReturnType<typeof commandLine>;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'signpost-cli-'));
  cli = commandLine(dataDir, () => new Command('signpost'));
});

afterEach(() => rm(dataDir, { recursive: true }));

test('create generates a password and prints it once', async () => {
  const { stdout, error } = await cli.signpost(['account', 'create', '--email', 'Ada@example.org']);
  expect(error).toBeUndefined();
  expect(stdout).toMatch(
    /^Account ada@example.org made.\nPassword: [\w-]{24}\nIt is shown only this once, and must be changed at the first sign-in.\n$/u,
  );
  const { stdout: listed } = await cli.signpost(['account', 'list']);
  expect(listed).not.toContain(/Password: (.*)/u.exec(stdout)?.[1]);
});

test('create reads a password from standard input without repeating it', async () => {
  const { stdout } = await cli.signpost(
    [
      'account',
      'create',
      '--email',
      'ada@example.org',
      '--operator',
      '--api-access',
      '--password-stdin',
      '--json',
    ],
    Readable.from(['correct horse', ' battery\n']),
  );
  expect(JSON.parse(stdout)).toEqual({
    email: 'ada@example.org',
    name: null,
    isOperator: true,
    hasApiAccess: true,
    mustChangePassword: false,
    perMinute: 'default',
    perDay: 'default',
    captures: 'default',
    hasSecondFactor: false,
    createdAt: '2026-01-02T03:04:05.000Z',
    disabledAt: null,
  });
  const { storage } = await cli.openStorage();
  const [hash] = await storage.db('accounts').pluck('password_hash');
  await storage.close();
  expect(await verify(String(hash), 'correct horse battery')).toBe(true);
});

test('create rejects a password typed at a terminal, and says to pipe it in', async () => {
  const terminal = Object.assign(Readable.from(['correct horse battery']), { isTTY: true });
  const { error } = await cli.signpost(
    ['account', 'create', '--email', 'a@b.c', '--password-stdin'],
    terminal,
  );
  expect(String(error)).toMatch(/Pipe it in/u);
});

test('list prints an aligned table for people, and says so if there are no accounts', async () => {
  expect((await cli.signpost(['account', 'list'])).stdout).toBe('No accounts yet.\n');
  expect(await cli.json('account', 'list')).toEqual([]);
  await cli.json('account', 'create', '--email', 'ada@example.org', '--name', 'Ada', '--operator');
  await cli.json('account', 'create', '--email', 'bob@example.org', '--api-access');
  expect((await cli.signpost(['account', 'list'])).stdout).toBe(
    [
      'EMAIL            NAME  OPERATOR  API ACCESS  PER MINUTE  PER DAY  CAPTURES  SECOND FACTOR  CREATED               DISABLED',
      'ada@example.org  Ada   yes       off         default     default  default   off            2026-01-02 03:04:05Z  -',
      'bob@example.org  -     no        on          default     default  default   off            2026-01-02 03:04:05Z  -',
      '',
    ].join('\n'),
  );
});

test('disable, enable and api-access change the account and print its new state', async () => {
  await cli.json('account', 'create', '--email', 'ada@example.org');
  const email = ['--email', 'ada@example.org'];
  expect(await cli.json('account', 'disable', ...email)).toMatchObject({
    disabledAt: '2026-01-02T03:04:05.000Z',
  });
  expect(await cli.json('account', 'enable', ...email)).toMatchObject({ disabledAt: null });
  expect(await cli.json('account', 'api-access', 'on', ...email)).toMatchObject({ hasApiAccess: true });
  const { stdout } = await cli.signpost(['account', 'api-access', 'off', ...email]);
  expect(stdout).toBe('API access of ada@example.org is off.\n');
  expect(await cli.json('account', 'list')).toMatchObject([{ hasApiAccess: false }]);
});

test('limit changes how many captures an account may run at once, and lists show the limit', async () => {
  await cli.json('account', 'create', '--email', 'ada@example.org');
  const words = ['account', 'limit', '--email', 'ada@example.org'];
  expect((await cli.signpost([...words, '--captures', '2'])).stdout).toBe(
    'Account ada@example.org: default per minute, default per day, 2 captures at the same time.\n',
  );
  expect(await cli.json('account', 'list')).toMatchObject([{ captures: 2 }]);
  expect((await cli.signpost(['account', 'list'])).stdout).toMatch(
    /^EMAIL .*CAPTURES .*\nada@example.org .* 2 /u,
  );
  expect(await cli.json(...words, '--captures', 'unlimited')).toMatchObject({ captures: 'unlimited' });
  expect(await cli.json(...words, '--captures', 'default')).toMatchObject({ captures: 'default' });
});

test('limit changes the limits of all keys of an account together, and keeps those that are not given', async () => {
  await cli.json('account', 'create', '--email', 'ada@example.org');
  const words = ['account', 'limit', '--email', 'ada@example.org'];
  const both = await cli.signpost([...words, '--per-minute', '60', '--per-day', '400']);
  expect(both.stdout).toBe(
    'Account ada@example.org: 60 per minute, 400 per day, default captures at the same time.\n',
  );
  expect(await cli.json(...words, '--per-day', 'unlimited')).toMatchObject({
    perMinute: 60,
    perDay: 'unlimited',
  });
  expect(await cli.json(...words, '--per-minute', '0')).toMatchObject({ perMinute: 0, perDay: 'unlimited' });
  expect(await cli.json(...words, '--per-day', 'default')).toMatchObject({ perMinute: 0, perDay: 'default' });
  expect((await cli.signpost(['account', 'list'])).stdout).toMatch(
    /^EMAIL .*\nada@example.org .* 0 +default +default /u,
  );
});

test.each([
  [['--captures', '0'], /must be a whole number from 1 to 1000000000, "unlimited", or "default"/u],
  [['--captures', 'many'], /must be a whole number from 1/u],
  [['--per-day', '5.5'], /must be a whole number from 0/u],
  [[], /give --per-minute, --per-day, --captures/u],
])('limit rejects the arguments %j, and changes nothing', async (words, reason) => {
  await cli.json('account', 'create', '--email', 'ada@example.org');
  const { error, stderr } = await cli.signpost(['account', 'limit', '--email', 'ada@example.org', ...words]);
  expect(error).toBeDefined();
  expect(stderr).toMatch(reason);
  expect(await cli.json('account', 'list')).toMatchObject([{ captures: 'default', perDay: 'default' }]);
});

test('set-password prints a generated password, but not a given one', async () => {
  await cli.json('account', 'create', '--email', 'ada@example.org');
  const words = ['account', 'set-password', '--email', 'ada@example.org'];
  expect(await cli.json(...words)).toMatchObject({
    mustChangePassword: true,
    password: expect.stringMatching(/^[\w-]{24}$/u),
  });
  const { stdout } = await cli.signpost(
    [...words, '--password-stdin'],
    Readable.from(['correct horse battery\r\n']),
  );
  expect(stdout).toBe('Password of ada@example.org changed.\n');
  const refused = await cli.signpost([...words, '--password-stdin'], Readable.from(['short\n']));
  expect(String(refused.error)).toMatch(/The password has 5 characters/u);
});

test('second-factor off turns off the second factor, says so, and deletes the recovery codes', async () => {
  await cli.json('account', 'create', '--email', 'ada@example.org');
  const { storage } = await cli.openStorage();
  await storage.db('accounts').update({ has_second_factor: true });
  const [accountId] = await storage.db('accounts').pluck('id');
  await storage.db('recovery_codes').insert({ hash: 'c'.repeat(64), account_id: String(accountId) });
  const words = ['account', 'second-factor', 'off', '--email', 'ada@example.org'];
  expect((await cli.signpost(words)).stdout).toBe(
    'The second factor of ada@example.org is off: the password is enough to sign in.\n',
  );
  expect(await storage.db('recovery_codes')).toEqual([]);
  await storage.close();
  expect(await cli.json(...words)).toMatchObject({ hasSecondFactor: false });
});

test('create and set-password reject one of the most common passwords, and say to choose another', async () => {
  const email = ['--email', 'ada@example.org', '--password-stdin'];
  const guessed = () => Readable.from(['password1234\n']);
  const create = await cli.signpost(['account', 'create', ...email], guessed());
  expect(String(create.error)).toMatch(/is one of the most common.* Choose another/u);
  expect(await cli.json('account', 'list')).toEqual([]);
  await cli.json('account', 'create', '--email', 'ada@example.org');
  const replace = await cli.signpost(['account', 'set-password', ...email], guessed());
  expect(String(replace.error)).toMatch(/is one of the most common.* Choose another/u);
});

test('commands for an unknown e-mail suggest a similar one if there is one, and name the command that lists all', async () => {
  await cli.json('account', 'create', '--email', 'ada@example.org');
  expect(await cli.rejection('account', 'disable', '--email', 'ada@exmaple.org')).toContain(
    'There is no account with the e-mail "ada@exmaple.org": did you mean "ada@example.org"? "signpost account list"',
  );
  expect(await cli.rejection('account', 'enable', '--email', 'nobody@nowhere.example')).toContain(
    'There is no account with the e-mail "nobody@nowhere.example". "signpost account list" shows them all.',
  );
});
