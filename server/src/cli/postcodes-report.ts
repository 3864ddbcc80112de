import type { EditionChanges } from '../postcodes/import/edition-changes.js';
import { importWarnings } from '../postcodes/edition-warnings.js';
import type { ImportReport } from '../postcodes/import/import-directory.js';
import { type LatestEdition, titleAndSize } from '../postcodes/import/latest-edition.js';
import { type DirectoryInfo, type FillPercent, NAME_COLUMNS } from '../postcodes/table/directory-data.js';
import { formatCount, formatTime, table } from './output.js';

const FILLED: readonly (keyof FillPercent)[] = ['coordinates', ...NAME_COLUMNS];
const MAX_SHOWN_NAMES = 3;

function infoRows(info: DirectoryInfo): string[][] {
  return [
    ['Edition', info.isSample ? 'the built-in sample' : `${info.source} ${info.edition}`],
    ['Imported', info.importedAt === null ? 'never' : formatTime(Date.parse(info.importedAt))],
    ['Postcodes', formatCount(info.rows)],
    ['  live', formatCount(info.live)],
    ['  terminated', formatCount(info.terminated)],
    ['  without coordinates', formatCount(info.withoutCoordinates)],
    ['Northern Ireland', info.withoutNorthernIreland ? 'left out' : 'as in the source'],
  ];
}

const alignRows = (rows: readonly string[][]) => {
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

/** A list with a text such as "5 renamed (A, B, C and others)"; empty if `count` is 0. */
function describeChanges(count: number, names: readonly string[], word: string): string[] {
  if (count === 0) return [];
  const others = count > MAX_SHOWN_NAMES ? ' and others' : '';
  return [`${formatCount(count)} ${word} (${names.slice(0, MAX_SHOWN_NAMES).join(', ')}${others})`];
}

/** Describes the changes since the previous edition. Empty if there was none to compare with. */
function formatChanges(changes: EditionChanges | null): string {
  if (changes === null) return '';
  const { since, movedMetres, areas } = changes;
  const rows = [
    [`Compared with ${since.source} ${since.edition}`],
    ['  new postcodes', formatCount(changes.new)],
    ['  ended', formatCount(changes.ended)],
    ['  in use again', formatCount(changes.inUseAgain)],
    [`  moved by over ${movedMetres} metres`, formatCount(changes.moved)],
    ['  no longer in it', formatCount(changes.gone)],
  ];
  const lines = NAME_COLUMNS.flatMap((column) => {
    const { counts, renamed, new: added, gone } = areas[column];
    const pairs = renamed.map(({ before, now }) => `${before} → ${now}`);
    const changedNames = [
      ...describeChanges(counts.renamed, pairs, 'renamed'),
      ...describeChanges(counts.new, added, 'new'),
      ...describeChanges(counts.gone, gone, 'gone'),
    ];
    return changedNames.length === 0 ? [] : [`  ${column}: ${changedNames.join('; ')}\n`];
  });
  const names = lines.length === 0 ? '' : `Names of areas\n${lines.join('')}`;
  return `\n${alignRows(rows.map(([what = '', count = '']) => [what, count]))}${names}`;
}

/** The report of an import, for people. */
export function formatImportReport(report: ImportReport): string {
  const { info, duplicates, unknownCodes, muchWorse, changes, seconds } = report;
  const rows = [
    ...infoRows(info),
    [
      'Repeated postcodes',
      `${formatCount(duplicates)}${duplicates === 0 ? '' : ' (of each, the last live row is used, or the last row if none is live)'}`,
    ],
    ['Time', `${seconds.toFixed(1)} s`],
  ];
  const worse = muchWorse.map((what) => `Imported because of --force, although ${what}.\n`).join('');
  const warnings = importWarnings(report).map((words) => `\nWarning: ${words}\n`);
  return `${alignRows(rows)}\n${fillTable(info, unknownCodes)}${formatChanges(changes)}${worse}${warnings.join('')}`;
}

/** Describes a directory, for people. */
export const formatInfo = (info: DirectoryInfo): string =>
  `${alignRows(infoRows(info))}\n${fillTable(info, undefined)}`;

/** Describes the newest published edition, before it is fetched. */
export const formatLatest = (latest: LatestEdition): string =>
  `${titleAndSize(latest)}\nLicence: ${latest.licence}\n`;

export const formatUpToDate = ({ source, edition }: DirectoryInfo): string =>
  `${source} ${edition} is in use and is the newest edition: nothing was done. To import it again, add --force.\n`;
