import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { Config } from '../app/config.js';
import type { BackupReport } from '../backup/back-up-installation.js';
import type { RestoreReport } from '../backup/restore-installation.js';
import { backupName, makeBackupFolder, removeOldBackups } from '../backup/backup-folder.js';
import { noteBackup } from '../backup/last-backup.js';
import { reasonOf } from '../platform/errors.js';
import { secretToKeep } from '../secret/load-secret.js';
import { CLI_ACTOR, createAudit } from '../audit/audit.js';
import { JSON_OPTION } from './arguments.js';
import type { CliContext } from './cli-context.js';
import { formatCount, print, table } from './output.js';
import { recordAfterwards } from './domain-context.js';

const MAX_KEPT = 10_000;

/** Lists, for people, how many rows each database table has. */
const rowsTable = (rows: Readonly<Record<string, number>>): string =>
  table(
    ['TABLE', 'ROWS'],
    Object.entries(rows).map(([name, count]) => [name, formatCount(count)]),
  );

export interface BackupContext extends CliContext {
  config(): Config;
}

interface BackupOptions {
  readonly force?: boolean;
  readonly keep?: number;
  readonly json?: boolean;
}

const formatBytes = (bytes: number) => `${formatCount(bytes)} bytes`;

const formatSecretNote = ({ dataDir, secret }: Config): string =>
  `The secret is not in the backup: keep ${secretToKeep(secret, dataDir)} in another place.`;

const formatBackupReport = (path: string, { createdAt, bytes, rows }: BackupReport, config: Config) =>
  `Backup of ${createdAt} written to ${path} (${formatBytes(bytes)}).\n\n${rowsTable(rows)}\n` +
  `Sessions and counts of failed sign-ins are left out.\n${formatSecretNote(config)} Without it, nobody can restore the backup.\n`;

function countArgument(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= MAX_KEPT) return count;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_KEPT}.`);
}

/** Stores the time of the backup for running servers. A failure only prints a warning: the backup is complete. */
async function noteForServers({ stderr }: CliContext, { dataDir }: Config, { createdAt }: BackupReport) {
  await noteBackup(dataDir, createdAt).catch((error: unknown) => {
    stderr.write(
      `Warning: Servers will not know about this backup, and go on showing the previous one: ${dataDir} cannot be written to: ${reasonOf(error)}. ` +
        'Give this user the right to write there.\n',
    );
  });
}

/** Adds `signpost backup`. */
export function registerBackupCommand(program: Command, context: BackupContext): void {
  program
    .command('backup')
    .argument('<file>', 'the file to write; with --keep the folder')
    .summary('write all accounts, keys, tokens and usage to a file')
    .description(
      'Write everything in the database to a file, as it is at one moment. Servers can keep running. The backup does not hold sessions, the secret or the postcode directory: keep a copy of the secret, and import the directory again after a restore.',
    )
    .option('--force', 'overwrite the file if it exists')
    .option(
      '--keep <n>',
      'write into a folder, with the time in the file name, and keep only the newest N backups there',
      countArgument,
    )
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nExamples:\n  $ signpost backup signpost-2026-11-21.backup\n' +
        '  $ signpost backup /backups/signpost.backup --force --json\n' +
        '  $ signpost backup /backups --keep 14',
    )
    .action(async (file: string, options: BackupOptions) => {
      // Imported here, because the data layer takes a moment to load, and commands that do not need it should not have
      // to wait.
      const { backUpInstallation } = await import('../backup/back-up-installation.js');
      const config = context.config();
      const { dataDir, databaseUrl, secret } = config;
      const { randomBytes } = context;
      const nowMs = context.clock();
      const { keep } = options;
      const path = keep === undefined ? resolve(file) : resolve(file, backupName(nowMs));
      const report = await backUpInstallation({
        location: { dataDir, databaseUrl, secret },
        path,
        force: options.force === true,
        ...(keep === undefined ? {} : { makeFolder: () => makeBackupFolder(resolve(file)) }),
        clock: () => nowMs,
        randomBytes,
      });
      await noteForServers(context, config, report);
      await recordAfterwards(context, { kind: 'backup.made', detail: path });
      const removed = keep === undefined ? [] : await removeOldBackups(resolve(file), keep, nowMs);
      const removal = removed.map((name) => `Removed the old backup ${name}.\n`).join('');
      const forPeople = formatBackupReport(path, report, config) + removal;
      print(context, options.json, { file: path, ...report, removed }, forPeople);
    });
}

interface RestoreOptions {
  readonly force?: boolean;
  readonly json?: boolean;
}

function formatReplaced({ accounts, keys }: RestoreReport['replaced']): string {
  if (accounts === 0) return '';
  return `Replaced: ${accounts} accounts and ${keys} API keys. Everything that was revoked, disabled or changed since the backup is back as it was.\n`;
}

const formatRestoreReport = (path: string, { createdAt, rows, replaced }: RestoreReport) =>
  `Restored ${path}, as of ${createdAt}.\n\n${rowsTable(rows)}\n${formatReplaced(replaced)}` +
  'Running servers use the restored data from their next request. Everybody must sign in to the console again.\n';

/** Adds `signpost restore`. */
export function registerRestoreCommand(program: Command, context: BackupContext): void {
  program
    .command('restore')
    .argument('<file>', 'a file that "signpost backup" wrote')
    .summary('replace the database with a backup')
    .description(
      'Replace everything in the database with a backup of the same installation. If anything is wrong, nothing changes. Put the secret of that installation in place first: in the file "secret" of the data folder, in SIGNPOST_SECRET, or in the file that SIGNPOST_SECRET_FILE names. Servers can keep running.',
    )
    .option('--force', 'replace accounts and keys that are already there')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nExamples:\n  $ signpost restore signpost-2026-11-21.backup\n' +
        '  $ SIGNPOST_DATA_DIR=/tmp/trial signpost restore /backups/signpost.backup --json',
    )
    .action(async (file: string, options: RestoreOptions) => {
      const { restoreInstallation } = await import('../backup/restore-installation.js');
      const { dataDir, databaseUrl, secret } = context.config();
      const path = resolve(file);
      const report = await restoreInstallation({
        location: { dataDir, databaseUrl, secret },
        path,
        force: options.force === true,
        randomBytes: context.randomBytes,
        alsoStore: (transaction) =>
          createAudit(context).record(transaction, CLI_ACTOR, { kind: 'backup.restored', detail: path }),
      });
      print(context, options.json, { file: path, ...report }, formatRestoreReport(path, report));
    });
}
