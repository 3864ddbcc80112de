import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { unpackPackage } from './support/packed-package.js';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const checks = process.env.SIGNPOST_N8N_CHECKS ?? '';
// If NODE_ENV is "test", n8n's lint plugin treats every file as a node, for the tests of its own rules.
const env = { ...process.env, NODE_ENV: 'production' };
const verdict = z.object({
  passed: z.boolean(),
  files: z.number(),
  findings: z.array(z.string()),
});

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signpost-package-'));
  await unpackPackage(folder);
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs n8n's own scan of community packages, with its community and base rules and without inline exceptions. */
async function scan(what: 'source' | 'packed') {
  const words = [
    join(import.meta.dirname, 'support/scan.mjs'),
    checks,
    what === 'source' ? root : folder,
    what,
  ];
  const { stdout } = await run(process.execPath, words, { env });
  return verdict.parse(JSON.parse(stdout));
}

test("n8n's scan of community packages finds nothing in the packed files", async () => {
  expect(await scan('packed')).toMatchObject({ passed: true, findings: [] });
});

test("n8n's scan of community packages finds nothing in the source of the package", async () => {
  const { passed, findings, files } = await scan('source');
  expect(findings).toEqual([]);
  expect(passed).toBe(true);
  expect(files).toBeGreaterThan(10);
});

test('`n8n-node lint` finds no error or warning in the packed files with their sources', async () => {
  const sources = await mkdtemp(join(tmpdir(), 'signpost-sources-'));
  try {
    await unpackPackage(sources);
    for (const part of ['nodes', 'credentials', 'icons'])
      await cp(join(root, part), join(sources, part), { recursive: true });
    const nodeCli = join(checks, '@n8n/node-cli');
    const config = 'dist/template/templates/shared/default/eslint.config.mjs';
    await cp(join(nodeCli, config), join(sources, 'eslint.config.mjs'));
    await symlink(checks, join(sources, 'node_modules'), 'junction');
    const words = [join(nodeCli, 'bin/n8n-node.mjs'), 'lint'];
    const { status, stdout } = spawnSync(process.execPath, words, { cwd: sources, env, encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.not.stringContaining('✖') });
  } finally {
    await rm(sources, { recursive: true });
  }
});

test('the package has only expected files at its root, no scripts, and only peer dependencies', async () => {
  const manifest: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  for (const field of [
    'dependencies',
    'bundleDependencies',
    'devDependencies',
    'workspaces',
    'scripts',
    'allowScripts',
  ])
    expect(manifest).not.toHaveProperty(field);
  expect(manifest).toMatchObject({ peerDependencies: { 'n8n-workflow': '*' } });
  expect((await readdir(folder)).toSorted()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
});

test('the packed README has sections such as Credentials and Operations, and only https links', async () => {
  const readme = await readFile(join(folder, 'README.md'), 'utf8');
  for (const heading of ['Installing', 'Credentials', 'Operations', 'Compatibility', 'Licence'])
    expect(readme).toContain(`\n## ${heading}\n`);
  const links = [...readme.matchAll(/\]\(([^)]+)\)/gu)].map(([, link]) => link);
  expect(links.length).toBeGreaterThan(1);
  for (const link of links) expect(link).toMatch(/^https:\/\//u);
});
