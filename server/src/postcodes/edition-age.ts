import type { DirectoryInfo } from './table/directory-data.js';

/** The command that brings the newest edition. */
export const IMPORT_LATEST = 'npx signpost postcodes import latest';

/** An edition comes every three months and is published a few weeks after its month: two are missed by then. */
const OLD_AFTER_MONTHS = 6;
const MONTHS_PER_YEAR = 12;

/** How old an edition is, in words that follow its name, where a newer one has long been published. */
export function oldEditionWords({ edition, isSample }: DirectoryInfo, nowMs: number): string | undefined {
  const [, year, month] = /^(\d{4})-(\d\d)$/u.exec(edition) ?? [];
  if (isSample || year === undefined || month === undefined) return undefined;
  const now = new Date(nowMs);
  const months =
    (now.getUTCFullYear() - Number(year)) * MONTHS_PER_YEAR + now.getUTCMonth() + 1 - Number(month);
  return months > OLD_AFTER_MONTHS ? `is ${months} months old` : undefined;
}
