import type { CliContext } from './cli-context.js';
import { cutToWidth, displayWidth } from './display-width.js';
import { columnsOf } from './terminal.js';

/** Prints a result, as JSON for programs or as text for people. */
export function print(
  context: Pick<CliContext, 'stdout'>,
  isJson: boolean | undefined,
  result: unknown,
  forPeople: string,
): void {
  context.stdout.write(isJson === true ? `${JSON.stringify(result, undefined, 2)}\n` : forPeople);
}

const GAP = '  ';

type Cells = readonly string[];

/** Formats rows as aligned columns under their headings, without trailing blanks. */
export function table(headings: Cells, rows: readonly Cells[]): string {
  const lines = [headings, ...rows];
  const widths = widthsOf(lines);
  return lines
    .map((cells) =>
      cells
        .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - displayWidth(cell)))
        .join(GAP)
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}

const widthsOf = (lines: readonly Cells[]): readonly number[] =>
  (lines[0] ?? []).map((_, column) =>
    lines.reduce((widest, cells) => Math.max(widest, displayWidth(cells[column] ?? '')), 0),
  );

/**
 * The smallest width, in columns of the terminal, to which cells are cut while the last columns of the table can be
 * left out instead.
 */
const MIN_COLUMNS = 20;
/**
 * How many columns of a table, from the first, are never left out. Their cells are cut to LEAST_COLUMNS at the least.
 */
const KEPT_COLUMNS = 2;
const LEAST_COLUMNS = 4;

/** The greatest width, at least `least`, to which to cut cells so that a line fits; undefined if it cannot fit. */
function widestCell(widths: readonly number[], columns: number, least = MIN_COLUMNS): number | undefined {
  const lineWidth = (cell: number) =>
    widths.reduce((sum, width) => sum + Math.min(width, cell), GAP.length * (widths.length - 1));
  for (let cell = Math.max(...widths, least); cell >= least; cell -= 1)
    if (lineWidth(cell) <= columns) return cell;
  return undefined;
}

interface ListOptions {
  readonly json?: boolean | undefined;
  /** Whether nothing is cut, whatever the width of the terminal. */
  readonly wide?: boolean | undefined;
}

/**
 * Like `table`, but, unless `wide` is set, cut to the width of the terminal, if the output goes to one: first long
 * cells are shortened, then the last columns are left out, then the cells of the first two are shortened further. If
 * anything was cut, the last line says so.
 */
export function fittingTable(
  stream: object,
  headings: Cells,
  rows: readonly Cells[],
  { wide }: ListOptions,
): string {
  const columns = wide === true ? undefined : columnsOf(stream);
  if (columns === undefined) return table(headings, rows);
  const lines = [headings, ...rows];
  const widths = widthsOf(lines);
  let columnCount = headings.length;
  while (columnCount > KEPT_COLUMNS && widestCell(widths.slice(0, columnCount), columns) === undefined)
    columnCount -= 1;
  const cell = widestCell(widths.slice(0, columnCount), columns, LEAST_COLUMNS) ?? LEAST_COLUMNS;
  const cut = (line: Cells) => line.slice(0, columnCount).map((text) => cutToWidth(text, cell));
  const isWhole = columnCount === headings.length && widths.every((width) => width <= cell);
  return (
    table(cut(headings), rows.map(cut)) +
    (isWhole ? '' : 'Cut to the width of the terminal: --wide shows all.\n')
  );
}

/** A number with thousands separators. */
export const formatCount = (value: number): string => value.toLocaleString('en-GB');

/** A time in ISO 8601, UTC; null stays null. */
export const isoTime = (timeMs: number | null): string | null =>
  timeMs === null ? null : new Date(timeMs).toISOString();

/** A time for people, to the second, UTC. Null becomes a dash. */
export const formatTime = (timeMs: number | null): string =>
  timeMs === null ? '-' : `${new Date(timeMs).toISOString().slice(0, 19).replace('T', ' ')}Z`;
