import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './root.mjs';
import { runStep } from './run-step.mjs';

const PROJECTS = ['tsconfig.json', 'contract', 'mcp', 'server', 'server/browser'];
/** An output file or folder of each project that has output. It exists once the project has been compiled. */
const COMPILED = ['dist/nodes', 'contract/dist/index.d.ts', 'mcp/dist/index.d.ts', 'server/dist/main.d.ts'];
/** The packages of which tests start single compiled modules, and not only the bundles. */
const MODULES = ['contract', 'mcp', 'server'];
const MODULE = /(?<!\.test|\.d)\.(?:tsx?|json)$/;
/** The sources of all BUNDLES together. */
const SOURCES = [
  'contract/src',
  'mcp/src',
  'server/src',
  'server/browser',
  'config/tsconfig.base.json',
  'server/bundle.mjs',
  'server/package.json',
  'server/tsconfig.json',
  'server/documents.mjs',
  'docs',
  'deploy',
  'SECURITY.md',
  'CHANGELOG.md',
  'node_modules/.package-lock.json',
];
const BUNDLES = [
  'mcp/dist/program/main.js',
  'server/dist/program/main.js',
  'server/dist/browser/console.js',
  'server/dist/documents/documents.json',
];
const ASSET_FOLDERS = ['icons', 'nodes'];
const ASSET = /\.(?:svg|png|node\.json)$/;

/** Makes all BUNDLES anew if one is missing or older than any of the SOURCES; otherwise does nothing. */
export async function bundle() {
  if (isBundled()) return;
  await runStep({
    title: 'Bundling',
    command: process.execPath,
    args: [join(root, 'server/bundle.mjs')],
    advice: 'The programs could not be bundled: the lines above say why.',
  });
}

/** Prepares what tests start: bundles the programs, and compiles changed modules without checking their types. */
export async function buildToTest() {
  await bundle();
  // Not imported above, because the packages it needs have only just been installed.
  const { compileModules } = await import('../server/compile-modules.mjs');
  for (const folder of MODULES) {
    const sources = filesIn(join(root, folder, 'src')).filter((file) => MODULE.test(file));
    const changed = sources.filter((file) => !isCompiled(folder, file));
    if (changed.length > 0) await compileModules(folder, changed);
  }
}

function isCompiled(folder, source) {
  const path = relative(join(root, folder, 'src'), source).replace(/\.tsx?$/, '.js');
  const compiled = join(root, folder, 'dist', path);
  return existsSync(compiled) && statSync(compiled).mtimeMs >= statSync(source).mtimeMs;
}

/** Compiles and bundles what changed, and copies icons and .node.json files if a copy is missing or too old. */
export async function build() {
  // The compiler trusts its notes in .cache and does not notice deleted output. So if output is missing, it has to be
  // forced to compile everything again.
  const areThere = COMPILED.every((path) => existsSync(join(root, path)));
  await compile('Building', ['--build', ...PROJECTS, ...(areThere ? [] : ['--force'])]);
  await bundle();
  if (!assetsAreCopied()) {
    await runStep({
      title: 'Copying icons',
      command: process.execPath,
      args: [join(root, 'node_modules/gulp/bin/gulp.js')],
      advice: 'The icons could not be copied.',
    });
  }
}

/** Runs the TypeScript compiler with these arguments as one step. */
export function compile(title, args) {
  return runStep({
    title,
    command: process.execPath,
    args: [join(root, 'node_modules/typescript/bin/tsc'), ...args],
    advice: 'The code does not compile: the lines above say where.',
  });
}

/** Whether all bundles exist and none is older than one of their sources. */
function isBundled() {
  const bundles = BUNDLES.map((file) => join(root, file));
  const newest = Math.max(
    ...SOURCES.flatMap((path) => filesIn(join(root, path))).map((file) => statSync(file).mtimeMs),
  );
  return bundles.every((file) => existsSync(file) && statSync(file).mtimeMs >= newest);
}

function assetsAreCopied() {
  return ASSET_FOLDERS.flatMap((folder) => filesIn(join(root, folder)))
    .filter((file) => ASSET.test(file))
    .every((file) => {
      const copy = join(root, 'dist', relative(root, file));
      return existsSync(copy) && statSync(copy).mtimeMs >= statSync(file).mtimeMs;
    });
}

/** All files in a folder and its subfolders, or just the path itself if it is a file. */
function filesIn(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => filesIn(join(path, name)));
}
