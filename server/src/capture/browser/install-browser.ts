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
/**
 * Font packages of Debian and Ubuntu. Liberation has the widths of Arial, Times New Roman and Courier New; the
 * others have emoji and more scripts. Without Liberation, Noto would be the default font, and pages would be laid
 * out with other widths than on most machines.
 */
export const FONT_PACKAGES = [
  'fonts-liberation',
  'fonts-noto-cjk',
  'fonts-noto-color-emoji',
  'fonts-noto-core',
];
const APT_OPTIONS = ['DPkg::Lock::Timeout=60', 'Acquire::Retries=0', 'Acquire::http::Timeout=10'];

/** Runs a program without a terminal. Returns whether it succeeded in time. */
async function succeeds(command: string, args: readonly string[], timeout: number): Promise<boolean> {
  const child = spawn(command, args, { stdio: 'ignore', timeout, killSignal: 'SIGKILL' });
  const [code] = await once(child, 'close').catch(() => [undefined]);
  return code === 0;
}

/**
 * The words to put before commands that need root: none for root itself, sudo if it needs no password; undefined if
 * this user cannot become root without one.
 */
async function rootPrefix(): Promise<readonly string[] | undefined> {
  if (process.getuid?.() === 0) return [];
  return (await succeeds('sudo', ['-n', 'true'], SUDO_TIMEOUT_MS)) ? ['sudo', '-n', 'env'] : undefined;
}

/**
 * Installs the first of these lists of packages that can be installed with apt-get without a password. Returns whether
 * there was one.
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
  // Behind a firewall that drops packets, Playwright's default timeout would take too long.
  const script = `process.env.PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT ??= '10000'; require(${JSON.stringify(program)})`;
  const args = ['--eval', script, 'playwright', 'install', 'chromium-headless-shell'];
  return succeeds(process.execPath, args, PLAYWRIGHT_TIMEOUT_MS);
}

/**
 * Installs Debian's headless shell, or otherwise its `chromium`. On Ubuntu, `chromium` is only a snap, which does not
 * work here.
 */
const installFromDistribution = () => installDebianPackages(['chromium-headless-shell'], ['chromium']);

/**
 * Installs FONT_PACKAGES if this machine lacks fonts for some characters and has an apt-get that can be run as root
 * without a password.
 */
export async function installFonts(): Promise<void> {
  if ((await findMissingFonts()).length > 0) await installDebianPackages(FONT_PACKAGES);
}

interface InstallOptions {
  /** The configured program. If set, no other is searched for or installed. */
  readonly configured?: string | undefined;
  readonly searchPath: string;
  readonly log: Pick<Log, 'info'>;
  /** Called with each program that exists but does not start, and its output. */
  readonly onBroken?: (program: string, output: string) => void;
}

/** The ways to find and install a browser on this machine. Tests replace them. */
const THIS_MACHINE = {
  find: findBrowser,
  isEmbeddedUnpacked,
  installers: [installWithPlaywright, installFromDistribution],
  installFonts,
};

/**
 * Finds the browser of this machine. If there is none and none is configured, tries each way to install one until a
 * browser is found, and then installs fonts. The last way is to unpack the browser in the npm package, without
 * installing fonts; once it is unpacked, later starts install nothing.
 */
export async function findOrInstallBrowser(
  { configured, searchPath, log, onBroken }: InstallOptions,
  machine = THIS_MACHINE,
): Promise<BrowserProgram | undefined> {
  const find = (withEmbedded: boolean) => machine.find({ configured, searchPath, withEmbedded, onBroken });
  const present = await find(await machine.isEmbeddedUnpacked());
  if (present !== undefined || configured !== undefined) return present;
  log.info({}, 'Captures need a browser, and this machine has none: getting one.');
  for (const install of machine.installers) {
    if (!(await install())) continue;
    const installed = await find(false);
    if (installed === undefined) continue;
    // Fonts are installed before the browser starts, because a running browser would not notice them.
    await machine.installFonts();
    return installed;
  }
  return find(true);
}
