import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { root } from './root.mjs';

// What `npm publish` would send must be a community node: complete, without runtime dependencies, tests or leftovers.
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const output = execFileSync(npm, ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'], {
  cwd: root,
  encoding: 'utf8',
  shell: process.platform === 'win32',
});
const [{ files, size, unpackedSize }] = JSON.parse(output);
const paths = files.map(({ path }) => path);

const dependencies = Object.keys(manifest.dependencies ?? {});
const unwanted = paths.filter((path) => /\.test\.|tsbuildinfo$|^(?!dist\/)[^/]+\//.test(path));
// What the compiler made of files that are gone stays in dist until somebody removes it.
const stale = paths.filter((path) => {
  const source = /^dist\/(.+)\.js$/.exec(path)?.[1];
  return source !== undefined && !existsSync(join(root, `${source}.ts`));
});
const needed = [
  ...manifest.n8n.credentials,
  ...manifest.n8n.nodes,
  'dist/nodes/shared/operations.generated.json',
];
const missing = needed.filter((path) => !paths.includes(path));
const { messages } = await publint({ pkgDir: root, level: 'warning' });

const problems = [
  ...dependencies.map((name) => `a runtime dependency: ${name}`),
  ...unwanted.map((path) => `a file that does not belong: ${path}`),
  ...stale.map((path) => `a file that has no source any more, remove dist and build again: ${path}`),
  ...missing.map((path) => `no file that it needs: ${path}`),
  ...messages.map((message) => formatMessage(message, manifest)),
];
console.log(
  `${paths.length} files, ${(size / 1024).toFixed(1)} kB packed, ${(unpackedSize / 1024).toFixed(1)} kB unpacked`,
);
for (const problem of problems) console.error(`The package has ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;
