import type { Command } from 'commander';
import type { App } from '../app.js';
import type { Clock } from '../clock.js';
import type { Config } from '../config.js';
import { keepTickShape } from '../keep-tick-shape.js';
import { createLogger } from '../logger.js';
import type { DirectoryInfo } from '../postcodes/directory-info.js';
import type { CliContext } from './cli-context.js';
import { useOwnTemporaryFolder } from './temporary-folder.js';

/** What the command needs of the process beside what every command has. */
export interface StartContext extends CliContext {
  readonly process: NodeJS.Process;
  readonly monotonicMs: () => number;
  readonly pause: (ms: number) => Promise<void>;
  config(): Config;
}

/** How long past a capture's own limit the end of the server may take. */
const CLOSING_SLACK_MS = 10_000;
const SAME_SIGNAL_MS = 1_000;

const curlLookup = (url: string, key: string) =>
  `curl -H 'X-Api-Key: ${key}' -H 'Content-Type: application/json' -d '{"postcode":"SW1A 1AA"}' ${url}/api/postcode/lookup`;

const curlScreenshot = (url: string, localUrl: string, key: string) =>
  `curl -H 'X-Api-Key: ${key}' -H 'Content-Type: application/json' -d '{"url":"${localUrl}/"}' -o signpost.png ${url}/api/screenshot`;

function firstWords({ url, localUrl, first }: App): string {
  if (first === undefined) return '';
  return `
  Console            ${url}/
  Operator           ${first.email}
  One-time password  ${first.password}
  API key            ${first.key}

These are shown this once. Two lines to try, the second writes signpost.png:

${curlLookup(url, first.key)}

${curlScreenshot(url, localUrl, first.key)}
`;
}

const directoryWords = (info: DirectoryInfo) =>
  info.isSample
    ? `Postcodes: the sample of ${info.rows}; import the whole directory with: npx signpost postcodes import FILE`
    : `Postcodes: ${info.source} ${info.edition}, ${info.rows.toLocaleString('en-GB')} rows`;

/** The delay, the captures under way, then those that wait, as many at a time as there are places. */
const longestDrainMs = ({ stopDelayMs, capture: { timeoutMs, queue, concurrency } }: Config) =>
  stopDelayMs + timeoutMs * (1 + Math.ceil(queue / concurrency)) + CLOSING_SLACK_MS;

/**
 * Resolves at the first signal to stop; a later one ends the process at once. A terminal and npm both pass Ctrl-C
 * on, so one that follows within a second is the same.
 */
const stopSignal = (host: NodeJS.Process, clock: Clock) =>
  new Promise<void>((resolve) => {
    let firstAtMs: number | undefined;
    const onSignal = () => {
      if (firstAtMs !== undefined && clock() - firstAtMs > SAME_SIGNAL_MS) host.exit(1);
      firstAtMs ??= clock();
      resolve();
    };
    host.on('SIGTERM', onSignal);
    host.on('SIGINT', onSignal);
  });

async function start(context: StartContext): Promise<void> {
  const { process: host, stdout, stderr, clock, monotonicMs, pause, randomBytes } = context;
  const config = context.config();
  const log = createLogger(config.logLevel, stderr);
  const stopped = stopSignal(host, clock);
  await keepTickShape();
  const temporaryFolder = await useOwnTemporaryFolder(host);
  const loadAndStart = async () => {
    // Not loaded above: the other commands need no browser and no HTTP server, and start quickly without.
    const { loadCaptureThread } = await import('../capture/thread/load-capture-thread.js');
    // First, as it loads what it needs while this thread does; it keeps the environment of now.
    const startCapture = loadCaptureThread(log);
    const { startApp } = await import('../app.js');
    return startApp(config, { clock, monotonicMs, pause, randomBytes, log, startCapture });
  };
  const app = await loadAndStart().catch(async (error: unknown) => {
    await temporaryFolder.remove();
    throw error;
  });
  const { directories, capture } = app;
  const info = directories.current().info;
  const browser = `Browser: ${capture.state().program}`;
  stdout.write(`Signpost is running at ${app.url}\n${directoryWords(info)}\n${browser}\n${firstWords(app)}`);

  await stopped;
  log.info({ delayMs: config.stopDelayMs }, 'Stopping: captures under way are finished.');
  const tooLong = setTimeout(() => {
    log.error({}, 'Stopping took too long.');
    host.exit(1);
  }, longestDrainMs(config));
  await app.close();
  await temporaryFolder.remove();
  clearTimeout(tooLong);
  log.info({}, 'Stopped.');
}

/** Adds `signpost start`, which is also what `signpost` alone does. */
export function registerStartCommand(program: Command, context: StartContext): void {
  program
    .command('start', { isDefault: true })
    .description('serve; an empty data folder is set up first')
    .addHelpText('after', '\nExamples:\n  $ signpost start\n  $ SIGNPOST_PORT=8080 signpost start')
    .allowExcessArguments()
    .action((_options: object, command: Command) => {
      // Whatever is no command comes here, as this is the default one.
      const [word] = command.args;
      if (word !== undefined) command.error(`error: there is no command "${word}"`);
      return start(context);
    });
}
