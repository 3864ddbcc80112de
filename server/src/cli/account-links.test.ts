import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { commandLine } from '../../../test/fixtures/command-line.js';

let dataDir: string;
let cli: ReturnType<typeof commandLine>;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'signpost-cli-'));
  cli = commandLine(dataDir, () => new Command('signpost'));
});
afterEach(() => rm(dataDir, { recursive: true }));

const LINK = /^https:\/\/signpost\.example\/link\/[\w-]{43}/u;

test('invite creates an account without a known password, and prints its link once', async () => {
  const { stdout, error } = await cli.signpost(
    'account invite --email Ada@example.org --name Ada --api-access'.split(' '),
  );
  expect(error).toBeUndefined();
  expect(stdout).toMatch(LINK);
  expect(stdout).toContain('until 2026-01-09 03:04:05');
  expect(await cli.json('account', 'list')).toMatchObject([
    { email: 'ada@example.org', name: 'Ada', hasApiAccess: true, isOperator: false },
  ]);
  expect(await cli.rejection('account', 'invite', '--email', 'ada@example.org')).toContain(
    'An account with the e-mail "ada@example.org" already exists.',
  );
});

test('reset-link prints a link that is valid for an hour, for an account that has a password', async () => {
  await cli.json('account', 'invite', '--email', 'ada@example.org');
  await cli.json('account', 'set-password', '--email', 'ada@example.org');
  const made = await cli.json('account', 'reset-link', '--email', 'ada@example.org');
  expect(made).toEqual({
    email: 'ada@example.org',
    url: expect.stringMatching(LINK),
    expiresAt: '2026-01-02T04:04:05.000Z',
  });
  expect(await cli.rejection('account', 'reset-link', '--email', 'adah@example.org')).toContain(
    'did you mean "ada@example.org"?',
  );
});
