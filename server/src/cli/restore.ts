import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { RestoreReport } from '../backup/restore-installation.js';
import type { BackupContext } from './backup.js';
import { print } from './print.js';
import { rowsTable } from './rows-table.js';

interface RestoreWords {
  readonly force?: boolean;
  readonly json?: boolean;
}

function replacedWords({ accounts, keys }: RestoreReport['replaced']): string {
  if (accounts === 0) return '';
  return (
    `Replaced: ${accounts} accounts and ${keys} API keys. What was revoked, disabled or changed since the backup is ` +
    'again as it was then.\n'
  );
}

const reportWords = (path: string, { createdAt, rows, replaced }: RestoreReport) =>
  `Restored ${path}, as of ${createdAt}.\n\n${rowsTable(rows)}\n${replacedWords(replaced)}` +
  'Running servers go by it from their next request on. Nobody is signed in to the console.\n';

/** Adds `signpost restore`. */
export function registerRestoreCommand(program: Command, context: BackupContext): void {
  program
    .command('restore')
    .argument('<file>', 'a file that "signpost backup" wrote')
    .summary('put back what a backup holds')
    .description(
      'Replace all that the database holds with what a backup of the same installation holds: all of it or, where ' +
        'anything is wrong, nothing. The secret of that installation must be there already, as the file "secret" in ' +
        'the data folder, as SIGNPOST_SECRET, or in the file that SIGNPOST_SECRET_FILE names. Servers may run meanwhile.',
    )
    .option('--force', 'replace accounts and keys that are there')
    .option('--json', 'print JSON, for programs')
    .addHelpText(
      'after',
      '\nExamples:\n  $ signpost restore signpost-2026-11-21.backup\n' +
        '  $ SIGNPOST_DATA_DIR=/tmp/trial signpost restore /backups/signpost.backup --json',
    )
    .action(async (file: string, words: RestoreWords) => {
      const { restoreInstallation } = await import('../backup/restore-installation.js');
      const { dataDir, databaseUrl, secret } = context.config();
      const path = resolve(file);
      const report = await restoreInstallation({
        place: { dataDir, databaseUrl, secret },
        path,
        force: words.force === true,
        randomBytes: context.randomBytes,
      });
      print(context, words.json, { file: path, ...report }, reportWords(path, report));
    });
}
