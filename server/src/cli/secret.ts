import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../app/config.js';
import type { ReplacedSecret } from '../app/replace-secret.js';
import { shownFingerprint } from '../secret/installation.js';
import { secretVariable } from '../secret/load-secret.js';
import { rotateKeys } from '../tokens/rotate-keys.js';
import { JSON_OPTION } from './arguments.js';
import { type CliContext, withInstallation } from './cli-context.js';
import { isoTime, print, formatTime } from './output.js';
import { openDomain } from './domain-context.js';

type SecretConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'secret'>;

export interface SecretContext extends CliContext {
  config(): SecretConfig;
}

function formatReplacement(file: string, { secret }: SecretConfig, replaced: ReplacedSecret): string {
  const before = shownFingerprint(replaced.oldFingerprint);
  const now = shownFingerprint(replaced.newFingerprint);
  const next =
    secret === undefined
      ? 'Start the server again.'
      : `Before you start a server, give every server the new secret, which is in ${file}, with ${secretVariable(secret)}.`;
  const note = replaced.keptFile === undefined ? '' : ` The old secret is in ${replaced.keptFile} for now.`;
  return (
    `The installation has a new secret. Its fingerprint begins with ${now}; that of the old secret began with ${before}.\n` +
    `API keys, tokens and sessions stay as they are. ${next}\n` +
    `Keep a copy of the new secret. Keep the old one for as long as you keep backups that need it.${note}\n`
  );
}

function addReplaceCommand(secret: Command, context: SecretContext): void {
  secret
    .command('replace')
    .summary('give the installation another secret')
    .description(
      'Give the installation another secret. Stop every server first. Everything that the secret protects is encrypted again; if anything goes wrong, nothing changes. API keys, tokens and sessions stay as they are. Older backups still need the old secret.',
    )
    .requiredOption('--new-secret-file <file>', 'a file with the new secret, at least 32 random characters')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nExample:\n  $ (umask 077; openssl rand -base64 32 > new-secret)\n' +
        '  $ signpost secret replace --new-secret-file new-secret',
    )
    .action(async (options: { readonly newSecretFile: string; readonly json?: boolean }) => {
      // Imported here, because the data layer takes a moment to load, and commands that do not need it should not have
      // to wait.
      const { replaceSecret } = await import('../app/replace-secret.js');
      const location = context.config();
      const newSecretFile = resolve(options.newSecretFile);
      const { clock, randomBytes } = context;
      const replaced = await replaceSecret({ location, newSecretFile, clock, randomBytes });
      print(context, options.json, replaced, formatReplacement(newSecretFile, location, replaced));
    });
}

/** Adds `signpost secret …`. */
export function registerSecretCommands(program: Command, context: SecretContext): void {
  const secret = program
    .command('secret')
    .description('Replace the secret, or the keys that sign and encrypt.');
  addReplaceCommand(secret, context);

  secret
    .command('rotate')
    .summary('new keys for signing and encryption')
    .description(
      'Make new keys for signing and encryption. Running servers use them at once. Access tokens that the old key signed stay valid until they end. Refresh tokens do not change.',
    )
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ signpost secret rotate')
    .action((options: { readonly json?: boolean }) =>
      withInstallation(context, async (installation) => {
        const { signingKeyId, oldTokensEndAtMs, refreshTokens, secondFactors } = await rotateKeys(
          openDomain(context, installation),
        );
        const end = formatTime(oldTokensEndAtMs);
        print(
          context,
          options.json,
          { signingKeyId, oldTokensEndAt: isoTime(oldTokensEndAtMs), refreshTokens, secondFactors },
          `New keys made. Access tokens are signed with ${signingKeyId} from now on. Older ones end by ${end}.\n` +
            `Encrypted again (refresh tokens: ${refreshTokens}, second factors: ${secondFactors}). They work as before.\n`,
        );
      }),
    );
}
