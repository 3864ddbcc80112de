import { withinTime } from '../../platform/within-time.js';
import { browserFlags, type FlagOptions } from './browser-flags.js';
import { BrowserDoesNotStart, explainBrowserStart } from './browser-problem.js';
import { Browser } from './browser.js';
import { startBrowserProcess, type TrustOptions } from './browser-process.js';
import { SessionClosed } from './protocol/protocol-errors.js';

const START_TIMEOUT_MS = 30_000;

interface LaunchOptions extends FlagOptions, TrustOptions {
  readonly program: string;
}

const doesNotStart = async (program: string, output: string, cause: unknown) =>
  new BrowserDoesNotStart(await explainBrowserStart(output, program), cause);

const tooSlow = () => new Error(`It did not answer within ${START_TIMEOUT_MS} ms.`);

/** Starts the browser. Throws a BrowserDoesNotStart if that fails. */
export async function launchBrowser(options: LaunchOptions): Promise<Browser> {
  const started = await startBrowserProcess(options.program, browserFlags(options), options).catch(
    async (error: unknown) => {
      throw await doesNotStart(options.program, String(error), error);
    },
  );
  const { connection, takeOutput, end } = started;
  try {
    const answering = Browser.connect(connection, end, options.kind);
    const browser = await withinTime(answering, START_TIMEOUT_MS, tooSlow);
    takeOutput();
    return browser;
  } catch (error) {
    await end();
    const output = takeOutput();
    // That the connection closed says nothing about the cause.
    const words = error instanceof SessionClosed ? output : `${String(error)}\n${output}`;
    throw await doesNotStart(options.program, words, error);
  }
}
