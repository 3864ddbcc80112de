import { MINUTE_MS } from '../platform/time-units.js';
import { INSTALLATION_ID, type InstallationRow, lockInstallation } from '../storage/rows.js';
import type { Database, PreparedQueries } from '../storage/storage.js';
import type { Throttle } from '../throttle/throttle.js';
import {
  type AccessToken,
  accessTokenVerifier,
  signAccessToken,
  type VerifiedAccessToken,
} from './access-token.js';
import { refusedRefreshToken } from './presented-token.js';
import {
  hashRefreshToken,
  isRefreshToken,
  obtainRefreshToken,
  type RefreshTokenDeps,
  replaceRefreshToken,
} from './refresh-tokens.js';
import { type PublicJwk, SigningKeys } from './signing-keys.js';
import { TokenHolders } from './token-holder.js';

/** Keeps the public address of the server that runs, for commands whose environment may be another. */
export async function storeIssuer(db: Database, issuer: string): Promise<void> {
  await db<InstallationRow>('installation').where({ id: INSTALLATION_ID }).update({ issuer });
}

/** The public address of the server that started last; undefined where none has. */
export async function readIssuer(db: Database): Promise<string | undefined> {
  const row = await db<InstallationRow>('installation').where({ id: INSTALLATION_ID }).first('issuer');
  return row?.issuer ?? undefined;
}

/** The address of the server that was the first to say its own; of servers that start at once, of one of them. */
export async function agreeOnIssuer(db: Database, ownUrl: string): Promise<string> {
  return db.transaction(async (transaction) => {
    await lockInstallation(transaction);
    const agreed = await readIssuer(transaction);
    if (agreed === undefined) await storeIssuer(transaction, ownUrl);
    return agreed ?? ownUrl;
  });
}

/** What a caller of the referral interface works with. */
export interface TokenPair extends AccessToken {
  readonly refreshToken: string;
}

/**
 * The tokens of accounts. Every method throws a ServiceError, "unauthorized", where the account is disabled or has no
 * API access, or the token is not ours.
 */
export interface Tokens {
  /** A fresh access token and the account's refresh token, which is made where there is none. */
  pairOf(accountId: string): Promise<TokenPair>;
  /**
   * The same with another refresh token: the previous one is refused from now on. `alsoStore` stores what goes with it,
   * all or nothing.
   */
  regenerate(accountId: string, alsoStore?: (transaction: Database) => Promise<void>): Promise<TokenPair>;
  issueAccessToken(accountId: string): Promise<AccessToken>;
  /**
   * A fresh access token for a refresh token. `address` is the caller's: its wrong tries are counted, and refused as
   * "rateLimited" where they are too many; a right one never is.
   */
  refresh(refreshToken: string, address: string): Promise<AccessToken>;
  verify(accessToken: string): Promise<VerifiedAccessToken>;
  /** The public half of every key that verifies now. */
  publicKeys(): Promise<readonly PublicJwk[]>;
}

interface TokensDeps extends RefreshTokenDeps {
  readonly db: Database;
  readonly queries: PreparedQueries;
  readonly throttle: Throttle;
  /** The public address of the server, without a slash at the end; known once it listens. */
  readonly issuer: () => string;
}

/** The most wrong refresh tokens from one address in one minute that are told so. */
const MAX_WRONG_TOKENS = 20;
const WRONG_TOKENS_WINDOW_MS = MINUTE_MS;

/** The tokens of the accounts in a database. */
export function createTokens(deps: TokensDeps): Tokens {
  const { db, queries, throttle } = deps;
  const holders = new TokenHolders(queries);
  const signingKeys = new SigningKeys(db, queries, deps);
  const signing = { ...deps, signingKeys };

  const wrongTokensOf = (address: string) => ({
    subject: `refresh ${throttle.addressSubject(address)}`,
    maxTries: MAX_WRONG_TOKENS,
    windowMs: WRONG_TOKENS_WINDOW_MS,
  });

  const issueAccessToken = async (accountId: string) => {
    const { id } = await holders.byId(accountId);
    return signAccessToken(signing, id);
  };

  return {
    issueAccessToken,
    async pairOf(accountId) {
      const issued = await issueAccessToken(accountId);
      return { ...issued, refreshToken: await obtainRefreshToken(db, accountId, deps) };
    },
    async regenerate(accountId, alsoStore) {
      const issued = await issueAccessToken(accountId);
      return { ...issued, refreshToken: await replaceRefreshToken(db, accountId, deps, alsoStore) };
    },
    async refresh(refreshToken, address) {
      const holder = isRefreshToken(refreshToken)
        ? await holders.byRefreshTokenHash(hashRefreshToken(deps.refreshTokenPepper, refreshToken))
        : undefined;
      if (holder !== undefined) return signAccessToken(signing, holder.id);
      await throttle.take([wrongTokensOf(address)]);
      throw refusedRefreshToken(refreshToken);
    },
    verify: accessTokenVerifier(signing, holders),
    publicKeys: () => signingKeys.verifying(),
  };
}
