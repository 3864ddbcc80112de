import type { ImportReport } from './import/import-directory.js';
import { type DirectoryInfo, NAME_COLUMNS } from './table/directory-data.js';

/** The command that imports the newest edition. */
export const IMPORT_LATEST = 'npx signpost postcodes import latest';

/** An edition is published every three months. If the one in use is older than this, a newer one should exist. */
const OLD_AFTER_MONTHS = 6;
const MONTHS_PER_YEAR = 12;

/**
 * Words to follow the name of an edition, such as "is 7 months old", if it is older than OLD_AFTER_MONTHS. Undefined
 * for a newer edition, one without a month, and the sample.
 */
function oldEditionWords({ edition, isSample }: DirectoryInfo, nowMs: number): string | undefined {
  const [, year, month] = /^(\d{4})-(\d\d)$/u.exec(edition) ?? [];
  if (isSample || year === undefined || month === undefined) return undefined;
  const now = new Date(nowMs);
  const months =
    (now.getUTCFullYear() - Number(year)) * MONTHS_PER_YEAR + now.getUTCMonth() + 1 - Number(month);
  return months > OLD_AFTER_MONTHS ? `is ${months} months old` : undefined;
}

/** A complete edition has more rows: over 2.6 million, or over 2.5 million without Northern Ireland. */
const MIN_COMPLETE_ROWS = 2_000_000;

/** Says that an edition is incomplete, as words after its name; undefined if it is complete, or the sample. */
const incompleteEditionWords = ({ rows, isSample }: DirectoryInfo): string | undefined =>
  isSample || rows >= MIN_COMPLETE_ROWS
    ? undefined
    : 'is only a part of one: a whole edition has more than two million postcodes';

/** Warnings about the edition in use, each as words after its name. */
export const editionWarnings = (info: DirectoryInfo, nowMs: number): string[] =>
  [incompleteEditionWords(info), oldEditionWords(info, nowMs)].filter((words) => words !== undefined);

const NO_NAMES =
  'Some codes have no name, and stand in records in place of names. The tables of names are in the zip of the edition: import that.';

/** The reasons why an import may not be what was intended, as sentences. */
export function importWarnings({
  info,
  unknownCodes,
}: Pick<ImportReport, 'info' | 'unknownCodes'>): string[] {
  const part = incompleteEditionWords(info);
  return [
    ...(part === undefined ? [] : [`This edition ${part}.`]),
    ...(NAME_COLUMNS.some((column) => unknownCodes[column] > 0) ? [NO_NAMES] : []),
  ];
}
