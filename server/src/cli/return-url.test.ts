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

const url = 'https://app.example/signed-in';
const added = { url, name: 'Example app', createdAt: '2026-01-02T03:04:05.000Z' };

test('return-url add and return-url remove say what they changed, and return-url list shows the URLs', async () => {
  expect((await cli.signpost(['return-url', 'list'])).stdout).toBe('No return URLs yet.\n');
  expect(await cli.json('return-url', 'list')).toEqual([]);
  expect(await cli.json('return-url', 'add', url, '--name', 'Example app')).toEqual(added);
  expect(await cli.json('return-url', 'list')).toEqual([added]);
  expect((await cli.signpost(['return-url', 'list'])).stdout).toBe(
    [
      'NAME         URL                            CREATED',
      'Example app  https://app.example/signed-in  2026-01-02 03:04:05Z',
      '',
    ].join('\n'),
  );
  const { stdout } = await cli.signpost(['return-url', 'remove', url]);
  expect(stdout).toBe(`Return URL ${url} removed.\n`);
  expect(await cli.json('return-url', 'list')).toEqual([]);
  const again = await cli.signpost(['return-url', 'add', url, '--name', 'Again']);
  expect(again.stdout).toBe(`Return URL ${url} of "Again" added.\n`);
});

test('add rejects a registered or an invalid URL, and remove suggests a similar one for an unknown URL', async () => {
  await cli.json('return-url', 'add', url, '--name', 'Example app');
  expect(await cli.rejection('return-url', 'add', url, '--name', 'Twice')).toContain('is there already');
  expect(await cli.rejection('return-url', 'add', 'app.example', '--name', 'X')).toContain(
    '"app.example" cannot be a return URL',
  );
  expect(await cli.rejection('return-url', 'remove', 'https://app.example/sign-in')).toContain(
    `did you mean "${url}"? "signpost return-url list" shows them all.`,
  );
});
