import type { Command } from 'commander';
import {
  createPasswordLink,
  type LinkedAccount,
  prepareInvitation,
  storeInvitation,
} from '../accounts/account-links.js';
import { linkPath } from '../accounts/one-time-links.js';
import type { OpenedInstallation } from '../app/open-installation.js';
import { readIssuer } from '../tokens/tokens.js';
import { JSON_OPTION } from './arguments.js';
import { type AddressContext, withInstallation } from './cli-context.js';
import { formatTime, isoTime, print } from './output.js';
import { requireAccount } from './require-named.js';
import { openDomain } from './domain-context.js';

interface Invitation {
  readonly email: string;
  readonly name?: string;
  readonly operator?: boolean;
  readonly apiAccess?: boolean;
  readonly json?: boolean;
}

async function printLink(
  context: AddressContext,
  { storage }: OpenedInstallation,
  isJson: boolean | undefined,
  { account, link }: LinkedAccount,
) {
  const url = `${(await readIssuer(storage.db)) ?? context.issuer()}${linkPath(link)}`;
  const { expiresAtMs } = link;
  print(
    context,
    isJson,
    { email: account.email, url, expiresAt: isoTime(expiresAtMs) },
    `${url}\n\nAnyone who opens this link can choose the password of ${account.email}. It works once, until ${formatTime(expiresAtMs)}, and is shown only now.\n`,
  );
}

/** Adds `signpost account invite` and `reset-link`. */
export function registerLinkCommands(account: Command, context: AddressContext): void {
  account
    .command('invite')
    .summary('make an account and a link for its owner')
    .description(
      'Make an account and print a link. Its owner opens the link within seven days and chooses a password.',
    )
    .requiredOption('--email <address>', 'the e-mail to sign in with')
    .option('--name <name>', "the owner's name")
    .option('--operator', 'make it an operator, who may see and change everything')
    .option('--api-access', 'allow it to use the referral interface')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nExample:\n  $ signpost account invite --email ada@example.org --name "Ada Lovelace"',
    )
    .action(({ email, name, operator, apiAccess, json }: Invitation) =>
      withInstallation(context, async (installation) => {
        const domain = openDomain(context, installation);
        const wanted = { email, name, isOperator: operator, hasApiAccess: apiAccess };
        const linked = await storeInvitation(domain, await prepareInvitation(domain, wanted));
        await printLink(context, installation, json, linked);
      }),
    );

  account
    .command('reset-link')
    .summary('make a link for a new password')
    .description(
      'Print a link. The owner opens it within an hour and chooses a new password. For an owner who was invited and has no password yet, it works for seven days. Earlier links stop working.',
    )
    .requiredOption('--email <address>', "the account's e-mail")
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ signpost account reset-link --email ada@example.org')
    .action((options: { readonly email: string; readonly json?: boolean }) =>
      withInstallation(context, async (installation) => {
        const { id } = await requireAccount(installation.storage.db, options.email);
        const domain = openDomain(context, installation);
        const linked = await createPasswordLink(domain, id);
        await printLink(context, installation, options.json, linked);
      }),
    );
}
