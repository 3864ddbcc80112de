import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';
import { runStep } from './run-step.mjs';

const lockFile = join(root, 'package-lock.json');
/** What npm itself writes at the end of an installation. */
const installedFile = join(root, 'node_modules/.package-lock.json');
/** What of the lock file is installed: all of it, or what running needs. */
const stampFile = join(root, 'node_modules/.signpost-lock-hash');

/** What runs, with what compiles it: the workspaces alone. The tools of development are the root's. */
const WORKSPACES = ['contract', 'mcp', 'server'].map((name) => `--workspace=${name}`);

/**
 * Installs what package-lock.json names, unless that is what is installed: then without any use of the network. To run,
 * the tools of development are left out; whoever wants them later adds them to what is there.
 */
export async function installPackages({ toRun = false } = {}) {
  const lock = readFileSync(lockFile, 'utf8');
  const whole = createHash('sha256').update(lock).digest('hex');
  const part = `${whole} to run`;
  const stamp = readStamp();
  if (stamp === whole || (toRun && stamp === part)) return;
  const isWhole = isInstalled(lock);
  if (!isWhole) {
    const adding = ['install', '--no-save'];
    const words = toRun ? ['ci', ...WORKSPACES] : stamp === part ? adding : ['ci'];
    await runStep({
      title: stamp === part ? 'Installing the tools of development' : 'Installing packages',
      ...npm([...words, '--include=dev']),
      // SQLite is compiled where no binary for this machine can be downloaded, on all of its cores.
      env: { JOBS: 'max', ...process.env },
      advice:
        'The packages could not be installed. Check that the npm registry can be reached. If SQLite could not be compiled, ' +
        'docs/how-to/install.md says what it needs. Then try again.',
    });
  }
  writeFileSync(stampFile, `${toRun && !isWhole ? part : whole}\n`);
}

const readStamp = () =>
  existsSync(installedFile) && existsSync(stampFile) ? readFileSync(stampFile, 'utf8').trim() : undefined;

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
