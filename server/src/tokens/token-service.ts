import type { Actor, Audit } from '../audit/audit.js';
import type { Database } from '../storage/storage.js';
import type { Tokens } from './tokens.js';

interface TokenServiceDeps {
  readonly db: Database;
  readonly tokens: Tokens;
  readonly audit: Audit;
}

/** The tokens of accounts, for people. Showing, replacing and passing on tokens is audited. */
export const createTokenService = ({ db, tokens, audit }: TokenServiceDeps) => ({
  /** A new access token and the refresh token, to show to the owner. */
  async show(actor: Actor, accountId: string) {
    const pair = await tokens.pairOf(accountId);
    await audit.record(db, actor, { kind: 'token.shown', subjectId: accountId });
    return pair;
  },

  /** The same with a new refresh token. */
  regenerate: (actor: Actor, accountId: string) =>
    tokens.regenerate(accountId, (transaction) =>
      audit.record(transaction, actor, { kind: 'token.regenerated', subjectId: accountId }),
    ),

  /** An access token to pass on to a site. */
  async issueFor(actor: Actor, accountId: string, site: URL) {
    const issued = await tokens.issueAccessToken(accountId);
    const detail = site.origin + site.pathname;
    await audit.record(db, actor, { kind: 'token.returned', subjectId: accountId, detail });
    return issued;
  },
});

export type TokenService = ReturnType<typeof createTokenService>;
