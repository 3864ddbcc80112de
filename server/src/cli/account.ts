import { Argument, type Command } from 'commander';
import {
  disableAccount,
  enableAccount,
  removeSecondFactor,
  setAccountLimits,
  setApiAccess,
  setOperator,
} from '../accounts/account-state.js';
import type { Account } from '../accounts/account.js';
import { setPassword } from '../accounts/change-password.js';
import { createAccount } from '../accounts/create-account.js';
import type { DomainContext } from '../audit/domain-context.js';
import { type Limit, MIN_CAPTURES } from '../platform/limit.js';
import {
  JSON_OPTION,
  limitArgumentFrom,
  PER_DAY_OPTION,
  PER_MINUTE_OPTION,
  readPassword,
} from './arguments.js';
import { type AddressContext, type CliContext, withInstallation } from './cli-context.js';
import { print } from './output.js';
import { registerLinkCommands } from './account-links.js';
import { registerDeletionCommand } from './account-deletion.js';
import { accountJson, registerListCommand } from './account-list.js';
import { requireAccount } from './require-named.js';
import { openDomain } from './domain-context.js';

interface AccountOptions {
  readonly email: string;
  readonly json?: boolean;
}

interface PasswordOptions extends AccountOptions {
  readonly passwordStdin?: boolean;
}

interface CreateAccountOptions extends PasswordOptions {
  readonly name?: string;
  readonly operator?: boolean;
  readonly apiAccess?: boolean;
}

interface AccountLimitOptions extends AccountOptions {
  readonly perMinute?: Limit;
  readonly perDay?: Limit;
  readonly captures?: Limit;
}

const byEmail = ['--email <address>', "the account's e-mail"] as const;
const passwordFromStdin = ['--password-stdin', 'read the password from standard input'] as const;

const formatPassword = (password: string) =>
  `Password: ${password}\nIt is shown only this once, and must be changed at the first sign-in.\n`;

function registerPasswordCommands(account: Command, context: CliContext): void {
  const passwordFrom = async (options: PasswordOptions) =>
    options.passwordStdin === true ? await readPassword(context.stdin) : undefined;

  account
    .command('create')
    .summary('make an account')
    .description('Make an account. Without --password-stdin a password is made and printed once.')
    .requiredOption('--email <address>', 'the e-mail to sign in with')
    .option('--name <name>', "the owner's name")
    .option('--operator', 'make it an operator, who may see and change everything')
    .option('--api-access', 'allow it to use the referral interface')
    .option(...passwordFromStdin)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nExamples:\n  $ signpost account create --email ada@example.org --name "Ada Lovelace"\n' +
        '  $ signpost account create --email ops@example.org --operator --password-stdin < password.txt',
    )
    .action(async (options: CreateAccountOptions) => {
      const password = await passwordFrom(options);
      await withInstallation(context, async (installation) => {
        const domain = openDomain(context, installation);
        const { account: created, generatedPassword } = await createAccount(domain, {
          ...options,
          password,
          isOperator: options.operator,
          hasApiAccess: options.apiAccess,
        });
        const message = `Account ${created.email} made.\n`;
        print(
          context,
          options.json,
          { ...accountJson(created), password: generatedPassword },
          generatedPassword === undefined ? message : message + formatPassword(generatedPassword),
        );
      });
    });

  account
    .command('set-password')
    .summary('give an account another password')
    .description('Give an account another password. Without --password-stdin one is made and printed once.')
    .requiredOption(...byEmail)
    .option(...passwordFromStdin)
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ signpost account set-password --email ada@example.org')
    .action(async (options: PasswordOptions) => {
      const password = await passwordFrom(options);
      await withInstallation(context, async (installation) => {
        const { id, email } = await requireAccount(installation.storage.db, options.email);
        const domain = openDomain(context, installation);
        const generated = await setPassword(domain, id, password);
        const message = `Password of ${email} changed.\n`;
        print(
          context,
          options.json,
          { email, mustChangePassword: generated !== undefined, password: generated },
          generated === undefined ? message : message + formatPassword(generated),
        );
      });
    });
}

/** Returns a function that changes an account, then prints the account as JSON, or a message about it. */
const changer =
  (context: CliContext) =>
  (
    options: AccountOptions,
    work: (domain: DomainContext, id: string) => Promise<unknown>,
    message: (changed: Account) => string,
  ) =>
    withInstallation(context, async (installation) => {
      const { storage } = installation;
      const { id, email } = await requireAccount(storage.db, options.email);
      await work(openDomain(context, installation), id);
      const changed = await requireAccount(storage.db, email);
      print(context, options.json, accountJson(changed), message(changed));
    });

