import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { commandLine, createdKey } from '../../../test/fixtures/command-line.js';
import { isApiKey } from '../keys/api-key.js';

let dataDir: string;
let cli: ReturnType<typeof commandLine>;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'signpost-cli-'));
  cli = commandLine(dataDir, () => new Command('signpost'));
});

afterEach(() => rm(dataDir, { recursive: true }));

const ada = ['--account', 'ada@example.org'];
const map = [...ada, '--project', 'Map'];

async function makeProject(): Promise<void> {
  await cli.json('account', 'create', '--email', 'ada@example.org', '--name', 'Ada');
  await cli.json('project', 'create', ...ada, '--name', 'Map');
}

const makeKey = async () => createdKey.parse(await cli.json('key', 'create', ...map));

test('create prints a valid key, and lists show only its prefix', async () => {
  await makeProject();
  const { stdout } = await cli.signpost(['key', 'create', ...map]);
  const key = stdout.split('\n')[0] ?? '';
  expect(isApiKey(key)).toBe(true);
  const { stdout: listed } = await cli.signpost(['key', 'list', ...ada]);
  expect(listed).toBe(
    'KEY               NAME  PROJECT  STATE  PER MINUTE  PER DAY  CREATED               ENDS\n' +
      `${key.slice(0, 16)}  -     Map      live   default     default  2026-01-02 03:04:05Z  -\n`,
  );
});

test('sets the limits of a key when it is created, changes one of them, and resets the other to the default', async () => {
  await makeProject();
  const created = await cli.json('key', 'create', ...map, '--per-minute', '60', '--per-day', 'unlimited');
  const { key, prefix } = createdKey.parse(created);
  expect(isApiKey(key)).toBe(true);
  expect(created).toEqual({
    key,
    prefix,
    account: 'ada@example.org',
    project: 'Map',
    perMinute: 60,
    perDay: 'unlimited',
    name: null,
    endsAt: null,
  });
  expect(await cli.json('key', 'limit', prefix, '--per-day', '500')).toMatchObject({
    perMinute: 60,
    perDay: 500,
  });
  const { stdout } = await cli.signpost(['key', 'limit', prefix, '--per-minute', 'default']);
  expect(stdout).toBe(`Key ${prefix}: default per minute, 500 per day.\n`);
  expect(await cli.json('key', 'list', ...ada)).toMatchObject([{ perMinute: 'default', perDay: 500 }]);
});

test('revoke accepts the beginning of a prefix; revoke and limit reject a key that is already revoked', async () => {
  await makeProject();
  const { prefix } = await makeKey();
  const { stdout } = await cli.signpost(['key', 'revoke', prefix.slice(0, 12)]);
  expect(stdout).toBe(`Key ${prefix} of ada@example.org revoked.\n`);
  expect(await cli.json('key', 'list', ...ada)).toMatchObject([{ revokedAt: '2026-01-02T03:04:05.000Z' }]);
  const again = `The key ${prefix} was revoked on 2026-01-02 03:04:05Z.`;
  expect(await cli.rejection('key', 'revoke', prefix)).toContain(again);
  expect(await cli.rejection('key', 'limit', prefix, '--per-day', '1')).toContain(again);
});

test('revoke rejects a text with which several prefixes begin, and lists the live keys that have them', async () => {
  await makeProject();
  const { storage } = await cli.openStorage();
  const [project] = await storage.db('projects').pluck('id');
  const row = { project_id: project, created_at: 0 };
  await storage.db('api_keys').insert([
    { ...row, hash: 'a', prefix: 'sp_live_AbCd1111' },
    { ...row, hash: 'b', prefix: 'sp_live_AbCd2222' },
    { ...row, hash: 'c', prefix: 'sp_live_AbCd3333', revoked_at: 1 },
  ]);
  await storage.close();
  const rejection = await cli.rejection('key', 'revoke', 'sp_live_AbCd');
  expect(rejection).toContain('2 keys begin with sp_live_AbCd.');
  expect(rejection).toMatch(/sp_live_AbCd1111 {2}ada@example.org {2}Map\n/u);
  expect(rejection).toMatch(/sp_live_AbCd2222 {2}ada@example.org {2}Map/u);
  expect(rejection).not.toContain('3333');
  expect(await cli.json('key', 'revoke', 'sp_live_AbCd2')).toMatchObject({ prefix: 'sp_live_AbCd2222' });
});

