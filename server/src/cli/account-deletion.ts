import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { CLI_ACTOR } from '../audit/audit.js';
import { ServiceError } from '../platform/errors.js';
import { JSON_OPTION } from './arguments.js';
import { type CliContext, withInstallation } from './cli-context.js';
import { print } from './output.js';
import { requireAccount } from './require-named.js';
import { openServices } from './services.js';

/** Whether somebody sits there who can answer: a pipe and a program never wait. */
const isTerminal = (stdin: NodeJS.ReadableStream) => 'isTTY' in stdin && stdin.isTTY === true;

async function refuseUnlessSure({ stdin, stderr }: CliContext, email: string): Promise<void> {
  const terminal = createInterface({ input: stdin, output: stderr });
  try {
    const answer = await terminal.question(
      `Delete ${email} with its projects, keys, tokens and usage? This cannot be taken back. Type yes to go on: `,
    );
    if (answer.trim().toLowerCase() === 'yes') return;
  } finally {
    terminal.close();
  }
  throw new ServiceError('invalidRequest', 'Nothing was deleted.');
}

/** Adds `signpost account delete`. */
export function registerDeletionCommand(account: Command, context: CliContext): void {
  account
    .command('delete')
    .summary('delete an account with all that is its own')
    .description(
      'Delete an account with its projects, keys, tokens and usage, and erase its addresses in the audit. At a terminal it ' +
        'asks first, but not with --json. The last operator that is enabled stays.',
    )
    .requiredOption('--email <address>', "the account's e-mail")
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ signpost account delete --email ada@example.org')
    .action((options: { readonly email: string; readonly json?: boolean }) =>
      withInstallation(context, async (installation) => {
        const { id, email } = await requireAccount(installation.storage.db, options.email);
        if (options.json !== true && isTerminal(context.stdin)) await refuseUnlessSure(context, email);
        await openServices(context, installation).accounts.remove(CLI_ACTOR, id);
        print(
          context,
          options.json,
          { email, id },
          `Account ${email} deleted. The audit knows it as ${id}.\n`,
        );
      }),
    );
}