function registerStateCommands(account: Command, context: CliContext): void {
  const change = changer(context);

  account
    .command('disable')
    .description('Disable an account: its keys and tokens are refused from now on.')
    .requiredOption(...byEmail)
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ signpost account disable --email ada@example.org')
    .action((options: AccountOptions) =>
      change(
        options,
        disableAccount,
        ({ email }) => `Account ${email} disabled: its keys and tokens are refused from now on.\n`,
      ),
    );

  account
    .command('enable')
    .description('Enable a disabled account: its keys and tokens work again.')
    .requiredOption(...byEmail)
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ signpost account enable --email ada@example.org')
    .action((options: AccountOptions) =>
      change(options, enableAccount, ({ email }) => `Account ${email} enabled.\n`),
    );

  account
    .command('api-access')
    .description('Turn the access of an account to the referral interface on or off.')
    .addArgument(new Argument('<state>', 'on or off').choices(['on', 'off']))
    .requiredOption(...byEmail)
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ signpost account api-access on --email ada@example.org')
    .action((state: string, options: AccountOptions) =>
      change(
        options,
        (domain, id) => setApiAccess(domain, id, state === 'on'),
        ({ email }) => `API access of ${email} is ${state}.\n`,
      ),
    );
}

function registerSecondFactorCommand(account: Command, context: CliContext): void {
  const change = changer(context);

  account
    .command('second-factor')
    .summary('turn off the second factor of an account')
    .description('Turn off the second factor of an owner who has lost both the app and the recovery codes.')
    .addArgument(
      new Argument('<state>', 'off (only the owner can turn it on, in the console)').choices(['off']),
    )
    .requiredOption(...byEmail)
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ signpost account second-factor off --email ada@example.org')
    .action((_state: string, options: AccountOptions) =>
      change(
        options,
        removeSecondFactor,
        ({ email }) => `The second factor of ${email} is off: the password is enough to sign in.\n`,
      ),
    );
}

function registerOperatorCommand(account: Command, context: CliContext): void {
  const change = changer(context);

  account
    .command('operator')
    .description(
      'Make an account an operator, or an ordinary account again. The last enabled operator cannot be changed.',
    )
    .addArgument(new Argument('<state>', 'on or off').choices(['on', 'off']))
    .requiredOption(...byEmail)
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ signpost account operator on --email ada@example.org')
    .action((state: string, options: AccountOptions) =>
      change(
        options,
        (domain, id) => setOperator(domain, id, state === 'on'),
        ({ email }) => `${email} is ${state === 'on' ? 'now' : 'no longer'} an operator.\n`,
      ),
    );
}

function registerLimitCommand(account: Command, context: CliContext): void {
  const change = changer(context);

  account
    .command('limit')
    .description(
      'Change how many requests all keys of an account may make together, and how many captures it may run at the same time. Limits that you leave out stay as they are.',
    )
    .requiredOption(...byEmail)
    .option(...PER_MINUTE_OPTION)
    .option(...PER_DAY_OPTION)
    .option(
      '--captures <limit>',
      'captures at the same time on each server: a number, unlimited, or default',
      limitArgumentFrom(MIN_CAPTURES),
    )
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nExamples:\n  $ signpost account limit --email ada@example.org --per-minute 60 --per-day unlimited\n' +
        '  $ signpost account limit --email ada@example.org --captures 2\n' +
        '  $ signpost account limit --email ada@example.org --captures default',
    )
    .action((options: AccountLimitOptions, command: Command) => {
      const { perMinute, perDay, captures } = options;
      if (perMinute === undefined && perDay === undefined && captures === undefined) {
        command.error('error: give --per-minute, --per-day, --captures, or several of them');
      }
      return change(
        options,
        (domain, id) => setAccountLimits(domain, id, { perMinute, perDay, captures }),
        (account) =>
          `Account ${account.email}: ${account.perMinute} per minute, ${account.perDay} per day, ` +
          `${account.captures} captures at the same time.\n`,
      );
    });
}

/** Adds `signpost account …`. */
export function registerAccountCommands(program: Command, context: AddressContext): void {
  const account = program.command('account').description('Make, list and change accounts.');
  registerPasswordCommands(account, context);
  registerLinkCommands(account, context);
  registerStateCommands(account, context);
  registerSecondFactorCommand(account, context);
  registerOperatorCommand(account, context);
  registerDeletionCommand(account, context);
  registerLimitCommand(account, context);
  registerListCommand(account, context);
}
