import type { DomainContext } from '../audit/domain-context.js';
import { inTransaction } from '../storage/storage.js';
import type { AccessToken } from './access-token.js';
import type { TokenPair, Tokens } from './tokens.js';

export interface TokenContext extends DomainContext {
  readonly tokens: Tokens;
}

/**
 * Returns a new access token and the account's refresh token, which is created at first use. Records in the audit that
 * they were shown.
 */
export async function showTokens(
  { db, audit, actor, tokens }: TokenContext,
  accountId: string,
): Promise<TokenPair> {
  const pair = await tokens.pairOf(accountId);
  await audit.record(db, actor, { kind: 'token.shown', subjectId: accountId });
  return pair;
}

/**
 * Returns a new access token and a new refresh token. The previous refresh token is rejected from now on; earlier
 * access tokens stay valid until they expire.
 */
export async function regenerateTokens(
  { db, audit, actor, tokens }: TokenContext,
  accountId: string,
): Promise<TokenPair> {
  // The access token is signed before the transaction, because signing uses a connection of its own.
  const issued = await tokens.issueAccessToken(accountId);
  return inTransaction(db, async (transaction) => {
    const refreshToken = await tokens.replaceRefreshToken(transaction, accountId);
    await audit.record(transaction, actor, { kind: 'token.regenerated', subjectId: accountId });
    return { ...issued, refreshToken };
  });
}

/** Returns an access token that /apilogin passes on to a site. */
export async function issueTokenFor(
  { db, audit, actor, tokens }: TokenContext,
  accountId: string,
  site: URL,
): Promise<AccessToken> {
  const issued = await tokens.issueAccessToken(accountId);
  const detail = site.origin + site.pathname;
  await audit.record(db, actor, { kind: 'token.returned', subjectId: accountId, detail });
  return issued;
}
