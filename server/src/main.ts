import { setTimeout as pause } from 'node:timers/promises';
import { type Command, CommanderError } from 'commander';
import { exitOnceWritten } from 'signpost-mcp/process-end';
import { createProgram } from './cli/program.js';
import type { StartContext } from './cli/start.js';
import { systemClock, systemMonotonicMs } from './platform/clock.js';
import { type Config, ConfigError, readConfig } from './app/config.js';
import { systemRandomBytes } from './platform/random.js';
import { errorCode, ServiceError } from './platform/errors.js';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
/** The status that a shell reports for a program ended by SIGPIPE. */
const EXIT_CLOSED_PIPE = 141;

// If DEBUG contains "pw:*" or "*", Playwright prints the values of all steps.
delete process.env['DEBUG'];

let config: Config | undefined;
const configOnce = () => (config ??= readConfig(process.env));

/**
 * Registers only what `signpost mcp` needs if that is the command, because its client waits for the first response.
 */
async function register(program: Command, context: StartContext, [name]: readonly string[]): Promise<void> {
  if (name === 'mcp') (await import('./cli/mcp.js')).registerMcpCommand(program, context);
  else (await import('./cli/commands.js')).registerCommands(program, context);
}

async function createCommands(): Promise<Command> {
  const program = createProgram();
  const clock = systemClock;
  const monotonicMs = systemMonotonicMs;
  const randomBytes = systemRandomBytes;
  const { stdout, stderr, stdin } = process;
  const context: StartContext = {
    stdout,
    stderr,
    stdin,
    clock,
    monotonicMs,
    pause,
    randomBytes,
    openStorage: async () => {
      const { openInstallation } = await import('./app/open-installation.js');
      const { dataDir, databaseUrl, secret } = configOnce();
      const log = (message: string) => stderr.write(`${message}\n`);
      return openInstallation({
        dataDir,
        databaseUrl,
        secret,
        clock,
        monotonicMs,
        randomBytes,
        log,
        mustExist: true,
      });
    },
    config: configOnce,
    process,
  };
  await register(program, context, process.argv.slice(2));
  return program;
}

/** Formats expected errors as their message, and others with their stack, for a bug report. */
function formatError(error: unknown): string {
  if (error instanceof ServiceError || error instanceof ConfigError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/**
 * Ends the process silently if the reader of the output is gone, as in `signpost account list | head -1`. A server
 * first shuts down properly.
 */
function endWithClosedPipe({ stdout, stderr, argv, pid }: NodeJS.Process): void {
  const [name = 'start'] = argv.slice(2);
  // The MCP command itself notices that its client is gone.
  if (name === 'mcp') return;
  let isEnding = false;
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error) => {
      // EIO: the terminal was closed.
      if (!['EPIPE', 'EIO'].includes(errorCode(error))) throw error;
      if (isEnding) return;
      isEnding = true;
      if (name === 'start') process.kill(pid, 'SIGTERM');
      else process.exit(EXIT_CLOSED_PIPE);
    });
  }
}

endWithClosedPipe(process);
try {
  const program = await createCommands();
  await program.parseAsync();
} catch (error) {
  const isUsageError = error instanceof CommanderError;
  if (!isUsageError) process.stderr.write(`signpost: ${formatError(error)}\n`);
  // Exits even if a failed command left something open.
  exitOnceWritten(process, isUsageError ? (error.exitCode === 0 ? 0 : EXIT_USAGE) : EXIT_FAILED);
}
