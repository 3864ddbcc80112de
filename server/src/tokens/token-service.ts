import type { Actor, Audit } from '../audit/audit.js';
import type { Database } from '../storage/storage.js';
import type { Tokens } from './tokens.js';

interface TokenServiceDeps {
  readonly db: Database;
  readonly tokens: Tokens;
  readonly audit: Audit;
}

/** The tokens of accounts for people: that they were shown, replaced or passed on is entered in the audit. */
export const createTokenService = ({ db, tokens, audit }: TokenServiceDeps) => ({
  /** A fresh access token and the refresh token, to be shown. */
  async show(actor: Actor, accountId: string) {
    const pair = await tokens.pairOf(accountId);
    await audit.record(db, actor, { kind: 'token.shown', subjectId: accountId });
    return pair;
  },

  /** The same with another refresh token. */
  regenerate: (actor: Actor, accountId: string) =>
    tokens.regenerate(accountId, (transaction) =>
      audit.record(transaction, actor, { kind: 'token.regenerated', subjectId: accountId }),
    ),

  /** An access token to be passed on to a site. */
  async issueFor(actor: Actor, accountId: string, site: URL) {
    const issued = await tokens.issueAccessToken(accountId);
    const detail = site.origin + site.pathname;
    await audit.record(db, actor, { kind: 'token.returned', subjectId: accountId, detail });
    return issued;
  },
});

export type TokenService = ReturnType<typeof createTokenService>;
