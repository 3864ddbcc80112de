import { type Account, findAccount, listAccounts } from '../accounts/account.js';
import { listProjects, type Project } from '../accounts/project.js';
import type { ReadContext } from '../audit/domain-context.js';
import { KEY_START, prefixOf } from '../keys/api-key.js';
import { findKeysByPrefix } from '../keys/find-keys.js';
import { endedAtMs, isLive, type Key } from '../keys/key.js';
import { ServiceError } from '../platform/errors.js';
import { suggest } from '../platform/suggestions.js';
import type { Database } from '../storage/storage.js';
import { formatTime, table } from './output.js';

/**
 * The end of a sentence such as "There is no project …": a question with the known name that was probably meant or, if
 * there is none, a full stop.
 */
export function didYouMean(name: string, knownNames: readonly string[]): string {
  const near = suggest(name, knownNames);
  return near === undefined ? '.' : `: did you mean "${near}"?`;
}

/** Finds the account with this e-mail. If there is none, throws a ServiceError that suggests a similar one, if any. */
export async function requireAccount(db: Database, email: string): Promise<Account> {
  const account = await findAccount({ db }, email);
  if (account !== undefined) return account;
  const suggestion = didYouMean(
    email,
    (await listAccounts({ db })).map((known) => known.email),
  );
  throw new ServiceError(
    'invalidRequest',
    `There is no account with the e-mail "${email}"${suggestion} "signpost account list" shows them all.`,
  );
}

/**
 * Finds the project of this name in an account. If there is none, throws a ServiceError, which suggests a similar name
 * if any.
 */
export async function requireProject(db: Database, account: Account, name: string): Promise<Project> {
  const projects = await listProjects({ db }, account.id);
  const project = projects.find((known) => known.name === name.trim().normalize('NFC'));
  if (project !== undefined) return project;
  const suggestion = didYouMean(
    name,
    projects.map((known) => known.name),
  );
  throw new ServiceError(
    'invalidRequest',
    `The account ${account.email} has no project "${name}"${suggestion} "signpost project list --account ` +
      `${account.email}" shows them all, "signpost project create" makes one.`,
  );
}

const rejection = (message: string) => new ServiceError('invalidRequest', message);

/**
 * Finds the one key, neither revoked nor expired, whose prefix begins with these characters. Throws a ServiceError if
 * there is no such key, or if there are several; then the error lists them. If the text is a whole key, uses only its
 * prefix, so that errors never repeat the key.
 */
export async function requireLiveKey(context: ReadContext, text: string): Promise<Key> {
  const start = prefixOf(text);
  if (!start.startsWith(KEY_START) || start === KEY_START) {
    throw rejection(
      `A key's prefix looks like ${KEY_START}AbCd1234. "signpost key list --account E" shows them.`,
    );
  }
  const keys = await findKeysByPrefix(context, start);
  const live = keys.filter(isLive);
  const [key] = live;
  if (key !== undefined && live.length === 1) return key;
  if (key !== undefined) {
    const matches = table(
      ['KEY', 'ACCOUNT', 'PROJECT'],
      live.map((match) => [match.prefix, match.accountEmail, match.projectName]),
    );
    throw rejection(
      `${live.length} keys begin with ${start}. Give more characters of the key that you mean:\n${matches.trimEnd()}`,
    );
  }
  const [ended] = keys;
  if (ended !== undefined) {
    const how = ended.state === 'expired' ? 'ended' : 'was revoked';
    throw rejection(
      `The key ${ended.prefix} ${how} on ${formatTime(endedAtMs(ended))}. Make a new one instead.`,
    );
  }
  throw rejection(
    `No key begins with ${start}. "signpost key list --account E" shows an account's keys; case matters.`,
  );
}
