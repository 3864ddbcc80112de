import { type Command, InvalidArgumentError } from 'commander';
import { changeKey, disableKey, enableKey, setKeyLimits } from '../keys/change-key.js';
import type { KeyContext } from '../keys/create-key.js';
import { findKey } from '../keys/find-keys.js';
import type { Key } from '../keys/key.js';
import { DEFAULT_OVERLAP_MS, replaceKey } from '../keys/replace-key.js';
import { revokeKey } from '../keys/revoke-key.js';
import type { Limit } from '../platform/limit.js';
import { JSON_OPTION, parseDuration, PER_DAY_OPTION, PER_MINUTE_OPTION } from './arguments.js';
import { type CliContext, withInstallation } from './cli-context.js';
import { endsArgument, keyJson, NAME_OPTION, NOTE_OPTION } from './key-texts.js';
import { formatTime, print } from './output.js';
import { requireLiveKey } from './require-named.js';
import { openDomain } from './domain-context.js';

interface JsonOptions {
  readonly json?: boolean;
}

interface KeyLimitOptions extends JsonOptions {
  readonly perMinute?: Limit;
  readonly perDay?: Limit;
}

interface DetailOptions extends JsonOptions {
  readonly name?: string;
  readonly note?: string;
  readonly ends?: number | 'never';
}

const PREFIX_ARGUMENT = ['<prefix>', 'the first characters of the key, as lists show them'] as const;

/**
 * Returns a function that changes a key that is neither revoked nor expired, then prints it: as JSON if `json` is set,
 * otherwise as a message.
 */
const changer =
  (context: CliContext) =>
  (
    prefix: string,
    { json }: JsonOptions,
    work: (domain: KeyContext, key: Key) => Promise<unknown>,
    message: (changed: Key) => string,
  ) =>
    withInstallation(context, async (installation) => {
      const domain = openDomain(context, installation);
      const live = await requireLiveKey(domain, prefix);
      await work(domain, live);
      const changed = (await findKey(domain, live.accountId, live.id)) ?? live;
      print(context, json, keyJson(changed), message(changed));
    });

function registerStateCommands(key: Command, context: CliContext): void {
  const change = changer(context);

  key
    .command('revoke')
    .argument(...PREFIX_ARGUMENT)
    .description('Revoke a key for good: its next request is refused.')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ signpost key revoke sp_live_AbCd1234')
    .action((prefix: string, options: JsonOptions) =>
      change(
        prefix,
        options,
        revokeKey,
        (revoked) => `Key ${revoked.prefix} of ${revoked.accountEmail} revoked.\n`,
      ),
    );

  key
    .command('disable')
    .argument(...PREFIX_ARGUMENT)
    .description(
      'Disable a key: its requests are refused until an operator enables it. Its owner cannot enable it.',
    )
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ signpost key disable sp_live_AbCd1234')
    .action((prefix: string, options: JsonOptions) =>
      change(
        prefix,
        options,
        (domain, live) => disableKey(domain, live, 'operator'),
        (disabled) => `Key ${disabled.prefix} of ${disabled.accountEmail} disabled.\n`,
      ),
    );

  key
    .command('enable')
    .argument(...PREFIX_ARGUMENT)
    .description('Enable a key that its owner or an operator disabled: its requests are answered again.')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ signpost key enable sp_live_AbCd1234')
    .action((prefix: string, options: JsonOptions) =>
      change(
        prefix,
        options,
        (domain, live) => enableKey(domain, live, 'operator'),
        (enabled) => `Key ${enabled.prefix} of ${enabled.accountEmail} enabled.\n`,
      ),
    );
}

