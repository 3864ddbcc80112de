import type { DomainContext } from '../audit/domain-context.js';
import { ServiceError } from '../platform/errors.js';
import { lockAccount } from '../storage/locks.js';
import type { ReturnUrlConsentRow, ReturnUrlRow } from '../storage/rows.js';
import { type Database, inTransaction } from '../storage/storage.js';

/** A site that /apilogin gives tokens of an account without asking the owner again. */
export interface AllowedSite {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly agreedAtMs: number;
}

/** Consents beyond this number are not listed, but still work. */
const MAX_LISTED = 1_000;

const consents = (db: Database) => db<ReturnUrlConsentRow>('return_url_consents');

/**
 * Whether the owner of the account has agreed that this site gets tokens of the account, and has not withdrawn that.
 */
export async function isAllowed(
  { db }: Pick<DomainContext, 'db'>,
  accountId: string,
  { id }: Pick<ReturnUrlRow, 'id'>,
): Promise<boolean> {
  const consent = await consents(db).where({ account_id: accountId, return_url_id: id }).first('agreed_at');
  return consent !== undefined;
}

/**
 * Makes /apilogin give a site tokens of the account without asking the owner again, until the consent is withdrawn.
 * Returns false if the return URL of the site is no longer registered. Throws a ServiceError, "unauthorized", if the
 * account may no longer have tokens.
 */
export async function allowSite(
  { db, clock, audit, actor }: DomainContext,
  accountId: string,
  { id, url }: { readonly id: string; readonly url: URL },
): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    if (!(await lockAccount(transaction, { id: accountId, has_api_access: true, disabled_at: null }))) {
      throw new ServiceError('unauthorized', 'Your account has just lost its API access. Sign in again.');
    }
    const registered = await transaction<ReturnUrlRow>('return_urls').where({ id }).forUpdate().first('id');
    if (registered === undefined) return false;
    const added = await consents(transaction)
      .insert({ account_id: accountId, return_url_id: id, agreed_at: clock() })
      .onConflict(['account_id', 'return_url_id'])
      .ignore()
      .returning('agreed_at');
    if (added.length === 0) return true;
    const detail = url.origin + url.pathname;
    await audit.record(transaction, actor, { kind: 'site.allowed', subjectId: accountId, detail });
    return true;
  });
}

/**
 * At most MAX_LISTED sites that /apilogin gives tokens of an account without asking the owner again, sorted by name.
 */
export async function listAllowedSites(
  { db }: Pick<DomainContext, 'db'>,
  accountId: string,
): Promise<AllowedSite[]> {
  return db('return_url_consents as c')
    .join('return_urls as r', 'r.id', 'c.return_url_id')
    .where('c.account_id', accountId)
    .orderBy(['r.name', 'r.url'])
    .limit(MAX_LISTED)
    .select<AllowedSite[]>('r.id', 'r.name', 'r.url', 'c.agreed_at as agreedAtMs');
}

/** Makes /apilogin ask again before the site gets a token. Tokens that the site has stay valid until they expire. */
export async function withdrawSite(
  { db, audit, actor }: DomainContext,
  accountId: string,
  siteId: string,
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const removed = await consents(transaction)
      .where({ account_id: accountId, return_url_id: siteId })
      .delete();
    if (removed === 0) return;
    const site = await transaction<ReturnUrlRow>('return_urls').where({ id: siteId }).first('url');
    await audit.record(transaction, actor, {
      kind: 'site.withdrawn',
      subjectId: accountId,
      detail: site?.url,
    });
  });
}
