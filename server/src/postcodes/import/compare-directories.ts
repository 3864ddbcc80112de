import type { DirectoryInfo, FillPercent } from '../directory-info.js';
import { NAME_COLUMNS } from '../name-columns.js';

const MOST_ROWS_LOST_PERCENT = 10;
const MOST_FILL_LOST_POINTS = 10;
const FILLED: readonly (keyof FillPercent)[] = ['coordinates', ...NAME_COLUMNS];

/** In what a directory is much worse than the one in use; empty where it is not. */
export function whatIsMuchWorse(next: DirectoryInfo, current: DirectoryInfo): string[] {
  if (current.isSample) return [];
  const worse: string[] = [];
  const leastRows = current.rows * (1 - MOST_ROWS_LOST_PERCENT / 100);
  if (next.rows < leastRows) worse.push(`it has ${next.rows} rows instead of ${current.rows}`);
  for (const column of FILLED) {
    const before = current.fillPercent[column];
    const after = next.fillPercent[column];
    if (before - after > MOST_FILL_LOST_POINTS) {
      worse.push(`${column} is filled in ${after} % of the rows instead of ${before} %`);
    }
  }
  return worse;
}
