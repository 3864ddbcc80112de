import { Console } from 'node:console';
import { CommanderError } from 'commander';
import { createSignpostClient, parseBaseUrl } from './client/signpost-client.js';
import { createCommand, type Options } from './config.js';
import { createOutputFolder, defaultFolder } from './files/output-folder.js';
import { LOOPBACK_HOSTS } from './http/request-origin.js';
import { createMemoryLinks, type MemoryLinks } from './http/memory-links.js';
import { retryingBackend } from './client/retrying-backend.js';
import type { McpDeps } from './protocol/mcp-deps.js';
import { serveStdio } from './protocol/serve-stdio.js';
import { exitOnceWritten, stopSignal } from './process-end.js';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

const say = (words: string) => void process.stderr.write(`signpost-mcp: ${words}\n`);

/** A variable that was set to nothing counts as unset. Throws where no header can hold the key. */
function apiKeyOf({ SIGNPOST_API_KEY: key }: NodeJS.ProcessEnv): string | undefined {
  if (key === undefined || key === '') return undefined;
  if (/^[!-~]+$/u.test(key)) return key;
  throw new TypeError('SIGNPOST_API_KEY is not a key: it holds spaces or characters that no key has.');
}

/** What the environment says wrongly is a failure, and what the command line does are wrong usage. */
const exitCodeOf = ({ exitCode, message }: CommanderError) =>
  exitCode === 0 ? 0 : message.includes(" from env '") ? EXIT_FAILED : EXIT_USAGE;

function depsMaker(
  { baseUrl, maxWaitSeconds, outputDir }: Options,
  links?: MemoryLinks,
): (apiKey: string) => McpDeps {
  const locate = outputDir === undefined ? defaultFolder() : () => outputDir;
  const folder = createOutputFolder({ locate, now: () => new Date() });
  const { origin } = parseBaseUrl(baseUrl);
  const directory = () => ({
    server: origin,
    note: 'The operator of this server can see the edition with "signpost postcodes status".',
  });
  return (apiKey) => {
    const directBackend = createSignpostClient({ baseUrl, apiKey });
    return {
      backend: retryingBackend(directBackend, maxWaitSeconds * 1000),
      directBackend,
      // Who calls over HTTP may be elsewhere: files are written only where the operator said so.
      files: links === undefined || outputDir !== undefined ? folder : links.linksOf(apiKey),
      directory,
      log: say,
    };
  };
}

async function serveHttp(options: Options): Promise<void> {
  // Not loaded above: a client on standard input needs no HTTP server, and waits for its first answer.
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
  const server = createStandaloneServer({
    allowed: {
      hosts: [...LOOPBACK_HOSTS, host.includes(':') ? `[${host}]` : host, ...options.allowedHosts],
      origins: options.allowedOrigins,
    },
    apiKey,
    depsFor: depsMaker(options, links),
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
  const apiKey = apiKeyOf(process.env);
  if (apiKey === undefined)
    throw new TypeError('SIGNPOST_API_KEY is not set. A project on the Signpost server has keys.');
  const { stdin, stdout, stderr } = process;
  // Standard output carries the protocol alone, whatever some package wants to say.
  globalThis.console = new Console(stderr);
  await serveStdio(depsMaker(options)(apiKey), { stdin, stdout, stopped: stopSignal(process) });
}

try {
  await createCommand(serve).parseAsync();
} catch (error) {
  const isSaid = error instanceof CommanderError;
  if (!isSaid) say(error instanceof Error ? error.message : String(error));
  exitOnceWritten(process, isSaid ? exitCodeOf(error) : EXIT_FAILED);
}
