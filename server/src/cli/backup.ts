import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { BackupReport } from '../backup/back-up-installation.js';
import type { Config } from '../config.js';
import type { CliContext } from './cli-context.js';
import { print } from './print.js';
import { rowsTable } from './rows-table.js';

export interface BackupContext extends CliContext {
  config(): Config;
}

interface BackupWords {
  readonly force?: boolean;
  readonly json?: boolean;
}

const shownBytes = (bytes: number) => `${bytes.toLocaleString('en-GB')} bytes`;

function secretWords({ dataDir, secret = { file: join(dataDir, 'secret') } }: Config): string {
  const what = typeof secret === 'string' ? 'what SIGNPOST_SECRET is set to' : `a copy of ${secret.file}`;
  return `The secret is not in it: keep ${what} as well, apart from the backup.`;
}

const reportWords = (path: string, { createdAt, bytes, rows }: BackupReport, config: Config) =>
  `Backup of ${createdAt} written to ${path} (${shownBytes(bytes)}).\n\n${rowsTable(rows)}\n` +
  `Sessions and counts of failed sign-ins are left out.\n${secretWords(config)} Without it the backup is of no use.\n`;

/** Adds `signpost backup`. */
export function registerBackupCommand(program: Command, context: BackupContext): void {
  program
    .command('backup')
    .argument('<file>', 'the file to write')
    .summary('write all accounts, keys, tokens and usage to a file')
    .description(
      'Write all that the database holds, as it is at one moment, to a file; running servers go on. Sessions are left ' +
        'out, and the secret, which has to be kept too. The postcode directory is not in it: import it again.',
    )
    .option('--force', 'replace a file of that name')
    .option('--json', 'print JSON, for programs')
    .addHelpText(
      'after',
      '\nExamples:\n  $ signpost backup signpost-2026-11-21.backup\n' +
        '  $ signpost backup /backups/signpost.backup --force --json',
    )
    .action(async (file: string, words: BackupWords) => {
      // Not loaded above: the data layer takes a moment, and other commands need not wait for it.
      const { backUpInstallation } = await import('../backup/back-up-installation.js');
      const config = context.config();
      const { dataDir, databaseUrl, secret } = config;
      const path = resolve(file);
      const { clock, randomBytes } = context;
      const report = await backUpInstallation({
        place: { dataDir, databaseUrl, secret },
        path,
        force: words.force === true,
        clock,
        randomBytes,
      });
      print(context, words.json, { file: path, ...report }, reportWords(path, report, config));
    });
}
