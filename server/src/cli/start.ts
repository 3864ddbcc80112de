import type { Command } from 'commander';
import { stopSignal } from 'signpost-mcp/process-end';
import type { App } from '../app/app.js';
import type { Config } from '../app/config.js';
import { hostsFinding } from '../app/installation-findings.js';
import { isLoopbackHost } from '../platform/networks.js';
import { createLogger, type LevelledLog } from '../platform/log.js';
import { suggest } from '../platform/suggestions.js';
import { IMPORT_LATEST } from '../postcodes/edition-warnings.js';
import type { DirectoryInfo } from '../postcodes/table/directory-data.js';
import type { CliContext } from './cli-context.js';
import { formatCount } from './output.js';
import { logLineFormat } from './readable-log.js';
import { useOwnTemporaryFolder } from '../platform/folders.js';

/** The context of commands that also need the process, a monotonic clock, a pause and the configuration. */
export interface StartContext extends CliContext {
  readonly process: NodeJS.Process;
  readonly monotonicMs: () => number;
  readonly pause: (ms: number) => Promise<void>;
  config(): Config;
}

/** How long a shutdown may take in addition to the stop delay and the captures. */
const CLOSING_SLACK_MS = 10_000;
/** How long a server that is told to stop while it starts may take to close what it has opened. */
const STARTING_SLACK_MS = 5_000;

const curlLookup = (url: string, key: string) =>
  `curl -H 'X-Api-Key: ${key}' -H 'Content-Type: application/json' -d '{"postcode":"SW1A 1AA"}' ${url}/api/postcode/lookup`;

const curlScreenshot = (url: string, localUrl: string, key: string) =>
  `curl -H 'X-Api-Key: ${key}' -H 'Content-Type: application/json' -d '{"url":"${localUrl}/"}' -o signpost.png ${url}/api/screenshot`;

function formatCredentials({ url, localUrl, bootstrapCredentials }: App): string {
  if (bootstrapCredentials === undefined) return '';
  return `
  Console            ${url}/
  Operator           ${bootstrapCredentials.email}
  One-time password  ${bootstrapCredentials.password}
  API key            ${bootstrapCredentials.key}

They are shown only this once. Two commands to try (the second writes signpost.png):

${curlLookup(url, bootstrapCredentials.key)}

${curlScreenshot(url, localUrl, bootstrapCredentials.key)}
`;
}

const formatDirectory = (info: DirectoryInfo) =>
  info.isSample
    ? `Postcodes: the sample of ${info.rows}; import the whole directory with: ${IMPORT_LATEST}`
    : `Postcodes: ${info.source} ${info.edition}, ${formatCount(info.rows)} rows`;

function formatSignUp(config: Config, { isSignUpOpen }: App): string {
  const state = `Sign-up: ${isSignUpOpen ? 'open' : 'closed'}`;
  if (!config.isSignUpDefault) return state;
  if (isSignUpOpen !== config.isSignUpOpen) return `${state}, as an operator chose in the console`;
  return isSignUpOpen
    ? `${state}, because only this machine can reach the server; SIGNPOST_SIGNUP=closed closes it`
    : `${state}, because other machines may reach the server; SIGNPOST_SIGNUP=open opens it`;
}

/**
 * A line with the names by which other machines may call the server. Empty if no other machine can, or if there is a
 * public address, which is printed anyway.
 */
const formatHosts = (config: Config) =>
  isLoopbackHost(config.host) || config.publicUrl !== undefined
    ? ''
    : `Host names: ${hostsFinding(config).message}\n`;

/**
 * The longest time of a shutdown: the stop delay, then all running and queued captures, `atWork` of them at a time and
 * each for its whole time limit, then CLOSING_SLACK_MS.
 */
const longestDrainMs = ({ stopDelayMs, capture: { timeoutMs, queue, concurrency, atWork } }: Config) =>
  stopDelayMs + timeoutMs * Math.ceil((concurrency + queue) / atWork) + CLOSING_SLACK_MS;

