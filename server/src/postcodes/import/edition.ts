const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH_AND_YEAR =
  /(?:^|[^a-z])(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[^a-z0-9]*(20\d\d)(?!\d)/iu;
const YEAR_AND_MONTH = /(?:^|\D)(20\d\d)[-_ ]?(0[1-9]|1[0-2])(?!\d)/u;

function editionOfName(name: string): string | undefined {
  const words = MONTH_AND_YEAR.exec(name);
  if (words !== null) {
    const month = MONTHS.indexOf((words[1] ?? '').toLowerCase()) + 1;
    return `${words[2] ?? ''}-${String(month).padStart(2, '0')}`;
  }
  const digits = YEAR_AND_MONTH.exec(name);
  return digits === null ? undefined : `${digits[1] ?? ''}-${digits[2] ?? ''}`;
}

/** The edition, such as "2025-08": by the first file name that tells it, else by the newest month in the rows. */
export function editionOf(names: readonly string[], newestMonth: number): string {
  const named = names.map(editionOfName).find((edition) => edition !== undefined);
  if (named !== undefined) return named;
  if (newestMonth === 0) return 'unknown';
  return `${Math.trunc(newestMonth / 100)}-${String(newestMonth % 100).padStart(2, '0')}`;
}

/** Which of the two directories it is: by name, else by the columns that only the ONSPD has. */
export function directoryKind(names: readonly string[], hasOnspdColumns: boolean): 'ONSPD' | 'NSPL' {
  const named = names
    .map((name) => /onspd|nspl/iu.exec(name)?.[0].toUpperCase())
    .find((name) => name !== undefined);
  if (named !== undefined) return named === 'NSPL' ? 'NSPL' : 'ONSPD';
  return hasOnspdColumns ? 'ONSPD' : 'NSPL';
}
