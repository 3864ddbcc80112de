import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';
import { runStep } from './run-step.mjs';

const lockFile = join(root, 'package-lock.json');
/** npm itself writes this file at the end of an installation. */
const installedFile = join(root, 'node_modules/.package-lock.json');
/** Records which part of the lock file is installed: everything, or only what running needs. */
const stampFile = join(root, 'node_modules/.signpost-lock-hash');

/** The packages that run, and the tools that bundle them. Development tools belong to the root package. */
const WORKSPACES = ['contract', 'mcp', 'server'].map((name) => `--workspace=${name}`);
/**
 * SQLite is compiled if there is no prebuilt binary, and that is most of the wait at a first start: 105 s with the
 * flags of its package, 80 s with -O2 as in its own makefile, 50 s with compiler warnings off as well, and 27 s with
 * -O1. SQLite then uses 13 % more processor time than with -O2, which is about 1 % of a lookup.
 */
const BUILD = { JOBS: 'max', CFLAGS: '-O1 -Wno-all -Wno-extra' };
const NO_REGISTRY = 'The packages could not be installed. Check that the npm registry can be reached.';
const NO_COMPILER = 'If SQLite could not be compiled, docs/how-to/install.md says what it needs.';

/** Installs everything in package-lock.json. If it is already installed, does not use the network. */
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

/** Installs only what running needs. Development tools can be added later. */
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
    // The only package with an install script that must run. It downloads a binary, or compiles SQLite if there is no
    // binary for this machine.
    await runStep({
      title: 'Installing SQLite',
      ...npm(['rebuild', 'sqlite3']),
      env: { ...BUILD, ...process.env },
      advice: `${NO_COMPILER} Then try again.`,
    });
  }
  writeFileSync(stampFile, `${isWhole ? whole : part}\n`);
}

/**
 * The contents of the lock file, the stamps of a whole and of a partial installation, and the stamp of the current one.
 */
function readState() {
  const lock = readFileSync(lockFile, 'utf8');
  const whole = createHash('sha256').update(lock).digest('hex');
  return { lock, whole, part: `${whole} to run`, stamp: readStamp() };
}

const readStamp = () =>
  existsSync(installedFile) && existsSync(stampFile) ? readFileSync(stampFile, 'utf8').trim() : undefined;

/** Whether somebody has already installed exactly these packages by hand. */
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

/** The npm that runs this script, or else the one in PATH. */
function npm(args) {
  const script = process.env.npm_execpath ?? '';
  return script.endsWith('npm-cli.js')
    ? { command: process.execPath, args: [script, ...args] }
    : { command: 'npm', args, shell: process.platform === 'win32' };
}
