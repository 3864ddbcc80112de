import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { type Installed, type PackageName, packages, revealing, root, unpack } from './support/packed.js';

const run = promisify(execFile);
const NAMES: readonly PackageName[] = ['n8n-nodes-signpost', 'signpost', 'signpost-mcp'];

const manifest = z.looseObject({ name: z.string(), version: z.string(), license: z.literal('MIT') });

describe.each(NAMES)('%s', (name) => {
  let packed: Installed;
  let files: string[];
  beforeAll(async () => {
    packed = await unpack(name);
    const entries = await readdir(packed.folder, { recursive: true, withFileTypes: true });
    files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  });
  afterAll(() => packed.remove());

  test('the file of a package is named after the package and version, and contains manifest, licence and README', async () => {
    const text = await readFile(join(packed.folder, 'package/package.json'), 'utf8');
    const { version } = manifest.parse(JSON.parse(text));
    expect(packages[name].endsWith(`/${name}-${version}.tgz`)).toBe(true);
    for (const file of ['LICENSE', 'README.md'])
      expect(files).toContain(join(packed.folder, 'package', file));
  });

  test('a package contains nothing from tests or development, and does not reveal where it was made', async () => {
    for (const file of files) expect(file).not.toMatch(/\.test\.|\.tsbuildinfo$|\.map$|package-lock/u);
    expect(await revealing(files)).toEqual([]);
    const text = await readFile(join(packed.folder, 'package/package.json'), 'utf8');
    for (const field of ['devDependencies', 'workspaces', 'allowScripts', 'scripts', 'private'])
      expect(manifest.parse(JSON.parse(text))).not.toHaveProperty(field);
  });
});

const billOfMaterials = z.object({
  components: z.array(z.object({ name: z.string(), version: z.string() })),
});

test.each([
  ['signpost', 'server/dist/program', 'fastify'],
  ['signpost-mcp', 'dist/program', '@modelcontextprotocol/server'],
] as const)('%s lists packages of its bundle, with a licence for each', async (name, place, bundled) => {
  const packed = await unpack(name);
  try {
    const folder = join(packed.folder, 'package', place);
    const listed: unknown = JSON.parse(await readFile(join(folder, 'packages.cdx.json'), 'utf8'));
    const { components } = billOfMaterials.parse(listed);
    expect(components.map((component) => component.name)).toEqual(expect.arrayContaining([bundled, 'zod']));
    const licences = await readFile(join(folder, 'licences.txt'), 'utf8');
    for (const { name: component, version } of components)
      expect(licences).toMatch(new RegExp(`^${component} ${version.replaceAll('.', '[.]')} [(]`, 'mu'));
  } finally {
    await packed.remove();
  }
});

/** The value of an expression over the manifests, printed by a script. */
async function print(expression: string, repository: string): Promise<unknown> {
  const script = `import('${root}/scripts/package-manifests.mjs').then((it) => console.log(JSON.stringify(${expression})))`;
  const env = { ...process.env, RELEASE_REPOSITORY: repository };
  return JSON.parse((await run(process.execPath, ['--eval', script], { env })).stdout);
}

test('RELEASE_REPOSITORY sets the repository in each manifest, and must be an https address', async () => {
  const urls = '[it.mcpManifest(), it.n8nManifest(), it.serverManifest()].map((one) => one.repository.url)';
  const url = 'git+https://github.com/example/signpost.git';
  expect(await print(urls, 'https://github.com/example/signpost')).toEqual([url, url, url]);
  await expect(print(urls, 'example/signpost')).rejects.toThrow(
    'RELEASE_REPOSITORY must be an https address',
  );
});

test('the name of signpost-mcp in the MCP registry contains the owner of its GitHub repository', async () => {
  const named = '[it.mcpManifest().mcpName ?? null, it.serverJson() ?? null]';
  const name = 'io.github.Example-Org/signpost-mcp';
  const repository = { url: 'https://github.com/Example-Org/signpost', source: 'github' };
  expect(await print(named, `${repository.url}.git`)).toMatchObject([name, { name, repository }]);
  for (const elsewhere of ['', 'https://git.example/group/signpost'])
    expect(await print(named, elsewhere)).toEqual([null, null]);
});
