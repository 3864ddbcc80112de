import type { Command } from 'commander';
import { type Account, listAccounts } from '../accounts/account.js';
import { JSON_OPTION, WIDE_OPTION } from './arguments.js';
import { type CliContext, withInstallation } from './cli-context.js';
import { formatTime, isoTime, fittingTable, print } from './output.js';

/** The fields of an account in JSON output. */
export const accountJson = (account: Account) => ({
  email: account.email,
  name: account.name,
  isOperator: account.isOperator,
  hasApiAccess: account.hasApiAccess,
  mustChangePassword: account.mustChangePassword,
  perMinute: account.perMinute,
  perDay: account.perDay,
  captures: account.captures,
  hasSecondFactor: account.hasSecondFactor,
  createdAt: isoTime(account.createdAtMs),
  disabledAt: isoTime(account.disabledAtMs),
});

const ACCOUNT_HEADINGS = [
  'EMAIL',
  'NAME',
  'OPERATOR',
  'API ACCESS',
  'PER MINUTE',
  'PER DAY',
  'CAPTURES',
  'SECOND FACTOR',
  'CREATED',
  'DISABLED',
];

const accountCells = (account: Account): string[] => [
  account.email,
  account.name ?? '-',
  account.isOperator ? 'yes' : 'no',
  account.hasApiAccess ? 'on' : 'off',
  String(account.perMinute),
  String(account.perDay),
  String(account.captures),
  account.hasSecondFactor ? 'on' : 'off',
  formatTime(account.createdAtMs),
  formatTime(account.disabledAtMs),
];

/** Adds `signpost account list`. */
export function registerListCommand(account: Command, context: CliContext): void {
  account
    .command('list')
    .description('List all accounts.')
    .option(...WIDE_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ signpost account list --json')
    .action((options: { readonly json?: boolean; readonly wide?: boolean }) =>
      withInstallation(context, async ({ storage }) => {
        const accounts = await listAccounts(storage);
        const message =
          accounts.length === 0
            ? 'No accounts yet.\n'
            : fittingTable(context.stdout, ACCOUNT_HEADINGS, accounts.map(accountCells), options);
        print(context, options.json, accounts.map(accountJson), message);
      }),
    );
}
