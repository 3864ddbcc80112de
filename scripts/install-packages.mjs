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

/** What runs, with what bundles it: the workspaces alone. The tools of development are the root's. */
const WORKSPACES = ['contract', 'mcp', 'server'].map((name) => `--workspace=${name}`);
/**
 * SQLite is compiled where no binary is to be had, and a first start then waits for that most: 105 s as its package says
 * it, 80 s by -O2 as its own makefile does, 50 s if the compiler also gives no warnings, and 27 s by -O1. It then takes
 * 13 % more of the processor than by -O2, which is a hundredth of what a lookup takes.
 */
const BUILD = { JOBS: 'max', CFLAGS: '-O1 -Wno-all -Wno-extra' };
const NO_REGISTRY = 'The packages could not be installed. Check that the npm registry can be reached.';
const NO_COMPILER = 'If SQLite could not be compiled, docs/how-to/install.md says what it needs.';

/** Installs all that package-lock.json names, unless that is what is installed: then without any use of the network. */
export async function installPackages() {
  const { lock, whole, part, stamp } = readState();
  if (stamp === whole) return;
  if (!isInstalled(lock))
    await runStep({
      title: stamp === part ? 'Installing the tools of development' : 'Installing packages',
      ...npm([...(stamp === part ? ['install', '--no-save'] : ['ci']), '--include=dev']),
      env: { ...BUILD, ...process.env },
      advice: `${NO_REGISTRY} ${NO_COMPILER} Then try again.`,
    });
  writeFileSync(stampFile, `${whole}\n`);
}

/** Installs what running needs alone; the tools of development can be added later to what is there. */
export async function installToRun() {
  const { lock, whole, part, stamp } = readState();
  if (stamp === whole || stamp === part) return;
  const isWhole = isInstalled(lock);
  if (!isWhole) {
    await runStep({
      title: 'Installing packages',
      ...npm(['ci', ...WORKSPACES, '--include=dev', '--ignore-scripts']),
      advice: `${NO_REGISTRY} Then try again.`,
    });
    // The one package that a script completes: it downloads a binary, or compiles where there is none for this machine.
    await runStep({
      title: 'Installing SQLite',
      ...npm(['rebuild', 'sqlite3']),
      env: { ...BUILD, ...process.env },
      advice: `${NO_COMPILER} Then try again.`,
    });
  }
  writeFileSync(stampFile, `${isWhole ? whole : part}\n`);
}

/** The lock file, the stamps of what can be installed of it, and the one of what is. */
function readState() {
  const lock = readFileSync(lockFile, 'utf8');
  const whole = createHash('sha256').update(lock).digest('hex');
  return { lock, whole, part: `${whole} to run`, stamp: readStamp() };
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
