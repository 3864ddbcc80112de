import type { Command } from 'commander';
import { createKey } from '../keys/create-key.js';
import { listKeys } from '../keys/find-keys.js';
import type { StoredPermissions } from '../keys/permissions.js';
import type { Limit } from '../platform/limit.js';
import { ACCOUNT_OPTION, JSON_OPTION, PER_DAY_OPTION, PER_MINUTE_OPTION, WIDE_OPTION } from './arguments.js';
import { type CliContext, withInstallation } from './cli-context.js';
import { registerKeyChangeCommands } from './key-changes.js';
import {
  endsArgument,
  KEY_HEADINGS,
  keyCells,
  keyJson,
  NAME_OPTION,
  NOTE_OPTION,
  onlyArgument,
} from './key-texts.js';
import { fittingTable, isoTime, print } from './output.js';
import { requireAccount, requireProject } from './require-named.js';
import { openDomain } from './domain-context.js';

interface CreateKeyOptions {
  readonly account: string;
  readonly project: string;
  readonly perMinute?: Limit;
  readonly perDay?: Limit;
  readonly name?: string;
  readonly note?: string;
  readonly ends?: number;
  readonly only?: StoredPermissions;
  readonly json?: boolean;
}

function registerCreateCommand(key: Command, context: CliContext): void {
  key
    .command('create')
    .description(
      'Make a key for a project. The key is printed only this once, because only its hash is stored.',
    )
    .requiredOption(...ACCOUNT_OPTION)
    .requiredOption('--project <name>', "the project's name")
    .option(...PER_MINUTE_OPTION)
    .option(...PER_DAY_OPTION)
    .option(...NAME_OPTION)
    .option(...NOTE_OPTION)
    .option('--ends <time>', 'when the key ends: 2027-01-31 or 2027-01-31T08:00Z', endsArgument)
    .option('--only <kinds>', 'what it may do: captures, postcodes, usage; by default all', onlyArgument)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nExamples:\n  $ signpost key create --account ada@example.org --project "Weather map"\n' +
        '  $ signpost key create --account ada@example.org --project "Weather map" --per-minute 60 --per-day unlimited\n' +
        '  $ signpost key create --account ada@example.org --project "Weather map" --name Laptop --ends 2027-01-31',
    )
    .action((options: CreateKeyOptions) =>
      withInstallation(context, async (installation) => {
        const { storage } = installation;
        const account = await requireAccount(storage.db, options.account);
        const project = await requireProject(storage.db, account, options.project);
        const { perMinute, perDay, name, note, ends, only: permissions } = options;
        const domain = openDomain(context, installation);
        const made = await createKey(domain, {
          accountId: account.id,
          projectId: project.id,
          perMinute,
          perDay,
          name,
          note,
          permissions,
          endsAtMs: ends,
          mayExceedMaximum: true,
        });
        const created = { key: made.key, prefix: made.prefix };
        const limits = { perMinute: perMinute ?? 'default', perDay: perDay ?? 'default' };
        const details = { name: name ?? null, endsAt: isoTime(ends ?? null) };
        print(
          context,
          options.json,
          { ...created, account: account.email, project: project.name, ...limits, ...details },
          `${created.key}\nThe key is shown only this once. Lists show it as ${created.prefix}.\n`,
        );
      }),
    );
}

function registerListCommand(key: Command, context: CliContext): void {
  key
    .command('list')
    .description('List the keys of an account by their prefixes, including revoked and ended keys.')
    .requiredOption(...ACCOUNT_OPTION)
    .option(...WIDE_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ signpost key list --account ada@example.org')
    .action((options: { readonly account: string; readonly json?: boolean; readonly wide?: boolean }) =>
      withInstallation(context, async ({ storage, clock }) => {
        const account = await requireAccount(storage.db, options.account);
        const keys = await listKeys({ db: storage.db, clock }, account.id);
        const message =
          keys.length === 0
            ? `${account.email} has no keys yet.\n`
            : fittingTable(context.stdout, KEY_HEADINGS, keys.map(keyCells), options);
        print(context, options.json, keys.map(keyJson), message);
      }),
    );
}

/** Adds `signpost key …`. */
export function registerKeyCommands(program: Command, context: CliContext): void {
  const key = program
    .command('key')
    .description('Make, list, limit, change, disable, replace and revoke API keys.');
  registerCreateCommand(key, context);
  registerListCommand(key, context);
  registerKeyChangeCommands(key, context);
}
