import type { Command } from 'commander';
import { localUrl } from '../app/local-url.js';
import { registerAccountCommands } from './account.js';
import { registerAuditCommand } from './audit.js';
import { registerBackupCommand, registerRestoreCommand } from './backup.js';
import { registerDoctorCommand } from './doctor.js';
import { registerKeyCommands } from './key.js';
import { registerMcpCommand } from './mcp.js';
import { registerMigrateDatabaseCommand } from './migrate-database.js';
import { registerPostcodesCommands } from './postcodes.js';
import { registerProjectCommands } from './project.js';
import { logLineFormat } from './readable-log.js';
import { registerReturnUrlCommands } from './return-url.js';
import { registerSecretCommands } from './secret.js';
import { recordAfterwards } from './domain-context.js';
import { registerStartCommand, type StartContext } from './start.js';
import { registerTokenCommands } from './token.js';

/** Records a directory's import in the audit, unless there is no database yet. */
async function recordImport(context: StartContext, edition: string): Promise<void> {
  const { dataDir, databaseUrl } = context.config();
  const { fileExists, sqliteFileOf } = await import('../backup/installation-location.js');
  if (databaseUrl === undefined && !(await fileExists(sqliteFileOf({ dataDir })))) return;
  await recordAfterwards(context, { kind: 'directory.imported', detail: edition });
}

export function registerCommands(program: Command, context: StartContext): void {
  registerStartCommand(program, context);
  registerDoctorCommand(program, context);
  registerPostcodesCommands(program, {
    ...context,
    dataDir: () => context.config().dataDir,
    directorySearchUrl: () => context.config().directorySearchUrl,
    outbound: () => context.config().outbound,
    onImport: (edition) => recordImport(context, edition),
  });
  const issuer = () => {
    const { publicUrl, host, port } = context.config();
    return publicUrl ?? localUrl(host, port);
  };
  const openMail = async (publicUrl: string) => {
    const { openCommandMail } = await import('./command-mail.js');
    const { createLogger } = await import('../platform/log.js');
    const config = context.config();
    const { stderr } = context;
    const log = createLogger(config.logLevel, stderr, logLineFormat(config, stderr));
    return openCommandMail(config, publicUrl, log);
  };
  registerAccountCommands(program, { ...context, issuer, openMail });
  registerProjectCommands(program, context);
  registerKeyCommands(program, context);
  registerTokenCommands(program, { ...context, issuer, openMail });
  registerReturnUrlCommands(program, context);
  registerSecretCommands(program, context);
  registerAuditCommand(program, context);
  registerBackupCommand(program, context);
  registerRestoreCommand(program, context);
  registerMigrateDatabaseCommand(program, context);
  registerMcpCommand(program, context);
}
