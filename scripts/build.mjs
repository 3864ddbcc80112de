import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from './root.mjs';
import { runStep } from './run-step.mjs';

/** What is compiled, and where to; the nodes for n8n are nothing that runs here. */
const RUNNING = {
  contract: 'contract/dist',
  mcp: 'mcp/dist',
  server: 'server/dist',
  'server/browser': 'server/dist/browser',
};
const EVERYTHING = { 'tsconfig.json': 'dist', ...RUNNING };
const ASSET_FOLDERS = ['icons', 'nodes'];
const ASSET = /\.(?:svg|png|node\.json)$/;

/**
 * Compiles what changed, and copies icons and codex files where one is newer than its copy; to run, what that needs
 * alone.
 */
export async function build({ toRun = false } = {}) {
  const projects = toRun ? RUNNING : EVERYTHING;
  // The compiler looks at its notes in .cache, not at the files: when these were deleted it has to be told.
  const areThere = Object.values(projects).every((folder) => existsSync(join(root, folder)));
  await compile('Building', ['--build', ...Object.keys(projects), ...(areThere ? [] : ['--force'])]);
  if (!isBundled()) {
    await runStep({
      title: 'Bundling',
      command: process.execPath,
      args: [join(root, 'server/bundle.mjs')],
      advice: 'The programs could not be bundled: the lines above say why.',
    });
  }
  if (!toRun && !assetsAreCopied()) {
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

/** Whether the bundles are newer than all that they are made of. */
function isBundled() {
  const bundles = [
    'mcp/dist/program/main.js',
    'server/dist/program/main.js',
    'server/dist/browser/console.js',
  ].map((file) => join(root, file));
  const sources = [
    ...['contract/dist', 'mcp/dist', 'server/dist', 'server/browser'].flatMap((folder) =>
      filesIn(join(root, folder)),
    ),
    ...['server/bundle.mjs', 'server/package.json', 'node_modules/.package-lock.json'].map((file) =>
      join(root, file),
    ),
  ];
  const isOfBundle = (file) => bundles.some((bundle) => dirname(file) === dirname(bundle));
  const newest = Math.max(
    ...sources.filter((file) => !isOfBundle(file)).map((file) => statSync(file).mtimeMs),
  );
  return bundles.every((bundle) => existsSync(bundle) && statSync(bundle).mtimeMs >= newest);
}

function assetsAreCopied() {
  return ASSET_FOLDERS.flatMap((folder) => filesIn(join(root, folder)))
    .filter((file) => ASSET.test(file))
    .every((file) => {
      const copy = join(root, 'dist', relative(root, file));
      return existsSync(copy) && statSync(copy).mtimeMs >= statSync(file).mtimeMs;
    });
}

function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}
