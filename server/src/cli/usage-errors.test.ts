import { mkdtemp, readdir, rm } from 'node:fs/promises';
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

const ada = ['--account', 'ada@example.org'];
const map = [...ada, '--project', 'Map'];

test.each([
  [['account', 'create'], "required option '--email <address>' not specified"],
  [['account', 'create', '--email', 'a@b.c', '--colour', 'red'], "unknown option '--colour'"],
  [['account', 'lits'], 'Did you mean list?'],
  [['account', 'api-access', 'maybe', '--email', 'a@b.c'], 'Allowed choices are on, off.'],
  [['account', 'list', 'all'], 'too many arguments'],
  [['key', 'create', ...map, '--per-minute', 'lots'], 'It must be a whole number from 0 to 1000000000'],
  [['key', 'create', ...map, '--per-day', '-1'], 'It must be a whole number from 0 to 1000000000'],
  [['key', 'create', ...map, '--per-day', '1000000001'], 'It must be a whole number from 0 to 1000000000'],
  [['key', 'revoke'], "missing required argument 'prefix'"],
  [['key', 'limit', 'sp_live_AbCd1234'], 'give --per-minute, --per-day, or both'],
  [['project', 'create', ...ada], "required option '--name <name>' not specified"],
  [['token', 'show'], "required option '--account <address>' not specified"],
  [['token', 'regenrate', ...ada], 'Did you mean regenerate?'],
  [['return-url', 'add', 'https://a.example/'], "required option '--name <name>' not specified"],
  [['return-url', 'remove'], "missing required argument 'url'"],
  [['secret', 'rotat'], 'Did you mean rotate?'],
])('explains the error in the arguments %j without opening the database', async (words, explanation) => {
  const { stdout, stderr, error } = await cli.signpost(words);
  expect(error).toMatchObject({ code: expect.stringMatching(/^commander\./u), exitCode: 1 });
  expect(stderr).toContain(explanation);
  expect(stdout).toBe('');
  expect(await readdir(dataDir)).toEqual([]);
});

test.each([
  ['account', ['create', 'list', 'disable', 'enable', 'set-password', 'api-access']],
  ['project', ['create', 'list']],
  ['key', ['create', 'list', 'revoke', 'limit']],
  ['token', ['show', 'regenerate']],
  ['return-url', ['add', 'remove', 'list']],
  ['secret', ['rotate']],
])(
  'the help of these commands of "signpost %s" has an example and the option --json: %j',
  async (noun, verbs) => {
    for (const verb of verbs) {
      const { stdout } = await cli.signpost([noun, verb, '--help']);
      expect(stdout).toContain(`$ signpost ${noun} ${verb}`);
      expect(stdout).toContain('--json');
    }
  },
);
