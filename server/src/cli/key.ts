import type { Command } from 'commander';
import { CLI_ACTOR } from '../audit/audit.js';
import { listKeys } from '../keys/find-keys.js';
import type { Key } from '../keys/key.js';
import type { Limit } from '../platform/limit.js';
import { type CliContext, withInstallation } from './cli-context.js';
import { ACCOUNT_OPTION, JSON_OPTION, PER_DAY_OPTION, PER_MINUTE_OPTION } from './arguments.js';
import { isoTime, print, formatTime, table } from './output.js';
import { requireAccount, requireLiveKey, requireProject } from './require-named.js';
import { openServices } from './services.js';

interface Limits {
  readonly perMinute?: Limit;
  readonly perDay?: Limit;
  readonly json?: boolean;
}

interface NewKey extends Limits {
  readonly account: string;
  readonly project: string;
}

const keyJson = (key: Key) => ({
  prefix: key.prefix,
  account: key.accountEmail,
  project: key.projectName,
  perMinute: key.perMinute,
  perDay: key.perDay,
  createdAt: isoTime(key.createdAtMs),
  revokedAt: isoTime(key.revokedAtMs),
});

const keyCells = (key: Key) => [
  key.prefix,
  key.projectName,
  String(key.perMinute),
  String(key.perDay),
  formatTime(key.createdAtMs),
  formatTime(key.revokedAtMs),
];

function registerOwnerCommands(key: Command, context: CliContext): void {
  key
    .command('create')
    .description('Make a key for a project. It is printed this once: only its hash is stored.')
    .requiredOption(...ACCOUNT_OPTION)
    .requiredOption('--project <name>', "the project's name")
    .option(...PER_MINUTE_OPTION)
    .option(...PER_DAY_OPTION)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nExamples:\n  $ signpost key create --account ada@example.org --project "Weather map"\n' +
        '  $ signpost key create --account ada@example.org --project "Weather map" --per-minute 60 --per-day unlimited',
    )
    .action((options: NewKey) =>
      withInstallation(context, async (installation) => {
        const { storage } = installation;
        const account = await requireAccount(storage.db, options.account);
        const project = await requireProject(storage.db, account, options.project);
        const { perMinute, perDay } = options;
        const wanted = { accountId: account.id, projectId: project.id, perMinute, perDay };
        const made = await openServices(context, installation).keys.create(CLI_ACTOR, wanted);
        const created = { key: made.key, prefix: made.prefix };
        const limits = { perMinute: perMinute ?? 'default', perDay: perDay ?? 'default' };
        print(
          context,
          options.json,
          { ...created, account: account.email, project: project.name, ...limits },
          `${created.key}\nThis is the only time that the key is shown; its name in lists is ${created.prefix}.\n`,
        );
      }),
    );

  key
    .command('list')
    .description('List the keys of an account by their prefixes, revoked ones included.')
    .requiredOption(...ACCOUNT_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ signpost key list --account ada@example.org')
    .action((options: { readonly account: string; readonly json?: boolean }) =>
      withInstallation(context, async ({ storage }) => {
        const account = await requireAccount(storage.db, options.account);
        const keys = await listKeys(storage.db, account.id);
        const message =
          keys.length === 0
            ? `${account.email} has no keys yet.\n`
            : table(['KEY', 'PROJECT', 'PER MINUTE', 'PER DAY', 'CREATED', 'REVOKED'], keys.map(keyCells));
        print(context, options.json, keys.map(keyJson), message);
      }),
    );
}

function registerPrefixCommands(key: Command, context: CliContext): void {
  key
    .command('revoke')
    .argument('<prefix>', 'the beginning of the key, as lists show it')
    .description('End a key for good: its next request is refused.')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ signpost key revoke sp_live_AbCd1234')
    .action((prefix: string, options: { readonly json?: boolean }) =>
      withInstallation(context, async (installation) => {
        const live = await requireLiveKey(installation.storage.db, prefix);
        await openServices(context, installation).keys.revoke(CLI_ACTOR, live);
        const revokedAtMs = installation.clock();
        const message = `Key ${live.prefix} of ${live.accountEmail} revoked.\n`;
        print(context, options.json, keyJson({ ...live, revokedAtMs }), message);
      }),
    );

  key
    .command('limit')
    .argument('<prefix>', 'the beginning of the key, as lists show it')
    .description("Change a key's limits, from its next request on. What is not given stays as it is.")
    .option(...PER_MINUTE_OPTION)
    .option(...PER_DAY_OPTION)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nExamples:\n  $ signpost key limit sp_live_AbCd1234 --per-minute 60 --per-day unlimited\n' +
        '  $ signpost key limit sp_live_AbCd1234 --per-minute default',
    )
    .action((prefix: string, options: Limits, command: Command) => {
      if (options.perMinute === undefined && options.perDay === undefined) {
        command.error('error: give --per-minute, --per-day, or both');
      }
      return withInstallation(context, async (installation) => {
        const { storage } = installation;
        const live = await requireLiveKey(storage.db, prefix);
        await openServices(context, installation).keys.setLimits(CLI_ACTOR, live, options);
        const changed = await requireLiveKey(storage.db, live.prefix);
        const message = `Key ${changed.prefix}: ${changed.perMinute} per minute, ${changed.perDay} per day.\n`;
        print(context, options.json, keyJson(changed), message);
      });
    });
}

/** Adds `signpost key …`. */
export function registerKeyCommands(program: Command, context: CliContext): void {
  const key = program.command('key').description('Make, list, limit and revoke API keys.');
  registerOwnerCommands(key, context);
  registerPrefixCommands(key, context);
}
