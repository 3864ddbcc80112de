import { Console } from 'node:console';
import { parseUrl } from '@signpost/contract';
import { CommanderError } from 'commander';
import type { Backend } from './client/backend.js';
import { SignpostApiError } from './client/signpost-api-error.js';
import { createSignpostClient, parseBaseUrl } from './client/signpost-client.js';
import { createCommand, type Options } from './config.js';
import { cleanEnvironment } from './environment.js';
import { createOutputFolder, defaultFolder } from './files/output-folder.js';
import { LOOPBACK_HOSTS } from './http/request-origin.js';
import { createMemoryLinks } from './http/memory-links.js';
import { retryingBackend } from './client/retrying-backend.js';
import type { McpDeps } from './protocol/mcp-deps.js';
import { serveStdio } from './protocol/serve-stdio.js';
import { exitOnceWritten, stopSignal } from './process-end.js';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

const say = (words: string) => void process.stderr.write(`signpost-mcp: ${words}\n`);

/**
 * The API key; undefined if the variable is missing or empty. Throws TypeError if it has other characters than visible
 * ASCII.
 */
function apiKeyOf({ SIGNPOST_API_KEY: key }: NodeJS.ProcessEnv): string | undefined {
  if (key === undefined || key === '') return undefined;
  if (/^[!-~]+$/u.test(key)) return key;
  throw new TypeError('SIGNPOST_API_KEY is not a key: it holds spaces or characters that no key has.');
}

/** Returns 0 for --help and --version, EXIT_FAILED for a wrong environment variable, otherwise EXIT_USAGE. */
const exitCodeOf = (error: CommanderError) =>
  error.exitCode === 0 ? 0 : variableOf(error) === undefined ? EXIT_USAGE : EXIT_FAILED;

/** The environment variable with a wrong value that an error is about; undefined for any other error. */
const variableOf = (error: unknown): string | undefined =>
  error instanceof CommanderError ? / from env '(\w+)'/u.exec(error.message)?.[1] : undefined;

/** The message of an error. Any value may be thrown. */
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/**
 * What is wrong with these settings, as one text; undefined if nothing is. A missing key is named only if `problems` is
 * empty, because a problem may be why it is missing.
 */
function settingsProblem(baseUrl: string, problems: readonly string[]): string | undefined {
  const all = [...problems];
  let origin = 'the Signpost server';
  try {
    origin = parseBaseUrl(baseUrl).origin;
  } catch (error) {
    all.push(messageOf(error));
  }
  try {
    if (apiKeyOf(process.env) === undefined && problems.length === 0)
      all.push(
        `There is no API key: SIGNPOST_API_KEY is not set in the client's settings of this MCP server. Keys are made in the console of ${origin}, in a project.`,
      );
  } catch (error) {
    all.push(messageOf(error));
  }
  return all.length === 0
    ? undefined
    : `${all.join(' ')} The client has to be restarted once this is corrected.`;
}

/**
 * A backend that rejects every call with the problem of the settings. If the process ended instead, clients would not
 * show the reason.
 */
const brokenBackend = (problem: string): Backend => ({
  call: () => Promise.reject(new SignpostApiError(problem)),
});

/** The origin of an address; empty if the address is not valid. */
const originOf = (address: string) => parseUrl(address)?.origin ?? '';

function depsMaker({
  baseUrl,
  maxWaitSeconds,
}: Options): (directBackend: Backend, files: McpDeps['files']) => McpDeps {
  const directory = () => ({
    server: originOf(baseUrl),
    note: 'The operator of this server can see the edition with "signpost postcodes status".',
  });
  return (directBackend, files) => ({
    backend: retryingBackend(directBackend, maxWaitSeconds * 1000),
    directBackend,
    files,
    directory,
    log: say,
  });
}

const outputFolder = ({ outputDir }: Options) =>
  createOutputFolder({
    locate: outputDir === undefined ? defaultFolder() : () => outputDir,
    now: () => new Date(),
  });

