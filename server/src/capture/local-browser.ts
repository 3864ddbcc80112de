import type { Log } from '../log.js';
import { ServiceError } from '../service-error.js';
import { launchBrowser } from './browser/launch.js';
import { BrowserPool } from './browser/pool.js';
import { fitsSharedMemory } from './browser/shared-memory.js';
import { BrowserSupervisor } from './browser/supervisor.js';
import type { Browsers } from './browsers.js';
import { findBrowser, isExecutable, type BrowserProgram } from './find-browser.js';

interface LocalOptions {
  /** The program to use; found where it is not said. */
  readonly browserPath?: string | undefined;
  /** Where programs are looked for, as in PATH. */
  readonly searchPath: string;
  readonly concurrency: number;
  readonly maxPageHeightPixels: number;
  readonly recycleAfter: number;
  readonly withoutSandbox: boolean;
  readonly log: Log;
}

const noBrowser = () =>
  new ServiceError('overloaded', 'No browser was found for captures; "signpost doctor" says what to do.', {
    retryAfterSeconds: 60,
  });

const noProgram = (path: string) =>
  new ServiceError(
    'internal',
    `SIGNPOST_BROWSER_PATH is "${path}", which is no program that this user may run. Set it to the browser's program, ` +
      'or leave it out: one is then looked for.',
  );

/** Chromium refuses its sandbox to root; that is said, and never chosen for an ordinary user. */
function sandboxIsOff({ withoutSandbox, log }: LocalOptions): boolean {
  if (withoutSandbox) return true;
  if (process.getuid?.() !== 0) return false;
  log.warn({}, 'Running as root: the browser has no sandbox. An ordinary user is safer.');
  return true;
}

const reasonOf = (error: unknown) =>
  error instanceof ServiceError ? (error.detail ?? error.message) : error;

/**
 * Starts a browser of this machine behind the guard; one that cannot start is tried again later. Throws a ServiceError
 * where the program that is to be used is none.
 */
export async function startLocalBrowser(options: LocalOptions, proxyServer: string): Promise<Browsers> {
  const { browserPath, searchPath, concurrency, log } = options;
  if (browserPath !== undefined && !(await isExecutable(browserPath))) throw noProgram(browserPath);
  const withoutSandbox = sandboxIsOff(options);
  let found: BrowserProgram | undefined;
  const supervisor = new BrowserSupervisor({
    name: 'The browser',
    launch: async () => {
      found ??= await findBrowser({ configured: browserPath, searchPath, withEmbedded: true });
      if (found === undefined) throw noBrowser();
      return launchBrowser({
        program: found.program,
        proxyServer,
        withoutSandbox,
        fitsSharedMemory: await fitsSharedMemory(options),
      });
    },
    explain: (error) => ({ message: 'The browser does not start.', reason: reasonOf(error) }),
    recycleAfter: options.recycleAfter,
    log,
  });
  const pool = new BrowserPool({
    supervisors: [supervisor],
    startsOnDemand: true,
    noneIsUp: ([failure]) => failure,
  });
  await pool.start();
  if (found?.kind === 'full browser') {
    log.warn({ program: found.program }, 'This browser is two to three times slower than a headless shell.');
  }
  return {
    pool,
    placesEach: concurrency,
    places: () => concurrency,
    describe: () =>
      found === undefined
        ? 'none was found'
        : `${found.kind} ${supervisor.version} from ${found.origin} (${found.program})`,
    endpoints: () => [],
  };
}
