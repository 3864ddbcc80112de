import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';
import { runStep } from './run-step.mjs';

const lockFile = join(root, 'package-lock.json');
/** What npm itself writes at the end of an installation. */
const installedFile = join(root, 'node_modules/.package-lock.json');
const stampFile = join(root, 'node_modules/.signpost-lock-hash');

/** Installs what package-lock.json names, unless that is what is installed: then without any use of the network. */
export async function installPackages() {
  const lock = readFileSync(lockFile, 'utf8');
  const hash = createHash('sha256').update(lock).digest('hex');
  if (isStamped(hash)) return;
  if (!isInstalled(lock)) {
    await runStep({
      title: 'Installing packages',
      ...npm(['ci', '--include=dev']),
      advice:
        'The packages could not be installed. Check that the npm registry can be reached, then try again.',
    });
  }
  writeFileSync(stampFile, `${hash}\n`);
}

function isStamped(hash) {
  return (
    existsSync(installedFile) && existsSync(stampFile) && readFileSync(stampFile, 'utf8').trim() === hash
  );
}

/** True where somebody installed these very packages by hand. */
function isInstalled(lock) {
  if (!existsSync(installedFile)) return false;
  const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages;
  return Object.entries(JSON.parse(lock).packages)
    .filter(([path]) => path.startsWith('node_modules/') || path.includes('/node_modules/'))
    .every(([path, wanted]) => {
      const found = installed[path];
      if (found === undefined) return wanted.optional === true || wanted.devOptional === true;
      return found.version === wanted.version && found.integrity === wanted.integrity;
    });
}

/** The npm that runs this script, else the one on the path. */
function npm(args) {
  const script = process.env.npm_execpath ?? '';
  return script.endsWith('npm-cli.js')
    ? { command: process.execPath, args: [script, ...args] }
    : { command: 'npm', args, shell: process.platform === 'win32' };
}
