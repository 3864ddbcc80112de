import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasSqlite, startSqlite } from './install-sqlite.mjs';
import { npm } from './npm.mjs';
import { root } from './root.mjs';
import { runStep } from './run-step.mjs';

const lockFile = join(root, 'package-lock.json');
/** npm itself writes this file at the end of an installation. */
const installedFile = join(root, 'node_modules/.package-lock.json');
/** Records which part of the lock file is installed: everything, or only what running needs. */
const stampFile = join(root, 'node_modules/.signpost-lock-hash');

/**
 * Options of npm that choose the packages that run and the tools that bundle them. All other development tools belong
 * to the root package.
 */
const WORKSPACES = ['contract', 'mcp', 'server'].map((name) => `--workspace=${name}`);
const ADVICE =
  'The packages could not be installed. Check that the npm registry can be reached. ' +
  'If SQLite could not be compiled, docs/how-to/install.md says what it needs. Then try again.';

/**
 * Installs everything in package-lock.json. If it is already installed, does not use the network. Calls `meanwhile`
 * once all packages are there except SQLite, which takes longest.
 */
export async function installPackages(meanwhile = async () => {}) {
  const { lock, whole, part, stamp } = readState();
  if (stamp === whole) return meanwhile();
  if (isInstalled(lock)) await meanwhile();
  else if (stamp === part) {
    await install('Installing the tools of development', ['install', '--no-save', '--include=dev']);
    await meanwhile();
  } else await installBesideSqlite(lock, ['--include=dev'], meanwhile);
  writeFileSync(stampFile, `${whole}\n`);
}

/**
 * Installs only what running needs. Development tools can be added later. Calls `meanwhile` as `installPackages` does.
 */
export async function installToRun(meanwhile = async () => {}) {
  const { lock, whole, part, stamp } = readState();
  if (stamp === whole || stamp === part) return meanwhile();
  const isWhole = isInstalled(lock);
  if (isWhole) await meanwhile();
  else await installBesideSqlite(lock, [...WORKSPACES, '--include=dev'], meanwhile);
  writeFileSync(stampFile, `${isWhole ? whole : part}\n`);
}

const install = (title, args) => runStep({ title, ...npm(args), advice: ADVICE });

async function installBesideSqlite(lock, choice, meanwhile) {
  const finishSqlite = startSqlite(JSON.parse(lock), ADVICE);
  await install('Installing packages', ['ci', ...choice, '--ignore-scripts']);
  await runScripts();
  await meanwhile();
  await finishSqlite();
}

/**
 * Runs the install scripts of the packages that need them. SQLite, the only one of them that running needs, is left
 * out, because `startSqlite` runs its script.
 */
async function runScripts() {
  const { allowScripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const names = Object.keys(allowScripts).filter(
    (name) => allowScripts[name] && name !== 'sqlite3' && existsSync(join(root, 'node_modules', name)),
  );
  if (names.length > 0) await install('Preparing packages', ['rebuild', ...names]);
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

/**
 * Whether the packages of the lock file are installed in its versions, with SQLite compiled. Optional ones may be
 * missing.
 */
function isInstalled(lock) {
  if (!existsSync(installedFile) || !hasSqlite()) return false;
  const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages;
  return Object.entries(JSON.parse(lock).packages)
    .filter(([path]) => path.startsWith('node_modules/') || path.includes('/node_modules/'))
    .every(([path, locked]) => {
      const present = installed[path];
      if (present === undefined) return locked.optional === true || locked.devOptional === true;
      return present.version === locked.version && present.integrity === locked.integrity;
    });
}
