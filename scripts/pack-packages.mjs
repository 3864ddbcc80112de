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

/**
 * By compiled extension, the extensions its source can have. A compiled file without a source is left over in dist, and
 * is not packed.
 */
const SOURCE_KINDS = { '.js': ['.ts', '.tsx'], '.d.ts': ['.ts', '.tsx'] };
const kindOf = (path) => (path.endsWith('.d.ts') ? '.d.ts' : extname(path));

/** Copies compiled files of these kinds if their source still exists. */
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

/** Puts the contract where a package that bundles it can import it. */
function putContractInside(folder) {
  const manifest = contractManifest();
  const to = join(folder, 'node_modules', manifest.name);
  mkdirSync(to, { recursive: true });
  copyCompiled('contract', to, ['src'], ['.js', '.json', '.d.ts']);
  writeManifest(to, manifest);
}

/** Each package, with the functions that make its manifest and add its files. */
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
        'server/dist/documents',
        'server/dist/program',
        'server/assets',
        // A service without a checkout needs these files: docs/how-to/run-as-a-service.md.
        'deploy',
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
 * Packs every package from the compiled files into `.cache/packages`, and writes `server.json` there if the MCP server
 * has a name in the MCP registry. Calls `onPackage` with the unpacked folder of each package, its manifest and npm's
 * report. Resolves to the paths by package name.
 */
export async function packPackages(onPackage = () => undefined) {
  mkdirSync(packages, { recursive: true });
  // Packages are in a separate folder until they are complete: another process may be reading or packing them now.
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
      await onPackage(folder, manifest, packed);
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
