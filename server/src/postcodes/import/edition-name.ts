const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH_AND_YEAR =
  /(?:^|[^a-z])(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[^a-z0-9]*(20\d\d)(?!\d)/iu;
const YEAR_AND_MONTH = /(?:^|\D)(20\d\d)[-_ ]?(0[1-9]|1[0-2])(?!\d)/u;

/**
 * Finds the year and month in the name of a file, folder or edition, and returns them as in "2025-08"; undefined if the
 * name has none.
 */
export function editionOfName(name: string): string | undefined {
  const named = MONTH_AND_YEAR.exec(name);
  if (named !== null) {
    const month = MONTHS.indexOf((named[1] ?? '').toLowerCase()) + 1;
    return `${named[2] ?? ''}-${String(month).padStart(2, '0')}`;
  }
  const digits = YEAR_AND_MONTH.exec(name);
  return digits === null ? undefined : `${digits[1] ?? ''}-${digits[2] ?? ''}`;
}
