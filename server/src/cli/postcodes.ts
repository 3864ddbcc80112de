import type { Command } from 'commander';
import type { Clock } from '../platform/clock.js';
import { type DirectoryInfo, type FillPercent, NAME_COLUMNS } from '../postcodes/table/directory-data.js';
import type { ImportReport } from '../postcodes/import/import-directory.js';
import { readCurrentInfo } from '../postcodes/directory-store.js';
import { JSON_OPTION } from './arguments.js';
import { formatCount, print, table } from './output.js';

interface PostcodesCliContext {
  dataDir(): string;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  readonly clock: Clock;
  /** Hears of an edition that was imported. */
  onImport(edition: string): Promise<void>;
}

interface ImportOptions {
  readonly excludeNorthernIreland?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
}

const FILLED: readonly (keyof FillPercent)[] = ['coordinates', ...NAME_COLUMNS];

function infoRows(info: DirectoryInfo): string[][] {
  return [
    ['Edition', info.isSample ? 'the embedded sample' : `${info.source} ${info.edition}`],
    ['Imported', info.importedAt ?? 'never'],
    ['Postcodes', formatCount(info.rows)],
    ['  live', formatCount(info.live)],
    ['  terminated', formatCount(info.terminated)],
    ['  without coordinates', formatCount(info.withoutCoordinates)],
    ['Northern Ireland', info.withoutNorthernIreland ? 'left out' : 'as in the source'],
  ];
}

const aligned = (rows: readonly string[][]) => {
  const [first = [], ...others] = rows;
  return table(first, others);
};

function fillTable(info: DirectoryInfo, unknownCodes: ImportReport['unknownCodes'] | undefined): string {
  const unknown = new Map<string, number>(Object.entries(unknownCodes ?? {}));
  const rows = FILLED.map((column) => [
    column,
    `${info.fillPercent[column].toFixed(2).padStart(6)} %`,
    ...(unknownCodes === undefined ? [] : [formatCount(unknown.get(column) ?? 0)]),
  ]);
  const headings = ['COLUMN', 'FILLED', ...(unknownCodes === undefined ? [] : ['CODES WITHOUT A NAME'])];
  return table(headings, rows);
}

function formatImportReport({ info, duplicates, unknownCodes, muchWorse, seconds }: ImportReport): string {
  const rows = [
    ...infoRows(info),
    [
      'Repeated postcodes',
      `${formatCount(duplicates)}${duplicates === 0 ? '' : ' (the last row of each counts)'}`,
    ],
    ['Time', `${seconds.toFixed(1)} s`],
  ];
  const worse = muchWorse.map((what) => `Taken by --force although ${what}.\n`).join('');
  return `${aligned(rows)}\n${fillTable(info, unknownCodes)}${worse}`;
}

/** Adds the commands that import the postcode directory and tell about it. */
export function registerPostcodesCommands(program: Command, context: PostcodesCliContext): void {
  const postcodes = program.command('postcodes').description('The postcode directory.');

  postcodes
    .command('import')
    .argument('<source>', 'a zip or csv file of the ONSPD or the NSPL, or its http or https address')
    .description('Import an edition; a running server takes it up by itself.')
    .option('--exclude-northern-ireland', 'leave every BT postcode out, whose licence is another')
    .option('--force', 'take a directory that is much worse than the one in use')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nExamples:\n  $ signpost postcodes import ONSPD_AUG_2025.zip\n' +
        '  $ signpost postcodes import NSPL_AUG_2025_UK.csv --exclude-northern-ireland\n' +
        '  $ signpost postcodes import https://example.org/ONSPD_AUG_2025.zip --json',
    )
    .action(async (source: string, options: ImportOptions) => {
      // Not loaded above: only this command reads editions and draws a bar, and the others start quickly without.
      const { importDirectory } = await import('../postcodes/import/import-directory.js');
      const { importProgress } = await import('./import-progress.js');
      const progress = importProgress(context.stderr);
      try {
        const report = await importDirectory({
          source,
          dataDir: context.dataDir(),
          clock: context.clock,
          excludeNorthernIreland: options.excludeNorthernIreland === true,
          force: options.force === true,
          onProgress: (done) => {
            progress.show(done);
          },
        });
        progress.end();
        await context.onImport(`${report.info.source} ${report.info.edition}`);
        print(context, options.json, report, formatImportReport(report));
      } finally {
        progress.end();
      }
    });

  postcodes
    .command('status')
    .description('Say which directory is in use and what it holds.')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ signpost postcodes status --json')
    .action(async (options: { readonly json?: boolean }) => {
      const info = await readCurrentInfo(context.dataDir());
      const advice = info.isSample
        ? '\nTo import the whole directory: npx signpost postcodes import FILE\n'
        : '';
      const summary = `${aligned(infoRows(info))}\n${fillTable(info, undefined)}${advice}`;
      print(context, options.json, info, summary);
    });
}
