import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Log } from '../../platform/log.js';
import { type BrowserProgram, findBrowser, findMissingFonts, isEmbeddedUnpacked } from './find-browser.js';

const PLAYWRIGHT_TIMEOUT_MS = 180_000;
const APT_TIMEOUT_MS = 300_000;
const SUDO_TIMEOUT_MS = 5_000;
/** Debian's and Ubuntu's, for emoji and East Asian characters. */
export const FONT_PACKAGES = ['fonts-noto-cjk', 'fonts-noto-color-emoji'];
const APT_OPTIONS = ['DPkg::Lock::Timeout=60', 'Acquire::Retries=0', 'Acquire::http::Timeout=10'];

/** Runs a program without a terminal; whether it ended well within its time. */
async function succeeds(command: string, args: readonly string[], timeout: number): Promise<boolean> {
  const child = spawn(command, args, { stdio: 'ignore', timeout, killSignal: 'SIGKILL' });
  const [code] = await once(child, 'close').catch(() => [undefined]);
  return code === 0;
}

/** The words before a command that needs root: none as root, sudo where it asks for no password. */
async function rootPrefix(): Promise<readonly string[] | undefined> {
  if (process.getuid?.() === 0) return [];
  return (await succeeds('sudo', ['-n', 'true'], SUDO_TIMEOUT_MS)) ? ['sudo', '-n', 'env'] : undefined;
}

/**
 * Installs the first of these lists of packages that Debian or Ubuntu has, where that can be done without asking
 * anyone; whether it was.
 */
async function installDebianPackages(...lists: readonly (readonly string[])[]): Promise<boolean> {
  const prefix = await rootPrefix();
  const hasApt = await access('/usr/bin/apt-get').then(
    () => true,
    () => false,
  );
  if (prefix === undefined || !hasApt) return false;
  const options = APT_OPTIONS.flatMap((option) => ['-o', option]);
  const apt = (...words: string[]) => {
    const quiet = ['DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq', ...options];
    return succeeds('env', [...prefix, ...quiet, ...words], APT_TIMEOUT_MS);
  };
  await apt('update');
  for (const packages of lists)
    if (await apt('install', '-y', '--no-install-recommends', ...packages)) return true;
  return false;
}

function installWithPlaywright(): Promise<boolean> {
  const program = join(dirname(createRequire(import.meta.url).resolve('playwright')), 'cli.js');
  // Behind a firewall that answers nothing it would wait three times as long for each of its servers.
  const script = `process.env.PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT ??= '10000'; require(${JSON.stringify(program)})`;
  const args = ['--eval', script, 'playwright', 'install', 'chromium-headless-shell'];
  return succeeds(process.execPath, args, PLAYWRIGHT_TIMEOUT_MS);
}

/** Ubuntu's `chromium` package only leads to a snap, which is no use here. */
const installFromDistribution = () => installDebianPackages(['chromium-headless-shell'], ['chromium']);

/** Installs fonts for what this machine shows as boxes, where that can be done without asking anyone. */
export async function installFonts(): Promise<void> {
  if ((await findMissingFonts()).length > 0) await installDebianPackages(FONT_PACKAGES);
}

interface Wanted {
  /** The configured program; nothing else is looked for, or installed, where it is set. */
  readonly configured?: string | undefined;
  readonly searchPath: string;
  readonly log: Pick<Log, 'info'>;
}

/** How browsers are found and got; a test has its own. */
const THIS_MACHINE = {
  find: findBrowser,
  isEmbeddedUnpacked,
  ways: [installWithPlaywright, installFromDistribution],
  installFonts,
};

/**
 * The browser of this machine; where there is none, the first one after each way to get one, tried in turn, and fonts
 * with it. The one inside the npm package is the last, but once it is in use no start waits for another.
 */
export async function findOrInstallBrowser(
  { configured, searchPath, log }: Wanted,
  machine = THIS_MACHINE,
): Promise<BrowserProgram | undefined> {
  const find = (withEmbedded: boolean) => machine.find({ configured, searchPath, withEmbedded });
  const present = await find(await machine.isEmbeddedUnpacked());
  if (present !== undefined || configured !== undefined) return present;
  log.info({}, 'Captures need a browser, and this machine has none: getting one.');
  for (const install of machine.ways) {
    if (!(await install())) continue;
    const installed = await find(false);
    if (installed === undefined) continue;
    // A browser that runs already does not see them.
    await machine.installFonts();
    return installed;
  }
  return find(true);
}
