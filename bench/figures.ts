import type { LoadFigures } from './load-figures.js';

/** One row of a table: what was measured, and its figures. */
export type Row = Readonly<Record<string, string | number>>;

/** Shown instead of a figure that was not measured. */
export const NOT_MEASURED = '–';

/** The value below which about this share of the numbers lies; NaN if there are no numbers. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const round = (value: number, decimals = 0): number => Number(value.toFixed(decimals));

/** `value` divided by `base`, with two decimals; NaN if `base` is missing. */
export const ratio = (value: number, base = Number.NaN): number => round(value / base, 2);

/** A figure, or a dash if it was not measured. */
export const orDash = (value: number): string | number => (Number.isNaN(value) ? NOT_MEASURED : value);

/** Up to this many captures, the 99th percentile is only the slowest of them. */
const FEWEST_FOR_P99 = 100;

/** The 99th percentile of captures in ms, or a dash if there were too few. */
export const p99Of = ({ captures, p99Ms }: { readonly captures: number; readonly p99Ms: number }) =>
  orDash(captures > FEWEST_FOR_P99 ? round(p99Ms) : Number.NaN);

/**
 * The figures of postcodes.io compared with ours. If postcodes.io finished no request, it has no times and no ratio.
 */
export function peerFigures(ours: LoadFigures, peer: LoadFigures | undefined): Row {
  const cells = (rate: string | number, p99: string | number, times: string | number) => ({
    'postcodes.io/s': rate,
    'postcodes.io p99 ms': p99,
    'times postcodes.io': times,
  });
  if (peer === undefined) return cells(NOT_MEASURED, NOT_MEASURED, NOT_MEASURED);
  return peer.perSecond > 0
    ? cells(round(peer.perSecond, 1), round(peer.p99Ms, 1), round(ours.perSecond / peer.perSecond, 1))
    : cells('none finished', NOT_MEASURED, NOT_MEASURED);
}

/** Formats rows as an aligned table. All rows must have the same keys. */
export function table(title: string, rows: readonly Row[]): string {
  const [first = {}] = rows;
  const names = Object.keys(first);
  const cells = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? '')))];
  const widths = names.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  const lines = cells.map((line) =>
    line
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  );
  return `\n${title}\n\n${lines.join('\n')}\n`;
}