/**
 * At each SIGUSR2, switches the log level between debug and the configured level (or info, if debug is configured).
 * Windows has no such signal.
 */
function changeLevelBySignal(host: NodeJS.Process, log: LevelledLog, { logLevel }: Config): void {
  const usual = logLevel === 'debug' ? 'info' : logLevel;
  host.on('SIGUSR2', () => {
    const level = log.level === 'debug' ? usual : 'debug';
    // Sets the level to debug for this line, because another level may suppress it, and every change must be logged.
    log.level = 'debug';
    log.info({ logLevel: level }, 'The log level was changed by SIGUSR2.');
    log.level = level;
  });
}

async function start(context: StartContext): Promise<void> {
  const { process: host, stdout, stderr, clock, monotonicMs, pause, randomBytes } = context;
  const config = context.config();
  const log = createLogger(config.logLevel, stderr, logLineFormat(config, stderr));
  host.on('SIGHUP', () => log.info({}, 'SIGHUP is ignored. SIGTERM stops the server.'));
  changeLevelBySignal(host, log, config);
  const logsRequests = () => config.isAccessLogOn || log.level === 'debug';
  const stopping = new AbortController();
  let mayTakeMs = STARTING_SLACK_MS;
  const stopped = stopSignal(host, monotonicMs).then(() => {
    stopping.abort();
    const tooLong = setTimeout(() => {
      log.error({}, 'Stopping took too long.');
      host.exit(1);
    }, mayTakeMs);
    tooLong.unref();
  });
  const temporaryFolder = await useOwnTemporaryFolder(host);
  const loadAndStart = async () => {
    // Imported here, because most other commands need neither a browser nor an HTTP server, and should start quickly.
    const { loadCaptureThread } = await import('../capture/worker/load-capture-thread.js');
    // The capture thread starts first, so that it loads its code while this thread loads its own. It gets a copy of the
    // environment, in which TMPDIR is already set.
    const startCapture = loadCaptureThread(log);
    const { startApp } = await import('../app/app.js');
    const { importInProcess } = await import('../app/import-in-process.js');
    const { importSettings } = await import('../app/directory-import.js');
    const { signal } = stopping;
    const world = { clock, monotonicMs, pause, randomBytes, log, logsRequests };
    const runImport = importInProcess(importSettings(config));
    return startApp(config, { ...world, startCapture, runImport, signal });
  };
  const app = await loadAndStart().catch(async (error: unknown) => {
    await temporaryFolder.remove();
    if (error !== stopping.signal.reason) throw error;
    return undefined;
  });
  if (app === undefined) {
    log.info({}, 'Stopped before it had started.');
    return;
  }
  mayTakeMs = longestDrainMs(config);
  const { directories, capture } = app;
  const info = directories.current().info;
  const browser = `Browser: ${capture.state().program}`;
  stdout.write(
    `Signpost is running at ${app.url}\nData folder: ${config.dataDir}\n${formatDirectory(info)}\n${formatSignUp(config, app)}\n${formatHosts(config)}${browser}\n${formatCredentials(app)}`,
  );

  await stopped;
  log.info({ delayMs: config.stopDelayMs }, 'Stopping: captures under way are finished.');
  await app.close();
  await temporaryFolder.remove();
  log.info({}, 'Stopped.');
}

/** Adds `signpost start`, which is also the default command. */
export function registerStartCommand(program: Command, context: StartContext): void {
  program
    .command('start', { isDefault: true })
    .description('Start the server. An empty data folder is set up first.')
    .addHelpText('after', '\nExamples:\n  $ signpost start\n  $ SIGNPOST_PORT=8080 signpost start')
    .allowExcessArguments()
    .action((_options: object, command: Command) => {
      // This command is the default, so an unknown command ends up here.
      const [word] = command.args;
      if (word !== undefined) {
        const near = suggest(
          word,
          program.commands.map((one) => one.name()),
        );
        const hint = near === undefined ? '' : `\n(Did you mean ${near}?)`;
        program.error(`error: there is no command "${word}"${hint}`);
      }
      return start(context);
    });
}
