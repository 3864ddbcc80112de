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

test('create adds a project to an account unless it has one of that name, and list shows projects', async () => {
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
  expect(await cli.rejection('project', 'create', ...map)).toContain('already has a project named "Map"');
});

test("rename changes a project's name, and delete revokes its keys", async () => {
  await cli.json('account', 'create', '--email', 'ada@example.org');
  await cli.json('project', 'create', ...map);
  await cli.json('key', 'create', ...ada, '--project', 'Map');
  const atlas = [...ada, '--project', 'Map', '--name', 'Atlas'];
  expect((await cli.signpost(['project', 'rename', ...atlas])).stdout).toBe(
    'Project "Map" of ada@example.org is now called "Atlas".\n',
  );
  expect(await cli.rejection('project', 'delete', ...ada, '--project', 'Atlas', '--json')).toMatch(
    /Nothing was deleted.*--yes/u,
  );
  expect((await cli.signpost(['project', 'delete', ...ada, '--project', 'Atlas', '--yes'])).stdout).toBe(
    'Project "Atlas" of ada@example.org deleted.\n',
  );
  expect(await cli.json('project', 'list', ...ada)).toEqual([]);
  expect(await cli.json('key', 'list', ...ada)).toMatchObject([{ state: 'revoked' }]);
  expect(await cli.rejection('project', 'delete', ...ada, '--project', 'Atlas')).toContain(
    'has no project "Atlas"',
  );
});
