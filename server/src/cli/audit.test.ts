import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Command } from 'commander';
import { commandLine, createdKey } from '../../../test/fixtures/command-line.js';

const SECOND = '2026-01-02 03:04:05Z';
let dataDir: string;
let cli: ReturnType<typeof commandLine>;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'signpost-cli-'));
  cli = commandLine(dataDir, () => new Command('signpost'));
});

afterEach(() => rm(dataDir, { recursive: true }));

const email = ['--email', 'ada@example.org'] as const;
const account = ['--account', 'ada@example.org'] as const;

const createAccount = () => cli.json('account', 'create', ...email, '--api-access');

const rows = async (...words: string[]) => {
  const { stdout } = await cli.signpost(['audit', ...words]);
  return stdout.split('\n').map((line) => line.split(/ {2,}/u));
};

test('audit says so if there are no entries yet', async () => {
  expect((await cli.signpost(['audit'])).stdout).toBe('No entries.\n');
  expect(await cli.json('audit')).toEqual([]);
});

test('audit lists commands that changed something or showed tokens, and does not show a created key', async () => {
  await createAccount();
  await cli.json('project', 'create', ...account, '--name', 'Map');
  const { key, prefix } = createdKey.parse(await cli.json('key', 'create', ...account, '--project', 'Map'));
  await cli.json('key', 'limit', prefix, '--per-minute', '7');
  await cli.json('key', 'revoke', prefix);
  await cli.json('token', 'show', ...account);
  await cli.json('token', 'regenerate', ...account);
  await cli.json('return-url', 'add', 'https://app.example/in', '--name', 'App');
  await cli.json('return-url', 'remove', 'https://app.example/in');
  await cli.json('secret', 'rotate');
  await cli.json('account', 'set-password', ...email);
  await cli.json('account', 'disable', ...email);
  await cli.json('account', 'enable', ...email);
  await cli.json('account', 'api-access', 'off', ...email);
  await cli.json('account', 'limit', ...email, '--captures', '2');
  await cli.json('account', 'operator', 'on', ...email);
  const [headings, ...entries] = await rows();
  expect(headings).toEqual(['TIME', 'WHAT', 'BY', 'VIA', 'FROM', 'ACCOUNT', 'DETAIL']);
  const ofAda = ['-', 'cli', '-', 'ada@example.org'];
  const ofNobody = ['-', 'cli', '-', '-'];
  // All entries have the same time because the test's clock stands still, so their order is ignored.
  const expected = [
    [SECOND, 'Account made', ...ofAda, 'operator off, API access on'],
    [SECOND, 'Project made', ...ofAda, expect.stringMatching(/^prj_/u)],
    [SECOND, 'Key made', ...ofAda, prefix],
    [SECOND, 'Limits of a key changed', ...ofAda, `${prefix} {"perMinute":7}`],
    [SECOND, 'Key revoked', ...ofAda, prefix],
    [SECOND, 'Tokens shown', ...ofAda, '-'],
    [SECOND, 'Refresh token regenerated', ...ofAda, '-'],
    [SECOND, 'Return URL registered', ...ofNobody, 'https://app.example/in'],
    [SECOND, 'Return URL removed', ...ofNobody, 'https://app.example/in'],
    [SECOND, 'Signing and encryption keys replaced', ...ofNobody, expect.stringMatching(/^sig_/u)],
    [SECOND, 'Given another password', ...ofAda, '-'],
    [SECOND, 'Account disabled', ...ofAda, '-'],
    [SECOND, 'Account enabled', ...ofAda, '-'],
    [SECOND, 'API access turned off', ...ofAda, '-'],
    [SECOND, 'Limits of an account changed', ...ofAda, '{"captures":2}'],
    [SECOND, 'Made an operator', ...ofAda, '-'],
    [''],
  ];
  expect(entries).toHaveLength(expected.length);
  expect(entries).toEqual(expect.arrayContaining(expected));
  expect(JSON.stringify(await cli.json('audit'))).not.toContain(key);
});

test('audit prints the last 1,000 entries, or those since a time, as one JSON document', async () => {
  await createAccount();
  const { storage } = await cli.openStorage();
  const old = Array.from({ length: 1_200 }, (_, index) => ({
    id: `0${String(index).padStart(4, '0')}`,
    at: Date.UTC(2025, 0, 1),
    kind: 'token.shown',
    via: 'api',
    actor_id: 'acc_gone',
    address: '192.0.2.7',
    detail: String(index),
  }));
  for (let start = 0; start < old.length; start += 100) {
    await storage.db('audit').insert(old.slice(start, start + 100));
  }
  await storage.close();
  const all = await cli.json('audit');
  expect(all).toHaveLength(1_000);
  expect(all).toMatchObject({
    0: { at: '2025-01-01T00:00:00.000Z', detail: '201', actor: { id: 'acc_gone', email: null } },
    999: { kind: 'account.created', via: 'cli', actor: null, subject: { email: 'ada@example.org' } },
  });
  expect(await cli.json('audit', '--since', '24h')).toMatchObject([{ kind: 'account.created' }]);
  expect(await cli.json('audit', '--since', '2026-01-02T03:04Z')).toHaveLength(1);
  expect(await cli.json('audit', '--since', '2026-01-03')).toEqual([]);
});

