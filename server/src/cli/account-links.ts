import type { Command } from 'commander';
import {
  createPasswordLink,
  type LinkedAccount,
  prepareInvitation,
  storeInvitation,
} from '../accounts/account-links.js';
import { linkPath } from '../accounts/one-time-links.js';
import type { OpenedInstallation } from '../app/open-installation.js';
import { ServiceError } from '../platform/errors.js';
import { readIssuer } from '../tokens/tokens.js';
import { JSON_OPTION } from './arguments.js';
import { type AddressContext, type CommandMail, withInstallation } from './cli-context.js';
import { formatTime, isoTime, print, table } from './output.js';
import { readPeople } from './people-list.js';
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

/**
 * A link as the command prints it. `isMailed` says whether its mail was sent; undefined if mail is off or cannot reach
 * the account's owner.
 */
interface IssuedLink {
  readonly email: string;
  readonly url: string;
  readonly expiresAtMs: number;
  isMailed: boolean | undefined;
}

/** The public address that links begin with. */
const publicAddress = async (context: AddressContext, { storage }: OpenedInstallation) =>
  (await readIssuer(storage.db)) ?? context.issuer();

/**
 * Mails a link. Adds it to `issuedLinks` before that, because the link is shown only once: it must be printed even if
 * mailing throws an error.
 */
async function mailLink(
  mail: CommandMail,
  publicUrl: string,
  { account: { email }, link }: LinkedAccount,
  issuedLinks: IssuedLink[],
): Promise<void> {
  const url = `${publicUrl}${linkPath(link)}`;
  const issuedLink: IssuedLink = { email, url, expiresAtMs: link.expiresAtMs, isMailed: false };
  issuedLinks.push(issuedLink);
  issuedLink.isMailed = await mail.link(email, { url, kind: link.kind });
}

const linkJson = ({ email, url, expiresAtMs, isMailed = false }: IssuedLink) => ({
  email,
  url,
  expiresAt: isoTime(expiresAtMs),
  isMailed,
});

const MAILED = {
  yes: 'It was mailed to its owner.',
  no: 'The mail with it could not be sent: pass it on yourself.',
} as const;

function formatLink({ email, url, expiresAtMs, isMailed }: IssuedLink): string {
  const mailed = isMailed === undefined ? '' : ` ${MAILED[isMailed ? 'yes' : 'no']}`;
  return `${url}\n\nAnyone who opens this link can choose the password of ${email}. It works once, until ${formatTime(expiresAtMs)}, and is shown only now.${mailed}\n`;
}

function printLinks(context: AddressContext, json: boolean | undefined, links: readonly IssuedLink[]): void {
  for (const link of links) print(context, json, linkJson(link), formatLink(link));
}

/** If this many mails in a row fail, no more are sent, because each may take long to fail. */
const MAX_UNSENT_IN_A_ROW = 3;

/**
 * Wraps `mail`: after MAX_UNSENT_IN_A_ROW mails in a row that could not be sent, sends nothing more and returns false.
 */
function stopAfterFailures(mail: CommandMail): CommandMail {
  let unsentInARow = 0;
  return {
    ...mail,
    async link(to, link) {
      if (unsentInARow >= MAX_UNSENT_IN_A_ROW) return false;
      const isSent = await mail.link(to, link);
      unsentInARow = isSent === false ? unsentInARow + 1 : 0;
      return isSent;
    },
  };
}

/**
 * Invites one person, or everybody on a list who can be invited. If some people on the list could not be invited, a
 * ServiceError that is thrown at the end names them.
 */
async function invite(context: AddressContext, options: Invitation): Promise<void> {
  const { email, name, fromFile, operator, apiAccess, json } = options;
  const people = fromFile === undefined ? [{ email: email ?? '', name }] : await readPeople(fromFile);
  await withInstallation(context, async (installation) => {
    const domain = openDomain(context, installation);
    const publicUrl = await publicAddress(context, installation);
    const mail = stopAfterFailures(await context.openMail(publicUrl));
    const [issuedLinks, problems]: [IssuedLink[], string[]] = [[], []];
    try {
      for (const person of people) {
        const newAccount = { ...person, isOperator: operator, hasApiAccess: apiAccess };
        try {
          const linked = await storeInvitation(domain, await prepareInvitation(domain, newAccount));
          await mailLink(mail, publicUrl, linked, issuedLinks);
        } catch (error) {
          if (fromFile === undefined || !(error instanceof ServiceError)) throw error;
          problems.push(`${person.email}: ${error.message}`);
        }
      }
    } finally {
      // Prints the links here, so that those made so far are shown even if an error stops the rest of the list.
      if (fromFile === undefined) printLinks(context, json, issuedLinks);
      else print(context, json, issuedLinks.map(linkJson), formatInvitations(issuedLinks));
      await mail.close();
    }
    if (problems.length > 0)
      throw new ServiceError('invalidRequest', `These people were not invited:\n  ${problems.join('\n  ')}`);
  });
}

function formatInvitations(issuedLinks: readonly IssuedLink[]): string {
  const words = { yes: 'yes', no: 'failed' } as const;
  const cells = issuedLinks.map(({ email, url, isMailed }) => [
    email,
    isMailed === undefined ? 'no' : words[isMailed ? 'yes' : 'no'],
    url,
  ]);
  const note =
    'Each link works once, within seven days, and is shown only now. Pass on those that were not mailed.';
  return issuedLinks.length === 0 ? '' : `${table(['EMAIL', 'MAILED', 'LINK'], cells)}${note}\n`;
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
    .option('--from-file <file>', 'a list: an e-mail on each line, with a name beside it or without')
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
      if (options.fromFile !== undefined && options.name !== undefined)
        command.error('error: --name is for one person: with --from-file, the names are in the file');
      return invite(context, options);
    });

  account
    .command('reset-link')
    .summary('make a link for a new password')
    .description(
      'Print a link. The owner opens it within an hour and chooses a new password. For an owner who was invited and has no password yet, it works for seven days. If a mail server is configured, the link is mailed too. Earlier links stop working.',
    )
    .requiredOption('--email <address>', "the account's e-mail")
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ signpost account reset-link --email ada@example.org')
    .action((options: { readonly email: string; readonly json?: boolean }) =>
      withInstallation(context, async (installation) => {
        const { id } = await requireAccount(installation.storage.db, options.email);
        const domain = openDomain(context, installation);
        const publicUrl = await publicAddress(context, installation);
        // Opens the mail before the link is made: if opening fails, the earlier links still work.
        const mail = await context.openMail(publicUrl);
        const issuedLinks: IssuedLink[] = [];
        try {
          await mailLink(mail, publicUrl, await createPasswordLink(domain, id), issuedLinks);
        } finally {
          printLinks(context, options.json, issuedLinks);
          await mail.close();
        }
      }),
    );
}
