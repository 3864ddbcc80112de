import { createInterface } from 'node:readline/promises';
import { ServiceError } from '../platform/errors.js';
import type { CliContext } from './cli-context.js';

/** Whether somebody sits there who can answer: a pipe and a program never wait. */
const isTerminal = (stdin: NodeJS.ReadableStream) => 'isTTY' in stdin && stdin.isTTY === true;

/** Asks at a terminal before something is deleted for good, but not with `--json`; throws a ServiceError unless it is yes. */
export async function refuseUnlessSure(
  { stdin, stderr }: CliContext,
  isJson: boolean | undefined,
  question: string,
): Promise<void> {
  if (isJson === true || !isTerminal(stdin)) return;
  const terminal = createInterface({ input: stdin, output: stderr });
  try {
    const answer = await terminal.question(`${question} This cannot be undone. Type yes to continue: `);
    if (answer.trim().toLowerCase() === 'yes') return;
  } finally {
    terminal.close();
  }
  throw new ServiceError('invalidRequest', 'Nothing was deleted.');
}
