import { Console } from 'node:console';
import type { Command } from 'commander';
import { stopSignal } from 'signpost-mcp/process-end';
import { createLogger } from '../platform/log.js';
import type { StartContext } from './start.js';
import { useOwnTemporaryFolder } from '../platform/folders.js';

interface McpOptions {
  readonly outputDir?: string;
}

/** The longest total wait for retries of one call rejected as overloaded. Request limits do not apply. */
const MAX_WAIT_MS = 20_000;

async function mcp(context: StartContext, { outputDir }: McpOptions): Promise<void> {
  const { process: host, clock, monotonicMs, randomBytes } = context;
  const { stdin, stdout, stderr } = host;
  const stopped = stopSignal(host);
  const { createOutputFolder, defaultFolder, retryingBackend, serveStdio } = await import('signpost-mcp');
  const { startMcpApp } = await import('../app/mcp-app.js');
  const config = context.config();
  // Standard output may carry only the protocol, so `console` writes to standard error.
  globalThis.console = new Console(stderr);
  const log = createLogger(config.logLevel, stderr);
  const chosen = outputDir ?? config.mcp.outputDir;
  // Before TMPDIR is set to a folder that is removed at the end: the default output folder may be in TMPDIR.
  const locate = chosen === undefined ? defaultFolder() : () => chosen;
  const temporaryFolder = await useOwnTemporaryFolder(host);
  try {
    const app = await startMcpApp(config, { clock, monotonicMs, randomBytes, log });
    try {
      const deps = {
        backend: retryingBackend(app.backend, MAX_WAIT_MS),
        directBackend: app.backend,
        files: createOutputFolder({ locate, now: () => new Date(clock()) }),
        directory: () => app.directory(),
        log: (message: string) => log.error({}, message),
      };
      await serveStdio(deps, { stdin, stdout, stopped });
    } finally {
      await app.close();
    }
  } finally {
    await temporaryFolder.remove();
  }
}

/** Adds `signpost mcp`: an MCP server on standard input and output that runs the operations in this process. */
export function registerMcpCommand(program: Command, context: StartContext): void {
  program
    .command('mcp')
    .description(
      'Serve one MCP client on standard input and output. It needs no server and no key, and has no limits.',
    )
    .option('--output-dir <folder>', 'where captures are saved (SIGNPOST_MCP_OUTPUT_DIR)')
    .addHelpText(
      'after',
      '\nExamples:\n  $ signpost mcp\n  $ claude mcp add signpost -- npx signpost mcp --output-dir ~/captures',
    )
    .action((options: McpOptions) => mcp(context, options));
}