function registerLimitCommand(key: Command, context: CliContext): void {
  key
    .command('limit')
    .argument(...PREFIX_ARGUMENT)
    .description("Change a key's limits from its next request. Limits that you leave out stay as they are.")
    .option(...PER_MINUTE_OPTION)
    .option(...PER_DAY_OPTION)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nExamples:\n  $ signpost key limit sp_live_AbCd1234 --per-minute 60 --per-day unlimited\n' +
        '  $ signpost key limit sp_live_AbCd1234 --per-minute default',
    )
    .action((prefix: string, options: KeyLimitOptions, command: Command) => {
      if (options.perMinute === undefined && options.perDay === undefined) {
        command.error('error: give --per-minute, --per-day, or both');
      }
      return changer(context)(
        prefix,
        options,
        (domain, live) => setKeyLimits(domain, live, options),
        ({ prefix: name, perMinute, perDay }) => `Key ${name}: ${perMinute} per minute, ${perDay} per day.\n`,
      );
    });
}

function registerDetailsCommand(key: Command, context: CliContext): void {
  key
    .command('change')
    .argument(...PREFIX_ARGUMENT)
    .description("Change a key's name, note or end. What you leave out stays as it is.")
    .option(...NAME_OPTION)
    .option(...NOTE_OPTION)
    .option('--ends <time>', 'when the key ends: 2027-01-31, 2027-01-31T08:00Z, or never', (text) =>
      text === 'never' ? text : endsArgument(text),
    )
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nExamples:\n  $ signpost key change sp_live_AbCd1234 --name "Laptop of Ada"\n' +
        '  $ signpost key change sp_live_AbCd1234 --ends 2027-01-31T08:00Z',
    )
    .action((prefix: string, options: DetailOptions, command: Command) => {
      const { name, note, ends } = options;
      if (name === undefined && note === undefined && ends === undefined) {
        command.error('error: give --name, --note, --ends, or several of them');
      }
      return changer(context)(
        prefix,
        options,
        (domain, live) => changeKey(domain, live, { name, note, endsAtMs: ends === 'never' ? null : ends }),
        (changed) =>
          `Key ${changed.prefix}: ${changed.name ?? 'no name'}, ` +
          `${changed.endsAtMs === null ? 'no end' : `ends ${formatTime(changed.endsAtMs)}`}.\n`,
      );
    });
}

function overlapArgument(text: string): number {
  const overlapMs = text === '0' ? 0 : parseDuration(text);
  if (overlapMs !== undefined) return overlapMs;
  throw new InvalidArgumentError('Give a time such as 30m, 24h or 7d, or 0.');
}

function registerReplaceCommand(key: Command, context: CliContext): void {
  key
    .command('replace')
    .argument(...PREFIX_ARGUMENT)
    .description(
      'Make a new key with the same name, limits and project. The old key keeps working for a while. The new key is printed only this once.',
    )
    .option(
      '--overlap <time>',
      'how long the old key keeps working: 30m, 24h, 7d, or 0 to end it now (default: 24h)',
      overlapArgument,
    )
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ signpost key replace sp_live_AbCd1234 --overlap 7d')
    .action((prefix: string, options: JsonOptions & { readonly overlap?: number }) =>
      withInstallation(context, async (installation) => {
        const domain = openDomain(context, installation);
        const old = await requireLiveKey(domain, prefix);
        const { overlap: overlapMs = DEFAULT_OVERLAP_MS } = options;
        const replacement = await replaceKey(domain, old, { overlapMs, mayExceedMaximum: true });
        const replacedKey = (await findKey(domain, old.accountId, old.id)) ?? old;
        print(
          context,
          options.json,
          { key: replacement.key, prefix: replacement.prefix, replaced: keyJson(replacedKey) },
          `${replacement.key}\nThe key is shown only this once. Lists show it as ${replacement.prefix}.\n` +
            `It replaces ${old.prefix}, which ends ${formatTime(replacedKey.endsAtMs)}.\n`,
        );
      }),
    );
}

/** Adds the commands that change a key. Each takes the prefix of the key. */
export function registerKeyChangeCommands(key: Command, context: CliContext): void {
  registerStateCommands(key, context);
  registerLimitCommand(key, context);
  registerDetailsCommand(key, context);
  registerReplaceCommand(key, context);
}
