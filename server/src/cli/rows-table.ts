import { table } from './table.js';

/** How many rows each table has, for people. */
export const rowsTable = (rows: Readonly<Record<string, number>>): string =>
  table(
    ['TABLE', 'ROWS'],
    Object.entries(rows).map(([name, count]) => [name, count.toLocaleString('en-GB')]),
  );
