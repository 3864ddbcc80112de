import type { CliContext } from './cli-context.js';

/** Prints a result: as JSON for programs, else as people read it. */
export function print(
  context: Pick<CliContext, 'stdout'>,
  isJson: boolean | undefined,
  result: unknown,
  forPeople: string,
): void {
  context.stdout.write(isJson === true ? `${JSON.stringify(result, undefined, 2)}\n` : forPeople);
}

const GAP = '  ';

/** Rows of text as aligned columns under their headings, without blanks at the ends of lines. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, ...rows];
  const widths = headings.map((_, column) =>
    lines.reduce((widest, cells) => Math.max(widest, [...(cells[column] ?? '')].length), 0),
  );
  return lines
    .map((cells) =>
      cells
        .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length))
        .join(GAP)
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}

/** A number as people read it. */
export const formatCount = (value: number): string => value.toLocaleString('en-GB');

/** A time in ISO 8601, UTC; null where there is none. */
export const isoTime = (timeMs: number | null): string | null =>
  timeMs === null ? null : new Date(timeMs).toISOString();

/** A time for people, to the second, UTC; a dash where there is none. */
export const formatTime = (timeMs: number | null): string =>
  timeMs === null ? '-' : `${new Date(timeMs).toISOString().slice(0, 19).replace('T', ' ')}Z`;
