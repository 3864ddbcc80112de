import type { Command } from 'commander';
import type { Account } from '../accounts/account.js';
import { ServiceError } from '../platform/errors.js';
import { regenerateTokens, showTokens } from '../tokens/account-tokens.js';
import { readIssuer, type TokenPair } from '../tokens/tokens.js';
import { ACCOUNT_OPTION, JSON_OPTION } from './arguments.js';
import { type AddressContext, withInstallation } from './cli-context.js';
import { isoTime, print, formatTime } from './output.js';
import { requireAccount } from './require-named.js';
import { openDomain } from './domain-context.js';

interface AccountOptions {
  readonly account: string;
  readonly json?: boolean;
}

const formatPair = ({ accessToken, refreshToken, validToMs }: TokenPair) =>
  `Access token   ${accessToken}\nValid to       ${formatTime(validToMs)}\nRefresh token  ${refreshToken}\n`;

function requireApiAccess({ email, hasApiAccess, disabledAtMs }: Account): void {
  const command = disabledAtMs !== null ? 'enable' : hasApiAccess ? undefined : 'api-access on';
  if (command === undefined) return;
  const problem =
    disabledAtMs !== null ? `The account ${email} is disabled.` : `API access of ${email} is off.`;
  throw new ServiceError(
    'invalidRequest',
    `${problem} "signpost account ${command} --email ${email}" changes that.`,
  );
}

function printPair(
  context: AddressContext,
  options: AccountOptions,
  pairOf: typeof showTokens,
  note = '',
): Promise<void> {
  return withInstallation(context, async (installation) => {
    const account = await requireAccount(installation.storage.db, options.account);
    requireApiAccess(account);
    const domain = openDomain(context, installation);
    const { clock, throttle } = domain;
    const issuer = (await readIssuer(installation.storage.db)) ?? context.issuer();
    const { openTokens } = await import('../app/open-installation.js');
    const { tokens, close } = await openTokens(installation, {
      ...context,
      clock,
      throttle,
      issuer: () => issuer,
    });
    try {
      const pair = await pairOf({ ...domain, tokens }, account.id);
      const { accessToken, refreshToken, validToMs } = pair;
      const shown = { account: account.email, accessToken, refreshToken, validTo: isoTime(validToMs) };
      print(context, options.json, shown, formatPair(pair) + note);
    } finally {
      await close();
    }
  });
}

/** Adds `signpost token …`. */
export function registerTokenCommands(program: Command, context: AddressContext): void {
  const token = program.command('token').description('Show and regenerate the tokens of an account.');

  token
    .command('show')
    .summary('print a new access token and the refresh token')
    .description(
      'Print a new access token and the refresh token. If the account has no refresh token yet, one is made.',
    )
    .requiredOption(...ACCOUNT_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ signpost token show --account ada@example.org')
    .action((options: AccountOptions) => printPair(context, options, showTokens));

  token
    .command('regenerate')
    .summary('give an account another refresh token')
    .description('Give an account a new refresh token. The old one is refused from now on.')
    .requiredOption(...ACCOUNT_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ signpost token regenerate --account ada@example.org --json')
    .action((options: AccountOptions) =>
      printPair(
        context,
        options,
        regenerateTokens,
        'The previous refresh token is refused from now on. Access tokens stay valid until they end.\n',
      ),
    );
}
