import { findAccountById, findAccountId } from '../../accounts/account.js';
import { listProjectSummaries } from '../../accounts/project-summaries.js';
import { shownPrefixOf } from '../../keys/api-key.js';
import { type KeyPage, listKeyPage } from '../../keys/list-keys.js';
import { keyPath, projectPath } from '../keys/own-key.js';
import { withQuery } from '../layout/list.js';
import { accountPath, requestsPath } from '../operator/account-route.js';
import { requestPath } from '../usage/request-log.js';
import { mayOperate } from '../routing/page.js';
import type { SignedInContext } from '../routing/page-context.js';

interface OwnedItem {
  readonly accountId: string;
}

/** The account to search; undefined if the user may act as an operator, who searches all accounts. */
export const scopeOf = (context: SignedInContext): string | undefined =>
  mayOperate(context) ? undefined : context.user.account.id;

const isOwn = ({ user }: SignedInContext, { accountId }: OwnedItem) => user.account.id === accountId;

/** The path of a key's page: the owner's page if the user owns the key, otherwise the operators' page. */
export const pathOfKey = (context: SignedInContext, key: OwnedItem & { readonly id: number }): string =>
  isOwn(context, key) ? keyPath(key.id) : requestsPath(key.accountId, key.id);

export const pathOfProject = (
  context: SignedInContext,
  project: OwnedItem & { readonly id: string },
): string => (isOwn(context, project) ? projectPath(project.id) : accountPath(project.accountId));

async function findKey(context: SignedInContext, filter: Pick<KeyPage, 'id' | 'prefix'>) {
  const page = { ...filter, accountId: scopeOf(context), offset: 0, limit: 1 };
  const { keys, total } = await listKeyPage(context.domain, page);
  return keys[0] === undefined || total > 1 ? undefined : pathOfKey(context, keys[0]);
}

async function findProject(context: SignedInContext, id: string) {
  const page = { id, accountId: scopeOf(context), offset: 0, limit: 1 };
  const { projects } = await listProjectSummaries(context.domain, page);
  return projects[0] && pathOfProject(context, projects[0]);
}

async function findAccount({ domain }: SignedInContext, emailOrId: string) {
  const account = await findAccountById(domain, await findAccountId(domain, emailOrId));
  return account && accountPath(account.id);
}

/**
 * The path of the key, project or (for operators) account that a text names; undefined if it names none, or more than
 * one key.
 */
export async function findExact(context: SignedInContext, text: string): Promise<string | undefined> {
  const prefix = shownPrefixOf(text);
  if (prefix !== undefined) return findKey(context, { prefix });
  if (/^[1-9]\d{0,8}$/u.test(text)) return findKey(context, { id: Number(text) });
  if (/^prj_\w+$/u.test(text)) return findProject(context, text);
  return scopeOf(context) === undefined ? findAccount(context, text) : undefined;
}

/** The path of a request: its page for its key's owner, its key's log for others; undefined if it is not found. */
export async function findInLog(context: SignedInContext, requestId: string): Promise<string | undefined> {
  const found = await context.deps.history.findRequest(requestId, scopeOf(context));
  if (found === undefined) return undefined;
  const { accountId, keyId } = found;
  return isOwn(context, found)
    ? requestPath(requestId)
    : withQuery(requestsPath(accountId, keyId), { text: requestId });
}
