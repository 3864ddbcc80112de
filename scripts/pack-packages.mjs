import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import {
  contractManifest,
  mcpManifest,
  n8nManifest,
  serverJson,
  serverManifest,
} from './package-manifests.mjs';
import { root } from './root.mjs';

const packages = join(root, '.cache', 'packages');

/** Sources are where the compiler found them; a compiled file of one that is gone stays in dist, and is left out. */
const SOURCE_KINDS = { '.js': ['.ts', '.tsx'], '.d.ts': ['.ts', '.tsx'] };
const kindOf = (path) => (path.endsWith('.d.ts') ? '.d.ts' : extname(path));

/** Copies what was compiled, of these kinds, as far as its source is there. */
function copyCompiled(folder, to, sources, kinds) {
  const dist = join(root, folder, 'dist');
  cpSync(dist, join(to, 'dist'), {
    recursive: true,
    filter(path) {
      const kind = kindOf(path);
      if (kind === '') return true;
      if (!kinds.includes(kind)) return false;
      const stem = relative(dist, path).slice(0, -kind.length);
      const endings = SOURCE_KINDS[kind] ?? [kind];
      return sources.some((source) =>
        endings.some((end) => existsSync(join(root, folder, source, stem + end))),
      );
    },
  });
}

const copy = (from, to) => cpSync(join(root, from), to, { recursive: true });
const writeManifest = (folder, manifest) =>
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);

/** Puts the contract where a package that has it inside finds it. */
function putContractInside(folder) {
  const manifest = contractManifest();
  const to = join(folder, 'node_modules', manifest.name);
  mkdirSync(to, { recursive: true });
  copyCompiled('contract', to, ['src'], ['.js', '.json', '.d.ts']);
  writeManifest(to, manifest);
}

/** What is in each package beside its manifest and the licence. */
const PACKAGES = [
  {
    manifest: n8nManifest,
    readme: 'nodes/README.md',
    fill: (folder) => copyCompiled('.', folder, ['.'], ['.js', '.json', '.svg', '.png']),
  },
  {
    manifest: serverManifest,
    readme: 'server/README.md',
    fill(folder) {
      for (const part of [
        'server/bin',
        'server/dist/browser',
        'server/dist/program',
        'server/assets',
        'icons',
      ])
        copy(part, join(folder, part));
    },
  },
  {
    manifest: mcpManifest,
    readme: 'mcp/README.md',
    fill(folder) {
      copyCompiled('mcp', folder, ['src'], ['.js', '.json', '.d.ts']);
      for (const part of ['bin', 'dist/program']) copy(join('mcp', part), join(folder, part));
      putContractInside(folder);
    },
  },
];

function pack(folder, to) {
  const words = ['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', to];
  const output = execFileSync(process.platform === 'win32' ? 'npm.cmd' : 'npm', words, {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  return JSON.parse(output)[0];
}

/**
 * Packs every package from what was compiled, into `.cache/packages`, with the `server.json` where there is one, and hands `look` each one unpacked, with its manifest
 * and what npm says of it. Resolves to the paths by the names of the packages.
 */
export async function packPackages(look = () => undefined) {
  mkdirSync(packages, { recursive: true });
  // Apart until they are whole: others may read or make the same ones now.
  const staging = mkdtempSync(join(packages, '.staging-'));
  try {
    const paths = {};
    for (const { manifest: makeManifest, readme, fill } of PACKAGES) {
      const manifest = makeManifest();
      const folder = join(staging, manifest.name);
      mkdirSync(folder);
      writeManifest(folder, manifest);
      copy(readme, join(folder, 'README.md'));
      copy('LICENSE', join(folder, 'LICENSE'));
      fill(folder);
      const packed = pack(folder, staging);
      await look(folder, manifest, packed);
      paths[manifest.name] = join(packages, packed.filename);
      renameSync(join(staging, packed.filename), paths[manifest.name]);
    }
    const description = serverJson();
    if (description !== undefined)
      writeFileSync(join(packages, 'server.json'), `${JSON.stringify(description, null, 2)}\n`);
    return paths;
  } finally {
    rmSync(staging, { recursive: true });
  }
}
