import { access, constants, statfs } from 'node:fs/promises';
import { freemem } from 'node:os';
import { LIMITS } from '@signpost/contract';
import { ServiceError } from '../../platform/errors.js';
import type { Log } from '../../platform/log.js';
import type { OutboundSettings } from '../../platform/outbound/outbound-settings.js';
import { isRoot, ROOT_HAS_NO_SANDBOX } from './browser-flags.js';
import { type BrowserKind, forEachKind } from './browser-kind.js';
import type { Browser } from './browser.js';
import { BrowserPool, type Browsers } from './browser-pool.js';
import { BrowserSupervisor } from './browser-supervisor.js';
import { BrowserDoesNotStart, explainBrowserStart, noBrowser } from './browser-problem.js';
import { type BrowserProgram, isExecutable } from './find-browser.js';
import { findOrInstallBrowser } from './install-browser.js';
import { launchBrowser } from './launch-browser.js';
import { SingleUseBrowsers } from './single-use-browsers.js';
import { watchMemory } from './memory-watch.js';

/** The shared memory folder on Linux. */
const FOLDER = '/dev/shm';

const BYTES_PER_PIXEL = 4;
/** How long a browser for captures with credentials or steps keeps running while it has no capture. */
const IDLE_MS = 300_000;

const NAMES: Readonly<Record<BrowserKind, string>> = {
  plain: 'The browser',
  isolated: 'The browser for captures with credentials',
  steps: 'The browser for captures with steps',
};

/**
 * The size of a page's painted tiles, of which Chromium keeps about 540 MB at most, and of a little other shared
 * data.
 */
const TILES_BYTES = 600_000_000;

interface Captures {
  /** The number of pages that may be open. */
  readonly concurrency: number;
  /** How many of the open pages may be at work at the same time; all of them if undefined. */
  readonly atWork?: number | undefined;
  readonly maxPageHeightPixels: number;
}

/** The free memory, but at most half of what a service or container may use. */
function usableBytes(): number {
  const limit = process.constrainedMemory();
  return limit === 0 ? freemem() : Math.min(freemem(), limit / 2);
}

/**
 * Whether a browser can keep its bitmaps in shared memory, which is faster than files in the temporary folder. There
 * must be space for concurrent captures of the largest size, because a browser that runs out of shared memory returns
 * blank pictures.
 */
export async function fitsSharedMemory(
  { concurrency, atWork = concurrency, maxPageHeightPixels }: Captures,
  memoryBytes = usableBytes(),
  folder = FOLDER,
): Promise<boolean> {
  const pictureBytes = LIMITS.viewport.maxPixels * maxPageHeightPixels * BYTES_PER_PIXEL;
  const neededBytes = atWork * pictureBytes + concurrency * TILES_BYTES;
  try {
    await access(folder, constants.W_OK);
    const { bavail, bsize } = await statfs(folder);
    return Math.min(bavail * bsize, memoryBytes) >= neededBytes;
  } catch {
    return false;
  }
}

interface LocalOptions {
  /** The program to use. If undefined, a program is found or installed. */
  readonly browserPath?: string | undefined;
  /** The folders to search for programs, as in PATH. */
  readonly searchPath: string;
  readonly concurrency: number;
  readonly atWork?: number | undefined;
  readonly maxPageHeightPixels: number;
  /** The maximum memory of one capture. */
  readonly maxMemoryBytes: number;
  readonly recycleAfter: number;
  /**
   * How long a browser for captures with credentials or steps keeps running while it has no capture; IDLE_MS by
   * default.
   */
  readonly idleMs?: number;
  readonly withoutSandbox: boolean;
  readonly outbound?: OutboundSettings | undefined;
  readonly log: Log;
}

const noProgram = (path: string) =>
  new ServiceError(
    'internal',
    `SIGNPOST_BROWSER_PATH is "${path}", which is not a program that this user may run. Set it to the program of a browser, or leave it out so that Signpost looks for one.`,
  );

/**
 * Whether the sandbox is off: if the configuration says so, or, with a warning, if this process runs as root, because
 * Chromium refuses to run its sandbox as root.
 */
function sandboxIsOff({ withoutSandbox, log }: LocalOptions): boolean {
  if (withoutSandbox) return true;
  if (!isRoot()) return false;
  log.warn({}, ROOT_HAS_NO_SANDBOX);
  return true;
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

const reasonOf = (error: unknown) =>
  error instanceof ServiceError ? (error.detail ?? error.message) : error;

/**
 * Returns a function that explains a failed start for the log: the problem, how to fix it, and, in a separate field,
 * details such as the browser's own output.
 */
const explainFor = (name: string) => (error: unknown) => {
  const cause = error instanceof BrowserDoesNotStart ? `: ${error.problem.why}. ${error.problem.cure}` : '.';
  return { message: `${name} does not start${cause}`, reason: reasonOf(error) };
};

/** Finds the program of the browser, or installs one. Throws a BrowserDoesNotStart if no program starts. */
async function findProgram({ browserPath, searchPath, log }: LocalOptions): Promise<BrowserProgram> {
  const broken: (readonly [program: string, output: string])[] = [];
  const onBroken = (...brokenProgram: (typeof broken)[number]) => void broken.push(brokenProgram);
  const found = await findOrInstallBrowser({ configured: browserPath, searchPath, log, onBroken });
  if (found !== undefined) return found;
  const [first] = broken;
  if (first === undefined) throw noBrowser();
  const [program, output] = first;
  throw new BrowserDoesNotStart(await explainBrowserStart(output, program));
}

/**
 * Starts the `plain` browser of this machine behind the guard; those of the other kinds start when captures need them.
 * A failed start is tried again later. Throws a ServiceError if the configured program is not a file that this user may
 * execute.
 */
export async function startLocalBrowser(options: LocalOptions, proxyServer: string): Promise<Browsers> {
  const { browserPath, concurrency, recycleAfter, idleMs = IDLE_MS, log } = options;
  if (browserPath !== undefined && !(await isExecutable(browserPath))) throw noProgram(browserPath);
  const withoutSandbox = sandboxIsOff(options);
  let found: BrowserProgram | undefined;
  const pools = forEachKind((kind) => {
    const launching = {
      launch: async () => {
        found ??= await findProgram(options);
        return launchBrowser({
          program: found.program,
          kind,
          proxyServer,
          withoutSandbox,
          fitsSharedMemory: await fitsSharedMemory(options),
          extraCaFile: options.outbound?.extraCaFile,
          onDistrust: (error) => {
            log.error({ err: error }, messageOf(error));
          },
        });
      },
      watchMemory: (browser: Browser, onOvergrown: () => void) => watchMemory(browser, options, onOvergrown),
    };
    const supervisor = new BrowserSupervisor({
      ...launching,
      name: NAMES[kind],
      explain: explainFor(NAMES[kind]),
      recycleAfter,
      ...(kind === 'plain' ? {} : { idleMs }),
      log,
    });
    return new BrowserPool({
      supervisors: [supervisor],
      startsOnDemand: true,
      singleUse: new SingleUseBrowsers(launching),
      toNoBrowserError: ([failure]) => failure,
    });
  });
  await pools.plain.start();
  if (found?.kind === 'full browser') {
    log.warn({ program: found.program }, 'This browser is two to three times slower than a headless shell.');
  }
  return {
    pools,
    slotsEach: concurrency,
    slots: () => concurrency,
    describe: () =>
      found === undefined
        ? 'none was found'
        : `${found.kind} ${pools.plain.version} from ${found.origin} (${found.program})`,
    endpoints: () => [],
  };
}
