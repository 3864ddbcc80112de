import type { Command } from 'commander';
import { deleteAccount } from '../accounts/delete-account.js';
import { JSON_OPTION } from './arguments.js';
import { type CliContext, withInstallation } from './cli-context.js';
import { print } from './output.js';
import { confirmDeletion, YES_OPTION } from './confirm-deletion.js';
import { requireAccount } from './require-named.js';
import { openDomain } from './domain-context.js';

/** Adds `signpost account delete`. */
export function registerDeletionCommand(account: Command, context: CliContext): void {
  account
    .command('delete')
    .summary('delete an account and everything in it')
    .description(
      'Delete an account with its projects, keys, tokens and usage, and erase its network addresses from the audit. At a terminal the command asks first, unless you give --yes; without a terminal it needs --yes. The last enabled operator cannot be deleted.',
    )
    .requiredOption('--email <address>', "the account's e-mail")
    .option(...YES_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ signpost account delete --email ada@example.org')
    .action((options: { readonly email: string; readonly yes?: boolean; readonly json?: boolean }) =>
      withInstallation(context, async (installation) => {
        const { id, email } = await requireAccount(installation.storage.db, options.email);
        await confirmDeletion(
          context,
          options.yes,
          `Delete ${email} with its projects, keys, tokens and usage?`,
        );
        await deleteAccount(openDomain(context, installation), id);
        print(
          context,
          options.json,
          { email, id },
          `Account ${email} deleted. The audit lists it as ${id}.\n`,
        );
      }),
    );
}
