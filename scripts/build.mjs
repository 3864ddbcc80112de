import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './root.mjs';
import { runStep } from './run-step.mjs';

const PROJECTS = ['tsconfig.json', 'contract', 'mcp', 'server', 'server/browser'];
const OUTPUTS = ['dist', 'contract/dist', 'mcp/dist', 'server/dist', 'server/dist/browser'];
const ASSET_FOLDERS = ['icons', 'nodes'];
const ASSET = /\.(?:svg|png|node\.json)$/;

/** Compiles what changed, and copies icons and codex files where one is newer than its copy. */
export async function build() {
  await compile('Building', ['--build', ...PROJECTS, ...(outputsAreThere() ? [] : ['--force'])]);
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

/** The compiler looks at its notes in .cache, not at the files: when these were deleted it has to be told. */
function outputsAreThere() {
  return OUTPUTS.every((folder) => existsSync(join(root, folder)));
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
