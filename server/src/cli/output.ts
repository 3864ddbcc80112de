import Table from 'cli-table3';
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

/** No lines, but two blanks between columns. */
const BLANKS_ALONE = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
  ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: '  ' },
};

/** Rows of text as aligned columns under their headings, without blanks at the ends of lines. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = new Table({
    head: [...headings],
    chars: BLANKS_ALONE,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  lines.push(...rows.map((cells) => [...cells]));
  return `${lines.toString().replaceAll(/ +$/gmu, '')}\n`;
}

/** A number as people read it. */
export const formatCount = (value: number): string => value.toLocaleString('en-GB');

/** A time in ISO 8601, UTC; null where there is none. */
export const isoTime = (timeMs: number | null): string | null =>
  timeMs === null ? null : new Date(timeMs).toISOString();

/** A time for people, to the second, UTC; a dash where there is none. */
export const formatTime = (timeMs: number | null): string =>
  timeMs === null ? '-' : `${new Date(timeMs).toISOString().slice(0, 19).replace('T', ' ')}Z`;
