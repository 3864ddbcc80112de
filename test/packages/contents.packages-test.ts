import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { type Installed, type PackageName, packages, root, unpack } from './support/packed.js';

const run = promisify(execFile);
const NAMES: readonly PackageName[] = ['n8n-nodes-signpost', 'signpost', 'signpost-mcp'];
const PUBLIC_REGISTRY = 'registry.npmjs.org';

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

  test('its file is named for name and version, and has manifest, licence and README', async () => {
    const text = await readFile(join(packed.folder, 'package/package.json'), 'utf8');
    const { version } = manifest.parse(JSON.parse(text));
    expect(packages[name].endsWith(`/${name}-${version}.tgz`)).toBe(true);
    for (const file of ['LICENSE', 'README.md'])
      expect(files).toContain(join(packed.folder, 'package', file));
  });

  test('nothing in it is of tests or development, or says where it was made', async () => {
    const { stdout } = await run('npm', ['config', 'get', 'registry']);
    const registry = new URL(stdout.trim()).host;
    const places = [root, homedir(), hostname()].filter((place) => place.length > 4);
    if (registry !== PUBLIC_REGISTRY) places.push(registry);
    for (const file of files) {
      expect(file).not.toMatch(/\.test\.|\.tsbuildinfo$|\.map$|package-lock/u);
      const content = await readFile(file, 'utf8');
      for (const place of places) expect([file, content.includes(place)]).toEqual([file, false]);
    }
    const text = await readFile(join(packed.folder, 'package/package.json'), 'utf8');
    for (const field of ['devDependencies', 'workspaces', 'allowScripts', 'scripts', 'private'])
      expect(manifest.parse(JSON.parse(text))).not.toHaveProperty(field);
  });
});

test('RELEASE_REPOSITORY is where the sources are in each manifest, and nothing else is taken for an address', async () => {
  const print = async (repository: string) => {
    const script =
      `import('${root}/scripts/package-manifests.mjs').then(({ mcpManifest, n8nManifest, serverManifest }) =>` +
      'console.log(JSON.stringify([mcpManifest(), n8nManifest(), serverManifest()].map((it) => it.repository.url))))';
    const env = { ...process.env, RELEASE_REPOSITORY: repository };
    return (await run(process.execPath, ['--eval', script], { env })).stdout;
  };
  const url = 'git+https://github.com/example/signpost.git';
  expect(JSON.parse(await print('https://github.com/example/signpost'))).toEqual([url, url, url]);
  await expect(print('example/signpost')).rejects.toThrow('RELEASE_REPOSITORY must be an https address');
});
