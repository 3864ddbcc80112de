import type { Command } from 'commander';
import type { Clock } from '../platform/clock.js';
import type { OutboundSettings } from '../platform/outbound/outbound-settings.js';
import type { ImportProgress } from '../postcodes/import/import-directory.js';
import { readCurrentInfo } from '../postcodes/directory-store.js';
import { editionWarnings, IMPORT_LATEST } from '../postcodes/edition-warnings.js';
import { JSON_OPTION } from './arguments.js';
import { formatImportReport, formatInfo, formatLatest, formatUpToDate } from './postcodes-report.js';
import { print } from './output.js';

interface PostcodesCliContext {
  dataDir(): string;
  /** The URL of the search that finds the newest published edition. */
  directorySearchUrl(): string;
  /** How requests leave the machine. */
  outbound(): OutboundSettings;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  readonly clock: Clock;
  /** Called with an edition after it was imported. */
  onImport(edition: string): Promise<void>;
}

interface ImportOptions {
  readonly excludeNorthernIreland?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** The argument that means the newest edition. */
const LATEST = 'latest';

const EXAMPLES = `
Examples:
  $ signpost postcodes import latest
  $ signpost postcodes import ONSPD_AUG_2025.zip
  $ signpost postcodes import ONSPD_AUG_2025/
  $ signpost postcodes import NSPL_AUG_2025_UK.csv --exclude-northern-ireland
  $ signpost postcodes import https://example.org/ONSPD_AUG_2025.zip --json`;

async function runImport(
  context: PostcodesCliContext,
  source: string,
  options: ImportOptions,
): Promise<void> {
  // Imported here, because most commands do not need these modules, and should start quickly.
  const { importDirectory } = await import('../postcodes/import/import-directory.js');
  const { importLatest } = await import('../postcodes/import/import-latest.js');
  const { importProgress } = await import('./import-progress.js');
  const { operatorFetch } = await import('../app/directory-import.js');
  const progress = importProgress(context.stderr);
  const common = {
    dataDir: context.dataDir(),
    clock: context.clock,
    fetch: operatorFetch(context.outbound()),
    excludeNorthernIreland: options.excludeNorthernIreland === true,
    force: options.force === true,
    onProgress: (done: ImportProgress) => {
      progress.show(done);
    },
  };
  try {
    const report =
      source === LATEST
        ? await importLatest({
            ...common,
            searchUrl: context.directorySearchUrl(),
            onFound: (latest) => context.stderr.write(formatLatest(latest)),
          })
        : await importDirectory({ ...common, source });
    progress.end();
    if (!('changes' in report)) {
      print(context, options.json, report, formatUpToDate(report.info));
      return;
    }
    await context.onImport(`${report.info.source} ${report.info.edition}`);
    print(context, options.json, report, formatImportReport(report));
  } finally {
    progress.end();
  }
}

/** Adds the commands that import and describe the postcode directory. */
export function registerPostcodesCommands(program: Command, context: PostcodesCliContext): void {
  const postcodes = program.command('postcodes').description('The postcode directory.');

  postcodes
    .command('import')
    .argument(
      '<source>',
      'a zip or csv file of the ONSPD or the NSPL, the folder of an unpacked zip, the http or https address of a file, or "latest" for the newest ONSPD from the Office for National Statistics',
    )
    .description(
      'Import an edition. A running server uses it as soon as it is imported. If a download breaks off, the same command continues it.',
    )
    .option(
      '--exclude-northern-ireland',
      'leave out the postcodes of Northern Ireland (BT), which have another licence',
    )
    .option(
      '--force',
      'import a directory even if it is older or much worse than the one in use; with "latest", also import the same edition again',
    )
    .option(...JSON_OPTION)
    .addHelpText('after', EXAMPLES)
    .action((source: string, options: ImportOptions) => runImport(context, source, options));

  postcodes
    .command('status')
    .description('Show which directory is in use and what it holds.')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ signpost postcodes status --json')
    .action(async (options: { readonly json?: boolean }) => {
      const info = await readCurrentInfo(context.dataDir());
      const warnings = editionWarnings(info, context.clock());
      const advice = info.isSample
        ? `\nTo import the whole directory: ${IMPORT_LATEST}\n`
        : !info.hasDetails
          ? `\nAn older version of Signpost imported it, without codes, areas and history. To add them: ${IMPORT_LATEST}\n`
          : warnings.length === 0
            ? ''
            : `\nThis edition ${warnings.join('; it ')}. To import the newest: ${IMPORT_LATEST}\n`;
      print(context, options.json, info, `${formatInfo(info)}${advice}`);
    });
}
