import './check-node.mjs';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { installPackages } from './install-packages.mjs';

// This script packs the packages, as they are published, into .cache/packages, and checks that each is complete. First
// it installs and builds what it needs.
await installPackages();
await build();
// Imported here and not above, because the packages that these modules need have only just been installed.
const { publint } = await import('publint');
const { formatMessage } = await import('publint/utils');
const { packPackages } = await import('./pack-packages.mjs');

const problems = [];

async function checkPackage(folder, manifest, { size, unpackedSize, entryCount }) {
  const { messages } = await publint({ pkgDir: folder, level: 'warning', pack: false });
  const { credentials = [], nodes = [] } = manifest.n8n ?? {};
  const needed = [...credentials, ...nodes, ...Object.values(manifest.bin ?? {})];
  const missing = needed.filter((path) => !existsSync(join(folder, path)));
  for (const problem of [
    ...missing.map((path) => `no file ${path}`),
    ...messages.map((message) => formatMessage(message, manifest)),
  ])
    problems.push(`${manifest.name}: ${problem}`);
  const kilobytes = (bytes) => `${(bytes / 1024).toFixed(1)} kB`;
  console.log(
    `${manifest.name}: ${entryCount} files, ${kilobytes(size)} packed, ${kilobytes(unpackedSize)} unpacked`,
  );
}

const paths = await packPackages(checkPackage);
for (const path of Object.values(paths)) console.log(path);
for (const problem of problems) console.error(`Problem in a package: ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;
