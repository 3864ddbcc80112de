import type { Command } from 'commander';
import { ServiceError } from '../platform/errors.js';
import { addReturnUrl, listReturnUrls, removeReturnUrl, type ReturnUrl } from '../tokens/return-urls.js';
import { JSON_OPTION, WIDE_OPTION } from './arguments.js';
import { type CliContext, withInstallation } from './cli-context.js';
import { fittingTable, formatTime, isoTime, print } from './output.js';
import { didYouMean } from './require-named.js';
import { openDomain } from './domain-context.js';

interface JsonOptions {
  readonly json?: boolean;
}

const returnUrlJson = ({ url, name, createdAtMs }: ReturnUrl) => ({
  url,
  name,
  createdAt: isoTime(createdAtMs),
});

function unknownReturnUrl(url: string, returnUrls: readonly ReturnUrl[]): ServiceError {
  const suggestion = didYouMean(
    url,
    returnUrls.map((one) => one.url),
  );
  return new ServiceError(
    'invalidRequest',
    `There is no return URL "${url}"${suggestion} "signpost return-url list" shows them all.`,
  );
}

/** Adds `signpost return-url …`. */
export function registerReturnUrlCommands(program: Command, context: CliContext): void {
  const returnUrl = program
    .command('return-url')
    .description('Add, remove and list the addresses that /apilogin may send a token to.');

  returnUrl
    .command('add')
    .argument('<url>', 'the address to return to, without a query')
    .description('Let /apilogin send a token to an address: scheme, host, port and path must be equal.')
    .requiredOption('--name <name>', 'the name of the site, as the sign-in page shows it')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nExample:\n  $ signpost return-url add https://app.example/signed-in --name "Example app"',
    )
    .action((url: string, options: JsonOptions & { readonly name: string }) =>
      withInstallation(context, async (installation) => {
        const newReturnUrl = { url, name: options.name };
        const added = await addReturnUrl(openDomain(context, installation), newReturnUrl);
        print(
          context,
          options.json,
          returnUrlJson(added),
          `Return URL ${added.url} of "${added.name}" added.\n`,
        );
      }),
    );

  returnUrl
    .command('remove')
    .argument('<url>', 'the address, as the list shows it')
    .description('Remove an address: /apilogin no longer sends tokens to it.')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ signpost return-url remove https://app.example/signed-in')
    .action((url: string, options: JsonOptions) =>
      withInstallation(context, async (installation) => {
        const domain = openDomain(context, installation);
        if (!(await removeReturnUrl(domain, url))) throw unknownReturnUrl(url, await listReturnUrls(domain));
        print(context, options.json, { url }, `Return URL ${url} removed.\n`);
      }),
    );

  returnUrl
    .command('list')
    .description('List the addresses that /apilogin may send a token to.')
    .option(...WIDE_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ signpost return-url list --json')
    .action((options: JsonOptions & { readonly wide?: boolean }) =>
      withInstallation(context, async ({ storage }) => {
        const all = await listReturnUrls(storage);
        const cells = all.map(({ name, url, createdAtMs }) => [name, url, formatTime(createdAtMs)]);
        const message =
          all.length === 0
            ? 'No return URLs yet.\n'
            : fittingTable(context.stdout, ['NAME', 'URL', 'CREATED'], cells, options);
        print(context, options.json, all.map(returnUrlJson), message);
      }),
    );
}
