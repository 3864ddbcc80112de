import { ServiceError } from '../../platform/errors.js';
import { withinTime } from '../../platform/within-time.js';
import { browserFlags, type FlagOptions } from './browser-flags.js';
import { Browser } from './browser.js';
import { startBrowserProcess } from './browser-process.js';
import { BROWSER_ADVICE } from './find-browser.js';

const START_TIMEOUT_MS = 30_000;

interface LaunchOptions extends FlagOptions {
  readonly program: string;
}

const explain = (message: string) =>
  /no usable sandbox|namespace sandbox|setuid sandbox|without --no-sandbox/iu.test(message)
    ? 'The sandbox of the browser cannot start on this machine: allow unprivileged user namespaces, or, where only ' +
      'trusted pages are captured, set SIGNPOST_BROWSER_WITHOUT_SANDBOX=yes.'
    : `The browser does not start. ${BROWSER_ADVICE}`;

const doesNotStart = (detail: string, cause: unknown) =>
  new ServiceError('overloaded', explain(detail), { detail, cause, retryAfterSeconds: 30 });

const tooSlow = () => new Error(`It did not answer within ${START_TIMEOUT_MS} ms.`);

/** Starts the browser. Throws a ServiceError that says why it could not. */
export async function launchBrowser(options: LaunchOptions): Promise<Browser> {
  const started = await startBrowserProcess(options.program, browserFlags(options)).catch(
    (error: unknown) => {
      throw doesNotStart(String(error), error);
    },
  );
  const { connection, lastWords, end } = started;
  try {
    const answering = Browser.over(connection, end, options.kind);
    const browser = await withinTime(answering, START_TIMEOUT_MS, tooSlow);
    lastWords();
    return browser;
  } catch (error) {
    await end();
    throw doesNotStart(`${String(error)}\n${lastWords()}`, error);
  }
}
