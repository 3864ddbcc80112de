import type { Command } from 'commander';
import { rotateKeys } from '../tokens/rotate-keys.js';
import { JSON_OPTION } from './arguments.js';
import { type CliContext, withInstallation } from './cli-context.js';
import { isoTime, print, formatTime } from './output.js';

/** Adds `signpost secret …`. */
export function registerSecretCommands(program: Command, context: CliContext): void {
  const secret = program.command('secret').description('Rotate the keys that sign and encrypt tokens.');

  secret
    .command('rotate')
    .summary('new keys for signing and encryption')
    .description(
      'Make new keys for signing and encryption. Running servers take them up at once; access tokens of the old key ' +
        'stay valid to their end, and refresh tokens stay as they are.',
    )
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ signpost secret rotate')
    .action((options: { readonly json?: boolean }) =>
      withInstallation(context, async ({ storage, clock, keyEncryptionKey }) => {
        const rotated = await rotateKeys(storage.db, { ...context, clock, keyEncryptionKey });
        const { signingKeyId, oldTokensEndAtMs, refreshTokens } = rotated;
        const end = formatTime(oldTokensEndAtMs);
        print(
          context,
          options.json,
          { signingKeyId, oldTokensEndAt: isoTime(oldTokensEndAtMs), refreshTokens },
          `New keys made. Tokens are signed with ${signingKeyId} from now on; older ones end by ${end}.\n` +
            `Refresh tokens encrypted anew: ${refreshTokens}. None of them changed.\n`,
        );
      }),
    );
}
