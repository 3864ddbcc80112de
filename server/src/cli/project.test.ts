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

const ada = ['--account', 'ada@example.org'];
const map = [...ada, '--name', 'Map'];

test('create and list', async () => {
  await cli.json('account', 'create', '--email', 'ada@example.org');
  expect((await cli.signpost(['project', 'list', ...ada])).stdout).toBe(
    'ada@example.org has no projects yet.\n',
  );
  expect((await cli.signpost(['project', 'create', ...map])).stdout).toBe(
    'Project "Map" of ada@example.org made.\n',
  );
  expect(await cli.json('project', 'list', ...ada)).toEqual([
    { name: 'Map', createdAt: '2026-01-02T03:04:05.000Z' },
  ]);
  expect((await cli.signpost(['project', 'list', ...ada])).stdout).toBe(
    'PROJECT  CREATED\nMap      2026-01-02 03:04:05Z\n',
  );
  expect(await cli.refusal('project', 'create', ...map)).toContain('has a project named "Map" already');
});