async function serveHttp(options: Options): Promise<void> {
  // The HTTP server is loaded here, because a client on standard input does not need it, and waits for its first
  // response.
  const { createStandaloneServer, listen, MCP_PATH } = await import('./http/standalone-server.js');
  const { host, port } = options;
  // Called only to throw if the address is not valid.
  parseBaseUrl(options.baseUrl);
  const apiKey = apiKeyOf(process.env);
  const isLoopback = LOOPBACK_HOSTS.some((name) => name === host || name === `[${host}]`);
  if (!isLoopback && apiKey !== undefined)
    say(
      `Anyone who can reach ${host} can use the key in SIGNPOST_API_KEY. Without that variable, callers send their own key.`,
    );
  let ownUrl = '';
  const links = createMemoryLinks(
    () => options.publicUrl ?? ownUrl,
    () => Date.now(),
  );
  const makeDeps = depsMaker(options);
  const folder = outputFolder(options);
  const server = createStandaloneServer({
    allowed: {
      hosts: [...LOOPBACK_HOSTS, host.includes(':') ? `[${host}]` : host, ...options.allowedHosts],
      origins: options.allowedOrigins,
    },
    apiKey,
    depsFor: (key) => {
      const backend = createSignpostClient({ baseUrl: options.baseUrl, apiKey: key });
      // An HTTP caller may be on another machine, so files are saved only if the operator set a folder.
      return makeDeps(backend, options.outputDir === undefined ? links.linksOf(key) : folder);
    },
    links,
    log: say,
  });
  const stopped = stopSignal(process);
  ownUrl = await listen(server, host, port);
  say(`Listening at ${ownUrl}${MCP_PATH}`);
  await stopped;
  server.close();
  server.closeAllConnections();
}

/** A copy of the environment as the client set it, because invalid values are removed from `process.env` below. */
const originalEnvironment = { ...process.env };

async function check(options: Options): Promise<void> {
  const { runCheck } = await import('./run-check.js');
  const { execPath, argv, env } = process;
  // Without --http, the check starts the program anew, and that program reports what is wrong with its key.
  const apiKey = options.http ? apiKeyOf(env) : env['SIGNPOST_API_KEY'];
  const program = { execPath, argv, env: originalEnvironment, apiKey };
  const isWorking = await runCheck(options, program, (text) => void process.stdout.write(text));
  exitOnceWritten(process, isWorking ? 0 : EXIT_FAILED);
}

async function serve(options: Options, problems: readonly string[]): Promise<void> {
  if (options.http && problems.length > 0) throw new TypeError(problems.join(' '));
  if (options.check === true) return check(options);
  if (options.http) return serveHttp(options);
  const { baseUrl } = options;
  const problem = settingsProblem(baseUrl, problems);
  if (problem !== undefined) say(problem);
  const apiKey = process.env['SIGNPOST_API_KEY'] ?? '';
  const backend = problem === undefined ? createSignpostClient({ baseUrl, apiKey }) : brokenBackend(problem);
  const { stdin, stdout, stderr } = process;
  // Standard output is for the protocol only. This keeps packages from printing to it.
  globalThis.console = new Console(stderr);
  const deps = depsMaker(options)(backend, outputFolder(options));
  await serveStdio(deps, { stdin, stdout, stopped: stopSignal(process) });
}

/**
 * Reads the command line and the environment, and serves. On standard input and output, a variable with a wrong value
 * is unset, and named in the response to every call, because clients show nothing of a process that ends.
 */
async function run(problems: readonly string[]): Promise<void> {
  try {
    await createCommand((options) => serve(options, problems)).parseAsync();
  } catch (error) {
    const variable = variableOf(error);
    if (variable === undefined || process.env[variable] === undefined) throw error;
    Reflect.deleteProperty(process.env, variable);
    await run([...problems, messageOf(error).replace(/^error: /u, '')]);
  }
}

try {
  await run(cleanEnvironment(process.env));
} catch (error) {
  const isUsageError = error instanceof CommanderError;
  if (!isUsageError) say(messageOf(error));
  exitOnceWritten(process, isUsageError ? exitCodeOf(error) : EXIT_FAILED);
}
