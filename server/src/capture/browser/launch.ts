import { chromium, type Browser } from 'playwright';
import { ServiceError } from '../../service-error.js';
import { browserFlags } from './flags.js';

const START_TIMEOUT_MS = 30_000;

interface LaunchOptions {
  readonly program: string;
  readonly proxyServer: string;
  readonly withoutSandbox: boolean;
  /** Whether the machine's shared memory has room for the browser's bitmaps. */
  readonly fitsSharedMemory: boolean;
}

const explain = (message: string) =>
  /no usable sandbox|namespace sandbox|setuid sandbox|without --no-sandbox/iu.test(message)
    ? 'The sandbox of the browser cannot start on this machine: allow unprivileged user namespaces, or, where only ' +
      'trusted pages are captured, set SIGNPOST_BROWSER_WITHOUT_SANDBOX=yes.'
    : 'The browser does not start; "signpost doctor" says more.';

/** Starts the browser; throws a ServiceError that says why it could not. */
export async function launchBrowser({
  program,
  proxyServer,
  withoutSandbox,
  fitsSharedMemory,
}: LaunchOptions): Promise<Browser> {
  try {
    return await chromium.launch({
      executablePath: program,
      args: browserFlags(proxyServer),
      // Playwright's own choice suits any machine: files in the temporary folder, which are slow on a disk.
      ignoreDefaultArgs: fitsSharedMemory ? ['--disable-dev-shm-usage'] : [],
      chromiumSandbox: !withoutSandbox,
      timeout: START_TIMEOUT_MS,
      // Signals are for the command line to answer: captures under way are finished first.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new ServiceError('overloaded', explain(detail), { detail, cause: error, retryAfterSeconds: 30 });
  }
}
