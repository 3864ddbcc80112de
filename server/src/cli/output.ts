import type { CliContext } from './cli-context.js';

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

/** Formats rows as aligned columns under their headings, without trailing blanks. */
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

/** A number with thousands separators. */
export const formatCount = (value: number): string => value.toLocaleString('en-GB');

/** A time in ISO 8601, UTC; null stays null. */
export const isoTime = (timeMs: number | null): string | null =>
  timeMs === null ? null : new Date(timeMs).toISOString();

/** A time for people, to the second, UTC. Null becomes a dash. */
export const formatTime = (timeMs: number | null): string =>
  timeMs === null ? '-' : `${new Date(timeMs).toISOString().slice(0, 19).replace('T', ' ')}Z`;
