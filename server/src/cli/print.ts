import type { CliContext } from './cli-context.js';

/** Prints a result: as JSON for programs, else in the words for people. */
export function print(
  context: CliContext,
  isJson: boolean | undefined,
  result: unknown,
  words: string,
): void {
  context.stdout.write(isJson === true ? `${JSON.stringify(result, undefined, 2)}\n` : words);
}