test('audit rejects an invalid time, rejects --follow with --json, and says what to do', async () => {
  for (const [words, message] of [
    [['--since', 'yesterday'], /Give a time such as 2026-01-31/u],
    [['--since', '2026-13-45'], /Give a time such as/u],
    [['--follow', '--json'], /leave out --follow or --json/u],
  ] as const) {
    const { error, stderr } = await cli.signpost(['audit', ...words]);
    expect([String(error), stderr].join()).toMatch(message);
  }
});

test('audit --follow prints earlier and later entries, each one once', async () => {
  await createAccount();
  const steps = [
    () => cli.json('account', 'disable', ...email),
    () => cli.json('account', 'enable', ...email),
    () => Promise.resolve(),
    () => Promise.reject(new Error('stopped')),
  ];
  const { stdout, error } = await cli.signpost(['audit', '--follow'], Readable.from([]), async () =>
    steps.shift()?.(),
  );
  expect(String(error)).toContain('stopped');
  expect(stdout.match(/Account \w+/gu)).toEqual(['Account made', 'Account disabled', 'Account enabled']);
});

test('audit --follow with --since prints no entry from before that time', async () => {
  await createAccount();
  const steps = [() => Promise.resolve(), () => Promise.reject(new Error('stopped'))];
  const words = ['audit', '--since', '2026-01-03', '--follow'];
  const { stdout, error } = await cli.signpost(words, Readable.from([]), async () => steps.shift()?.());
  expect(String(error)).toContain('stopped');
  expect(stdout).toBe('No entries.\n');
});

const terminal = (answer: string) => Object.assign(Readable.from([answer]), { isTTY: true });

test('account delete asks at a terminal, and deletes only if the answer is yes', async () => {
  await createAccount();
  const refused = await cli.signpost(['account', 'delete', ...email], terminal('no\n'));
  expect(refused.stderr).toContain('Delete ada@example.org with its projects, keys, tokens and usage?');
  expect(String(refused.error)).toContain('Nothing was deleted.');
  expect(await cli.json('account', 'list')).toHaveLength(1);
  const { stdout, error } = await cli.signpost(['account', 'delete', ...email], terminal('yes\n'));
  expect(error).toBeUndefined();
  expect(stdout).toMatch(/^Account ada@example\.org deleted\. The audit lists it as acc_\w+\.\n$/u);
  expect(await cli.json('account', 'list')).toEqual([]);
});

test('account delete needs --yes without a terminal, also with --json, and with --json asks at a terminal', async () => {
  await createAccount();
  for (const words of [[], ['--json']])
    expect(await cli.rejection('account', 'delete', ...email, ...words)).toMatch(
      /Nothing was deleted.*--yes/u,
    );
  const asked = await cli.signpost(['account', 'delete', ...email, '--json'], terminal('no\n'));
  expect(String(asked.error)).toContain('Nothing was deleted.');
  expect(await cli.json('account', 'list')).toHaveLength(1);
});

test('account delete with --yes does not ask, and the audit names the account by its identifier', async () => {
  await createAccount();
  const { stderr, error } = await cli.signpost(['account', 'delete', ...email, '--yes']);
  expect([stderr, error]).toEqual(['', undefined]);
  await createAccount();
  const answer = await cli.signpost(['account', 'delete', ...email, '--yes', '--json'], terminal('no\n'));
  expect([answer.stderr, answer.error]).toEqual(['', undefined]);
  const { id } = JSON.parse(answer.stdout);
  expect(await rows()).toContainEqual([SECOND, 'Account deleted', '-', 'cli', '-', id, '-']);
  expect((await cli.signpost(['audit'])).stdout).not.toContain('ada@example.org');
});

test('account operator off and account delete reject the last operator, and say what to do', async () => {
  await createAccount();
  await cli.json('account', 'operator', 'on', ...email);
  const words = /last enabled operator.* "signpost account operator on --email E"/u;
  expect(await cli.rejection('account', 'operator', 'off', ...email)).toMatch(words);
  expect(await cli.rejection('account', 'delete', ...email, '--yes')).toMatch(words);
  await cli.json('account', 'create', '--email', 'bob@example.org', '--operator');
  const { stdout } = await cli.signpost(['account', 'operator', 'off', ...email]);
  expect(stdout).toBe('ada@example.org is no longer an operator.\n');
});
