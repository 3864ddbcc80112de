import { createInterface } from 'node:readline/promises';
import { ServiceError } from '../platform/errors.js';
import type { CliContext } from './cli-context.js';

/** Whether the input is a terminal, at which a person can reply. */
const isTerminal = (stdin: NodeJS.ReadableStream) => 'isTTY' in stdin && stdin.isTTY === true;

/** The option that confirms a deletion, so that nobody is asked. */
export const YES_OPTION = ['--yes', 'delete without asking; needed if there is no terminal'] as const;

/**
 * Asks at a terminal before something is deleted for good, unless that is already confirmed. Throws a ServiceError if
 * the person does not agree, or if there is no terminal.
 */
export async function confirmDeletion(
  { stdin, stderr }: CliContext,
  isConfirmed: boolean | undefined,
  question: string,
): Promise<void> {
  if (isConfirmed === true) return;
  if (!isTerminal(stdin)) {
    throw new ServiceError(
      'invalidRequest',
      'Nothing was deleted, because there is no terminal to ask at. To delete without being asked, add --yes.',
    );
  }
  const terminal = createInterface({ input: stdin, output: stderr });
  try {
    const answer = await terminal.question(`${question} This cannot be undone. Type yes to continue: `);
    if (answer.trim().toLowerCase() === 'yes') return;
  } finally {
    terminal.close();
  }
  throw new ServiceError('invalidRequest', 'Nothing was deleted.');
}
