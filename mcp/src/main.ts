import { Console } from 'node:console';
import { CommanderError } from 'commander';
import type { Backend } from './client/backend.js';
import { SignpostApiError } from './client/signpost-api-error.js';
import { createSignpostClient, parseBaseUrl } from './client/signpost-client.js';
import { createCommand, type Options } from './config.js';
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

/** The API key; an empty variable counts as unset. Throws if the key cannot be a header value. */
function apiKeyOf({ SIGNPOST_API_KEY: key }: NodeJS.ProcessEnv): string | undefined {
  if (key === undefined || key === '') return undefined;
  if (/^[!-~]+$/u.test(key)) return key;
  throw new TypeError('SIGNPOST_API_KEY is not a key: it holds spaces or characters that no key has.');
}

/** A wrong environment variable is a failure, a wrong flag is a usage error. */
const exitCodeOf = ({ exitCode, message }: CommanderError) =>
  exitCode === 0 ? 0 : message.includes(" from env '") ? EXIT_FAILED : EXIT_USAGE;

/**
 * Rejects every call with a message that the key is missing. If the process exited instead, clients would show no
 * reason.
 */
const keylessBackend = (origin: string): Backend => ({
  call: () =>
    Promise.reject(
      new SignpostApiError(
        `There is no API key: SIGNPOST_API_KEY is not set in the client's settings of this MCP server. Keys are made in the console of ${origin}, in a project. The client has to be restarted once the key is there.`,
      ),
    ),
});

function depsMaker({
  baseUrl,
  maxWaitSeconds,
}: Options): (directBackend: Backend, files: McpDeps['files']) => McpDeps {
  const { origin } = parseBaseUrl(baseUrl);
  const directory = () => ({
    server: origin,
    note: 'The operator of this server can see the edition with "signpost postcodes status".',
  });
  return (directBackend, files) => ({
    backend: retryingBackend(directBackend, maxWaitSeconds * 1000),
    ...{ directBackend, files, directory, log: say },
  });
}

const outputFolder = ({ outputDir }: Options) =>
  createOutputFolder({
    locate: outputDir === undefined ? defaultFolder() : () => outputDir,
    now: () => new Date(),
  });

async function serveHttp(options: Options): Promise<void> {
  // Loaded only here: a client on standard input needs no HTTP server, and waits for its first response.
  const { createStandaloneServer, listen, MCP_PATH } = await import('./http/standalone-server.js');
  const { host, port } = options;
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

async function serve(options: Options): Promise<void> {
  if (options.http) {
    await serveHttp(options);
    return;
  }
  const { baseUrl } = options;
  const makeDeps = depsMaker(options);
  const apiKey = apiKeyOf(process.env);
  if (apiKey === undefined)
    say('SIGNPOST_API_KEY is not set: every call is refused. A project on the Signpost server has keys.');
  const backend =
    apiKey === undefined
      ? keylessBackend(parseBaseUrl(baseUrl).origin)
      : createSignpostClient({ baseUrl, apiKey });
  const { stdin, stdout, stderr } = process;
  // Standard output is for the protocol only. This keeps packages from printing to it.
  globalThis.console = new Console(stderr);
  await serveStdio(makeDeps(backend, outputFolder(options)), { stdin, stdout, stopped: stopSignal(process) });
}

try {
  await createCommand(serve).parseAsync();
} catch (error) {
  const isSaid = error instanceof CommanderError;
  if (!isSaid) say(error instanceof Error ? error.message : String(error));
  exitOnceWritten(process, isSaid ? exitCodeOf(error) : EXIT_FAILED);
}
