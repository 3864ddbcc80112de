import { setTimeout as pause } from 'node:timers/promises';
import { Command, CommanderError } from 'commander';
import { exitOnceWritten } from 'signpost-mcp/process-end';
import { registerAccountCommands } from './cli/account.js';
import { registerAuditCommand } from './cli/audit.js';
import { registerBackupCommand, registerRestoreCommand } from './cli/backup.js';
import type { CliContext } from './cli/cli-context.js';
import { registerDoctorCommand } from './cli/doctor.js';
import { registerKeyCommands } from './cli/key.js';
import { registerMcpCommand } from './cli/mcp.js';
import { registerMigrateDatabaseCommand } from './cli/migrate-database.js';
import { registerPostcodesCommands } from './cli/postcodes.js';
import { registerProjectCommands } from './cli/project.js';
import { registerReturnUrlCommands } from './cli/return-url.js';
import { registerSecretCommands } from './cli/secret.js';
import { enterAfterwards } from './cli/services.js';
import { registerStartCommand } from './cli/start.js';
import { registerTokenCommands } from './cli/token.js';
import { systemClock, systemMonotonicMs } from './platform/clock.js';
import { type Config, ConfigError, localUrl, readConfig } from './app/config.js';
import { systemRandomBytes } from './platform/random.js';
import { ServiceError } from './platform/errors.js';
import { VERSION } from './platform/version.js';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

let config: Config | undefined;
const configOnce = () => (config ??= readConfig(process.env));

/** Enters an import in the audit where there is one: no database is made for that. */
async function enterImport(context: CliContext, edition: string): Promise<void> {
  const { dataDir, databaseUrl } = configOnce();
  const { fileExists, sqliteFileOf } = await import('./backup/backup-place.js');
  if (databaseUrl === undefined && !(await fileExists(sqliteFileOf({ dataDir })))) return;
  await enterAfterwards(context, { kind: 'directory.imported', detail: edition });
}

function createProgram(): Command {
  const program = new Command('signpost')
    .description('Screenshots, PDFs, UK postcodes and usage statistics from a server of your own.')
    .version(VERSION)
    .showHelpAfterError('(signpost --help lists the commands)')
    .showSuggestionAfterError()
    .exitOverride();
  const clock = systemClock;
  const monotonicMs = systemMonotonicMs;
  const randomBytes = systemRandomBytes;
  const { stdout, stderr, stdin } = process;
  const context = {
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
      return openInstallation({ dataDir, databaseUrl, secret, clock, monotonicMs, randomBytes, log });
    },
    dataDir: () => configOnce().dataDir,
    directorySearchUrl: () => configOnce().directorySearchUrl,
    issuer: () => {
      const { publicUrl, host, port } = configOnce();
      return publicUrl ?? localUrl(host, port);
    },
    config: configOnce,
    process,
  };
  registerStartCommand(program, context);
  registerDoctorCommand(program, context);
  registerPostcodesCommands(program, { ...context, onImport: (edition) => enterImport(context, edition) });
  registerAccountCommands(program, context);
  registerProjectCommands(program, context);
  registerKeyCommands(program, context);
  registerTokenCommands(program, context);
  registerReturnUrlCommands(program, context);
  registerSecretCommands(program, context);
  registerAuditCommand(program, context);
  registerBackupCommand(program, context);
  registerRestoreCommand(program, context);
  registerMigrateDatabaseCommand(program, context);
  registerMcpCommand(program, context);
  return program;
}

/** Errors that were foreseen are told in their own words; the others with their stack, for a report. */
function formatError(error: unknown): string {
  if (error instanceof ServiceError || error instanceof ConfigError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

try {
  await createProgram().parseAsync();
} catch (error) {
  const isSaid = error instanceof CommanderError;
  if (!isSaid) process.stderr.write(`signpost: ${formatError(error)}\n`);
  // What a failed command has left open must not keep the process.
  exitOnceWritten(process, isSaid ? (error.exitCode === 0 ? 0 : EXIT_USAGE) : EXIT_FAILED);
}