test('revoke accepts a whole key in place of its prefix, and does not repeat the key', async () => {
  await makeProject();
  const { key } = await makeKey();
  const { stdout } = await cli.signpost(['key', 'revoke', key, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ revokedAt: '2026-01-02T03:04:05.000Z' });
  expect(await cli.rejection('key', 'revoke', key)).not.toContain(key);
  expect(stdout).not.toContain(key);
});

test('revoke rejects a text that is no prefix, and says what one looks like, or that no key begins with it', async () => {
  for (const text of ['sp_live_', 'AbCd', '']) {
    expect(await cli.rejection('key', 'revoke', text)).toContain(
      "A key's prefix looks like sp_live_AbCd1234.",
    );
  }
  expect(await cli.rejection('key', 'revoke', 'sp_live_zzzzzzzz')).toContain(
    'No key begins with sp_live_zzzzzzzz.',
  );
});

test('create suggests a similar name for a project that does not exist', async () => {
  await makeProject();
  expect(await cli.rejection('key', 'create', ...ada, '--project', 'Maps')).toContain(
    'The account ada@example.org has no project "Maps": did you mean "Map"?',
  );
});

test('create and revoke work while another connection to the database is open, which sees the changes at once', async () => {
  await makeProject();
  const { storage } = await cli.openStorage();
  const { prefix } = await makeKey();
  expect(await storage.db('api_keys').select('prefix', 'revoked_at')).toEqual([{ prefix, revoked_at: null }]);
  await cli.json('key', 'revoke', prefix);
  expect(await storage.db('api_keys').whereNull('revoked_at')).toEqual([]);
  await storage.close();
});

test('sets and changes the name, note and expiry of a key, and rejects an expiry in the past', async () => {
  await makeProject();
  const ends = '2026-02-01T00:00:00.000Z';
  const created = await cli.json('key', 'create', ...map, '--name', 'Laptop', '--ends', '2026-02-01');
  expect(created).toMatchObject({ name: 'Laptop', endsAt: ends });
  const { prefix } = createdKey.parse(created);
  expect((await cli.signpost(['key', 'change', prefix, '--name', 'Desk', '--note', 'of Ada'])).stdout).toBe(
    `Key ${prefix}: Desk, ends 2026-02-01 00:00:00Z.\n`,
  );
  expect(await cli.json('key', 'change', prefix, '--ends', 'never')).toMatchObject({
    name: 'Desk',
    note: 'of Ada',
    endsAt: null,
    state: 'live',
  });
  expect(await cli.rejection('key', 'change', prefix, '--ends', '2026-01-01')).toContain(
    'must be in the future',
  );
  for (const words of [['--ends', 'soon'], []])
    expect((await cli.signpost(['key', 'change', prefix, ...words])).error).toMatchObject({ exitCode: 1 });
});

test('disables a key and enables it again', async () => {
  await makeProject();
  const { prefix } = await makeKey();
  expect((await cli.signpost(['key', 'disable', prefix])).stdout).toBe(
    `Key ${prefix} of ada@example.org disabled.\n`,
  );
  expect(await cli.json('key', 'list', ...ada)).toMatchObject([
    { state: 'disabled', disabledAt: '2026-01-02T03:04:05.000Z', disabledBy: 'operator' },
  ]);
  expect(await cli.json('key', 'enable', prefix)).toMatchObject({
    state: 'live',
    disabledAt: null,
    disabledBy: null,
  });
});

test('replace prints the new key, and the old one expires after the overlap, by default a day', async () => {
  await makeProject();
  const [first, second] = [await makeKey(), await makeKey()];
  const { stdout } = await cli.signpost(['key', 'replace', first.prefix]);
  expect(isApiKey(stdout.split('\n')[0] ?? '')).toBe(true);
  expect(stdout).toContain(`It replaces ${first.prefix}, which ends 2026-01-03 03:04:05Z.`);
  const made = await cli.json('key', 'replace', second.prefix, '--overlap', '0');
  expect(made).toMatchObject({
    prefix: createdKey.parse(made).key.slice(0, 16),
    replaced: { prefix: second.prefix, state: 'ended', endsAt: '2026-01-02T03:04:05.000Z' },
  });
  expect(await cli.rejection('key', 'revoke', second.prefix)).toContain(
    `The key ${second.prefix} ended on 2026-01-02 03:04:05Z. Make a new one instead.`,
  );
  const wrong = await cli.signpost(['key', 'replace', first.prefix, '--overlap', 'a day']);
  expect(wrong.stderr).toContain('Give a time such as 30m, 24h or 7d, or 0.');
});
