import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import {
  createPasswordLink,
  type LinkedAccount,
  prepareInvitation,
  storeInvitation,
} from '../accounts/account-links.js';
import { linkPath } from '../accounts/one-time-links.js';
import type { OpenedInstallation } from '../app/open-installation.js';
import { reasonOf, ServiceError } from '../platform/errors.js';
import { readIssuer } from '../tokens/tokens.js';
import { JSON_OPTION } from './arguments.js';
import { type AddressContext, type CommandMail, withInstallation } from './cli-context.js';
import { formatTime, isoTime, print, table } from './output.js';
import { requireAccount } from './require-named.js';
import { openDomain } from './domain-context.js';

interface Invitation {
  readonly email?: string;
  readonly name?: string;
  readonly fromFile?: string;
  readonly operator?: boolean;
  readonly apiAccess?: boolean;
  readonly json?: boolean;
}

/** A link as the command prints it, and whether it was mailed; undefined if no mail can reach its owner. */
interface HandedOver {
  readonly email: string;
  readonly url: string;
  readonly expiresAtMs: number;
  readonly isMailed: boolean | undefined;
}

/** The public address that links begin with. */
const addressOf = async (context: AddressContext, { storage }: OpenedInstallation) =>
  (await readIssuer(storage.db)) ?? context.issuer();

async function handOver(
  mail: CommandMail,
  publicUrl: string,
  { account, link }: LinkedAccount,
): Promise<HandedOver> {
  const { email } = account;
  const url = `${publicUrl}${linkPath(link)}`;
  return {
    ...{ email, url, expiresAtMs: link.expiresAtMs },
    isMailed: await mail.link(email, { url, kind: link.kind }),
  };
}

const linkJson = ({ email, url, expiresAtMs, isMailed = false }: HandedOver) => ({
  ...{ email, url, expiresAt: isoTime(expiresAtMs), isMailed },
});

const MAILED = {
  yes: 'It was mailed to its owner.',
  no: 'The mail with it could not be sent: pass it on yourself.',
} as const;

function formatLink({ email, url, expiresAtMs, isMailed }: HandedOver): string {
  const mailed = isMailed === undefined ? '' : ` ${MAILED[isMailed ? 'yes' : 'no']}`;
  return `${url}\n\nAnyone who opens this link can choose the password of ${email}. It works once, until ${formatTime(expiresAtMs)}, and is shown only now.${mailed}\n`;
}

/** Parses a line of a list: an e-mail, optionally followed by a comma or a tab and a name. */
function readLine(line: string): { readonly email: string; readonly name: string | undefined } {
  const [email = '', ...rest] = line.split(/[,;\t]/u);
  const name = rest.join(' ').replaceAll('"', '').trim();
  return { email: email.replaceAll('"', '').trim(), name: name === '' ? undefined : name };
}

/** Whether a line is a heading, such as "email,name". */
const isHeading = (line: string) => line === '' || (/^"?e-?mail/iu.test(line) && !line.includes('@'));

async function readList(path: string) {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new ServiceError('invalidRequest', `The file ${path} cannot be read: ${reasonOf(error)}.`);
  });
  const lines = text
    .replace(/^\uFEFF/u, '')
    .split(/\r?\n/u)
    .map((line) => line.trim());
  const [first = '', ...others] = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const people = (isHeading(first) ? others : [first, ...others]).map(readLine);
  if (people.length > 0) return people;
  throw new ServiceError(
    'invalidRequest',
    `The file ${path} must have an e-mail on each line, with a name behind a comma or without.`,
  );
}

/** Invites everybody on the list who can be invited, and reports the others at the end. */
async function invite(context: AddressContext, options: Invitation): Promise<void> {
  const { email, name, fromFile, operator, apiAccess, json } = options;
  const people = fromFile === undefined ? [{ email: email ?? '', name }] : await readList(fromFile);
  await withInstallation(context, async (installation) => {
    const domain = openDomain(context, installation);
    const publicUrl = await addressOf(context, installation);
    const mail = await context.openMail(publicUrl);
    const [done, problems]: [HandedOver[], string[]] = [[], []];
    try {
      for (const person of people) {
        const wanted = { ...person, isOperator: operator, hasApiAccess: apiAccess };
        try {
          const linked = await storeInvitation(domain, await prepareInvitation(domain, wanted));
          done.push(await handOver(mail, publicUrl, linked));
        } catch (error) {
          if (fromFile === undefined || !(error instanceof ServiceError)) throw error;
          problems.push(`${person.email}: ${error.message}`);
        }
      }
    } finally {
      // Prints the links only now, so that they are shown even if the rest of the list failed.
      if (fromFile === undefined)
        for (const one of done) print(context, json, linkJson(one), formatLink(one));
      else print(context, json, done.map(linkJson), formatInvited(done));
      await mail.close();
    }
    if (problems.length > 0)
      throw new ServiceError('invalidRequest', `These people were not invited:\n  ${problems.join('\n  ')}`);
  });
}

function formatInvited(done: readonly HandedOver[]): string {
  const words = { yes: 'yes', no: 'failed' } as const;
  const cells = done.map(({ email, url, isMailed }) => [
    email,
    isMailed === undefined ? 'no' : words[isMailed ? 'yes' : 'no'],
    url,
  ]);
  const rest =
    'Each link works once, within seven days, and is shown only now. Pass on those that were not mailed.';
  return done.length === 0 ? '' : `${table(['EMAIL', 'MAILED', 'LINK'], cells)}${rest}\n`;
}

/** Adds `signpost account invite` and `reset-link`. */
export function registerLinkCommands(account: Command, context: AddressContext): void {
  account
    .command('invite')
    .summary('make accounts and links for their owners')
    .description(
      'Make an account and print a link. Its owner opens the link within seven days and chooses a password. If a mail server is configured, the link is mailed too. With --from-file, everybody on a list is invited.',
    )
    .option('--email <address>', 'the e-mail to sign in with')
    .option('--name <name>', "the owner's name")
    .option('--from-file <file>', 'a list: an e-mail on each line, with a name behind a comma or without')
    .option('--operator', 'make it an operator, who may see and change everything')
    .option('--api-access', 'allow it to use the referral interface')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nExamples:\n  $ signpost account invite --email ada@example.org --name "Ada Lovelace"\n' +
        '  $ signpost account invite --from-file people.csv',
    )
    .action((options: Invitation, command: Command) => {
      if ((options.email === undefined) === (options.fromFile === undefined))
        command.error('error: give --email or --from-file');
      return invite(context, options);
    });

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
        const publicUrl = await addressOf(context, installation);
        const { email } = linked.account;
        const { expiresAtMs } = linked.link;
        const url = `${publicUrl}${linkPath(linked.link)}`;
        const text = formatLink({ email, url, expiresAtMs, isMailed: undefined });
        print(context, options.json, { email, url, expiresAt: isoTime(expiresAtMs) }, text);
      }),
    );
}
