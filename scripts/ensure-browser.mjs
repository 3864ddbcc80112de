import { execFile } from 'node:child_process';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { root } from './root.mjs';

const run = promisify(execFile);

const PLAYWRIGHT_TIMEOUT_MS = 180_000;
const APT_TIMEOUT_MS = 300_000;
const APT_OPTIONS = ['DPkg::Lock::Timeout=60', 'Acquire::Retries=0', 'Acquire::http::Timeout=10'];
const FONT_PACKAGES = ['fonts-noto-cjk', 'fonts-noto-color-emoji'];

const importBuilt = (file) => import(pathToFileURL(join(root, 'server', 'dist', 'capture', file)).href);

/** Runs a program without a terminal; whether it ended well within its time. */
async function succeeds(command, args, timeout, environment = {}) {
  try {
    const running = run(command, args, {
      timeout,
      killSignal: 'SIGKILL',
      maxBuffer: 64 * 1024 * 1024,
      env: { ...process.env, ...environment },
    });
    running.child.stdin?.end();
    await running;
    return true;
  } catch {
    return false;
  }
}

const exists = (path) =>
  access(path).then(
    () => true,
    () => false,
  );

/** The words before a command that needs root: none as root, sudo where it asks for no password. */
async function rootPrefix() {
  if (process.getuid?.() === 0) return [];
  return (await succeeds('sudo', ['-n', 'true'], 5_000)) ? ['sudo', '-n'] : undefined;
}

let isAptUpdated = false;

/** Installs Debian packages where that can be done without asking anyone. */
async function installPackages(packages) {
  const prefix = await rootPrefix();
  if (prefix === undefined || !(await exists('/usr/bin/apt-get'))) return false;
  const apt = async (...args) => {
    const options = APT_OPTIONS.flatMap((option) => ['-o', option]);
    const quiet = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq', ...options];
    const [command, ...rest] = [...prefix, ...quiet, ...args];
    return succeeds(command, rest, APT_TIMEOUT_MS);
  };
  isAptUpdated ||= await apt('update');
  return apt('install', '-y', '--no-install-recommends', ...packages);
}

function installWithPlaywright() {
  const folder = dirname(createRequire(join(root, 'server', 'package.json')).resolve('playwright'));
  const args = [join(folder, 'cli.js'), 'install', 'chromium-headless-shell'];
  return succeeds(process.execPath, args, PLAYWRIGHT_TIMEOUT_MS, {
    PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '10000',
  });
}

/** Ubuntu's `chromium` package only leads to a snap, which is no use here. */
async function installFromDistribution() {
  return (await installPackages(['chromium-headless-shell'])) || (await installPackages(['chromium']));
}

/** The first browser there is after each way to get one, tried in turn until there is. */
async function findOrInstall(log) {
  const { findBrowser } = await importBuilt('browser/find-browser.js');
  const configured = process.env.SIGNPOST_BROWSER_PATH || undefined;
  const find = (withEmbedded) =>
    findBrowser({ configured, searchPath: process.env.PATH ?? '', withEmbedded });

  const present = await find(false);
  if (present !== undefined || configured !== undefined) return present;
  log('Captures need a browser, and this machine has none: getting one …');
  for (const install of [installWithPlaywright, installFromDistribution]) {
    if (!(await install())) continue;
    const installed = await find(false);
    if (installed !== undefined) return installed;
  }
  return find(true);
}

async function ensureFonts(log) {
  const { findMissingFonts } = await importBuilt('browser/find-browser.js');
  if ((await findMissingFonts()).length === 0) return;
  // Once: a machine that cannot install them is not kept waiting at every start.
  const tried = join(root, '.cache', 'fonts-tried');
  if (!(await exists(tried))) {
    await mkdir(dirname(tried), { recursive: true });
    await writeFile(tried, '');
    await installPackages(FONT_PACKAGES);
  }
  const missing = await findMissingFonts();
  if (missing.length === 0) return;
  log(
    `This machine has no font for ${missing.join(' and ')}: captures show boxes in their place. ` +
      `On Debian and Ubuntu: sudo apt-get install ${FONT_PACKAGES.join(' ')}`,
  );
}

/**
 * Sees to it that this machine has a browser and fonts for captures, as far as that can be done without asking
 * anyone, and logs one line about what was taken. Never fails: everything but captures works without.
 */
export async function ensureBrowser({ log }) {
  try {
    const found = await findOrInstall(log);
    if (found !== undefined) {
      const slower =
        found.kind === 'full browser' ? ' (two to three times slower than a headless shell)' : '';
      log(`Browser for captures: ${found.kind} ${found.program}, from ${found.origin}${slower}`);
    } else if (process.env.SIGNPOST_BROWSER_PATH) {
      log(
        `Captures will fail: SIGNPOST_BROWSER_PATH is ${process.env.SIGNPOST_BROWSER_PATH}, which does not start.`,
      );
    } else {
      log(
        'Captures will fail until there is a browser. Run: npx playwright install --with-deps chromium-headless-shell',
      );
    }
    await ensureFonts(log);
  } catch (error) {
    log(`The browser for captures could not be seen to: ${error instanceof Error ? error.message : error}`);
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await ensureBrowser({ log: (line) => process.stderr.write(`${line}\n`) });
}
