import { mkdtemp, rm, writeFile } from 'node:fs/promises';
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

test('invite creates an account and prints its link, and rejects an e-mail that already has an account', async () => {
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

const noPause = () => Promise.reject(new Error('No command here waits.'));

test.each([
  [true, 'It was mailed to its owner.'],
  [false, 'The mail with it could not be sent: pass it on yourself.'],
])('invite mails the link, and says whether the mail was sent (%s)', async (isSent, words) => {
  const mails: unknown[] = [];
  const { stdout } = await cli.signpost(
    ['account', 'invite', '--email', 'ada@example.org'],
    undefined,
    noPause,
    (to, link) => {
      mails.push([to, link]);
      return Promise.resolve(isSent);
    },
  );
  const [url = ''] = LINK.exec(stdout) ?? [];
  expect(stdout).toContain(words);
  expect(mails).toEqual([['ada@example.org', { url, kind: 'invitation' }]]);
});

test.each([['account invite --email ada@example.org'], ['account reset-link --email bob@example.org']])(
  '%s prints the link even if mailing throws an error',
  async (command) => {
    await cli.signpost('account invite --email bob@example.org'.split(' '));
    const { stdout, error } = await cli.signpost(command.split(' '), undefined, noPause, () =>
      Promise.reject(new Error('broken')),
    );
    expect(error).toMatchObject({ message: 'broken' });
    expect(stdout).toMatch(LINK);
    expect(stdout).toContain('The mail with it could not be sent: pass it on yourself.');
  },
);

test('invite takes a list of people from a file, and names those who could not be invited', async () => {
  const list = join(dataDir, 'people.csv');
  await writeFile(
    list,
    '\uFEFFemail,name\r\nada@example.org,"Ada Lovelace"\r\n\r\nnobody\r\nalan@example.org\n',
  );
  const { stdout, error } = await cli.signpost(
    ['account', 'invite', '--from-file', list],
    undefined,
    noPause,
    (to) => Promise.resolve(to === 'ada@example.org'),
  );
  expect(stdout).toMatch(/^ada@example\.org +yes +https:\/\/signpost\.example\/link\//mu);
  expect(stdout).toMatch(/^alan@example\.org +failed +https:/mu);
  expect(error).toMatchObject({
    message: expect.stringMatching(/These people were not invited:\n {2}nobody: /u),
  });
  expect(await cli.json('account', 'list')).toMatchObject([
    { email: 'ada@example.org', name: 'Ada Lovelace' },
    { email: 'alan@example.org', name: null },
  ]);
});

test('invite reports a first line of a list that is neither an e-mail nor headings as wrong, and invites the others', async () => {
  const list = join(dataDir, 'people.csv');
  await writeFile(list, 'ada.example.org,Ada\nemail@example.org\n');
  const { stdout, error } = await cli.signpost(['account', 'invite', '--from-file', list]);
  expect(stdout).toMatch(/^email@example\.org /mu);
  expect(error).toMatchObject({ message: expect.stringContaining('\n  ada.example.org: ') });
});

test.each([[[]], [['--json']]])(
  'if an error stops invite in the middle of a list, the links so far are printed (with the options %j)',
  async (json) => {
    const list = join(dataDir, 'people.csv');
    await writeFile(list, 'E-Mail;Name\nada@example.org\nalan@example.org\ngrace@example.org\n');
    const { stdout, error } = await cli.signpost(
      ['account', 'invite', '--from-file', list, ...json],
      undefined,
      noPause,
      (to) =>
        to === 'alan@example.org'
          ? Promise.reject(new Error('The database is gone.'))
          : Promise.resolve(true),
    );
    expect(error).toMatchObject({ message: 'The database is gone.' });
    expect(stdout).toMatch(/ada@example\.org[^]*https:\/\/signpost\.example\/link\/[\w-]{43}/u);
    expect(stdout).toMatch(/alan@example\.org[^]*https:\/\/signpost\.example\/link\/[\w-]{43}/u);
    expect(stdout).not.toContain('grace@');
  },
);

test('invite without an e-mail and without a file is rejected, and says to give one of them', async () => {
  const { stderr } = await cli.signpost(['account', 'invite']);
  expect(stderr).toContain('give --email or --from-file');
});

test('invite rejects --name together with a list', async () => {
  const { stderr } = await cli.signpost('account invite --from-file people.csv --name Ada'.split(' '));
  expect(stderr).toContain('--name is for one person');
});

test('once three mails in a row were not sent, invite tries no more mails of a list, and prints the links', async () => {
  const list = join(dataDir, 'people.csv');
  const people = Array.from({ length: 6 }, (_, index) => `person${index}@example.org`);
  await writeFile(list, people.join('\n'));
  const tried: string[] = [];
  const { stdout } = await cli.signpost(
    ['account', 'invite', '--from-file', list],
    undefined,
    noPause,
    (to) => {
      tried.push(to);
      return Promise.resolve(to === people[0]);
    },
  );
  expect(tried).toEqual(people.slice(0, 4));
  expect(stdout.match(/^person\d@example\.org +failed +https:/gmu)).toHaveLength(5);
});

test('reset-link mails the link, and says so', async () => {
  await cli.json('account', 'create', '--email', 'ada@example.org');
  const mails: unknown[] = [];
  const { stdout } = await cli.signpost(
    ['account', 'reset-link', '--email', 'ada@example.org'],
    undefined,
    noPause,
    (to, link) => {
      mails.push([to, link]);
      return Promise.resolve(true);
    },
  );
  const [url = ''] = LINK.exec(stdout) ?? [];
  expect(stdout).toContain('It was mailed to its owner.');
  expect(mails).toEqual([['ada@example.org', { url, kind: 'reset' }]]);
});

test('reset-link prints a link that is valid for an hour, for an account that has a password', async () => {
  await cli.json('account', 'invite', '--email', 'ada@example.org');
  await cli.json('account', 'set-password', '--email', 'ada@example.org');
  const made = await cli.json('account', 'reset-link', '--email', 'ada@example.org');
  expect(made).toEqual({
    email: 'ada@example.org',
    url: expect.stringMatching(LINK),
    expiresAt: '2026-01-02T04:04:05.000Z',
    isMailed: false,
  });
  expect(await cli.rejection('account', 'reset-link', '--email', 'adah@example.org')).toContain(
    'did you mean "ada@example.org"?',
  );
});
