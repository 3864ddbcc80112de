import { type DirectoryInfo, type FillPercent, NAME_COLUMNS } from '../table/directory-data.js';
import { ImportError } from './import-error.js';

const MAX_ROWS_LOST_PERCENT = 10;
const MAX_FILL_LOST_POINTS = 10;
const FILL_COLUMNS: readonly (keyof FillPercent)[] = ['coordinates', ...NAME_COLUMNS];

/**
 * If a file has no edition in its name, the newest month in its rows counts as its edition. The real edition is assumed
 * to be at most this many months later.
 */
const UNNAMED_MONTHS = 3;
const MONTHS_PER_YEAR = 12;

/** An edition such as "2025-08" as a number of months; undefined for "unknown" or "sample". */
function monthsOf(edition: string): number | undefined {
  const [, year, month] = /^(\d{4})-(\d\d)$/u.exec(edition) ?? [];
  return year === undefined ? undefined : Number(year) * MONTHS_PER_YEAR + Number(month);
}

/**
 * Says that an edition is older than the directory in use; undefined if it is not, or if either month is unknown. If
 * `isNamed` is false, an edition up to UNNAMED_MONTHS older does not count as older.
 */
export function olderThanCurrent(
  edition: string,
  current: DirectoryInfo,
  isNamed = true,
): string | undefined {
  const months = monthsOf(edition);
  const currentMonths = monthsOf(current.edition);
  if (current.isSample || months === undefined || currentMonths === undefined) return undefined;
  const isOlder = months + (isNamed ? 0 : UNNAMED_MONTHS) < currentMonths;
  return isOlder
    ? `its edition is ${edition}, and ${current.source} ${current.edition} is in use`
    : undefined;
}

/** The error for a directory that is older or much worse than the one in use. */
export const worseDirectoryError = (why: readonly string[]) =>
  new ImportError(
    `The directory was not imported, because it is older or much worse than the one in use: ${why.join('; ')}. To import it anyway, add --force, or tick the box under Options on the operator's page.`,
  );

/**
 * The ways in which a directory is much worse than the one in use; empty if there are none, or if the sample is in use.
 */
export function regressions(next: DirectoryInfo, current: DirectoryInfo): string[] {
  if (current.isSample) return [];
  const worse: string[] = [];
  const leastRows = current.rows * (1 - MAX_ROWS_LOST_PERCENT / 100);
  if (next.rows < leastRows) worse.push(`it has ${next.rows} rows instead of ${current.rows}`);
  for (const column of FILL_COLUMNS) {
    const before = current.fillPercent[column];
    const after = next.fillPercent[column];
    if (before - after > MAX_FILL_LOST_POINTS) {
      worse.push(`${column} is filled in ${after} % of the rows instead of ${before} %`);
    }
  }
  return worse;
}
