import type { Command } from 'commander';
import type { MigratedTable } from '../backup/migrate-installation.js';
import { JSON_OPTION } from './arguments.js';
import type { BackupContext } from './backup.js';
import { formatCount, print, table } from './output.js';

const DIGITS_SHOWN = 16;

const formatTables = (tables: readonly MigratedTable[]) =>
  table(
    ['TABLE', 'ROWS', 'CHECKSUM ON BOTH SIDES'],
    tables.map(({ table: name, rows, digest }) => [name, formatCount(rows), digest.slice(0, DIGITS_SHOWN)]),
  );

const formatMigrationReport = (dataDir: string, tables: readonly MigratedTable[]) =>
  `Every row was copied from SQLite to PostgreSQL.\n\n${formatTables(tables)}\n` +
  `From now on, start every server with the same SIGNPOST_DATABASE_URL and SIGNPOST_SECRET as this command. A server without them would use ${dataDir}/signpost.db, which has not changed: move that file away once the servers run. Sessions were not copied: people sign in to the console again.\n`;

/** Adds `signpost migrate-database`. */
export function registerMigrateDatabaseCommand(program: Command, context: BackupContext): void {
  program
    .command('migrate-database')
    .summary('copy the SQLite database to PostgreSQL')
    .description(
      'Copy the SQLite database of the data folder to the empty PostgreSQL database that SIGNPOST_DATABASE_URL names, ' +
        'and check that every row arrived. Stop the server first. SIGNPOST_SECRET must be the text of the file "secret" in the data folder, or the secret that was configured before.',
    )
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nExample:\n  $ export SIGNPOST_SECRET="$(cat data/secret)"\n' +
        '  $ export SIGNPOST_DATABASE_URL=postgres://signpost:PASSWORD@db.example:5432/signpost\n' +
        '  $ signpost migrate-database',
    )
    .action(async (options: { readonly json?: boolean }) => {
      const { migrateInstallation } = await import('../backup/migrate-installation.js');
      const { dataDir, databaseUrl, secret } = context.config();
      const { clock, randomBytes } = context;
      const location = { dataDir, databaseUrl, secret };
      const tables = await migrateInstallation({ location, clock, randomBytes });
      print(context, options.json, { tables }, formatMigrationReport(dataDir, tables));
    });
}
