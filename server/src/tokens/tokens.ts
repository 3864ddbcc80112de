import { MINUTE_MS } from '../platform/time-units.js';
import { lockInstallation } from '../storage/locks.js';
import { INSTALLATION_ID, type InstallationRow } from '../storage/rows.js';
import type { Database, PreparedQueries } from '../storage/storage.js';
import type { Throttle } from '../throttle/throttle.js';
import {
  type AccessToken,
  accessTokenVerifier,
  signAccessToken,
  type VerifiedAccessToken,
} from './access-token.js';
import { invalidRefreshToken } from './presented-token.js';
import {
  hashRefreshToken,
  isRefreshToken,
  obtainRefreshToken,
  type RefreshTokenDeps,
  replaceRefreshToken,
} from './refresh-tokens.js';
import { type PublicJwk, SigningKeys } from './signing-keys.js';
import { TokenHolders } from './token-holder.js';

/** Stores the issuer of tokens: the address by which they name the server. */
export async function storeIssuer(db: Database, issuer: string): Promise<void> {
  await db<InstallationRow>('installation').where({ id: INSTALLATION_ID }).update({ issuer });
}

/** The stored issuer of tokens, which the server that started last uses; undefined if no server has started yet. */
export async function readIssuer(db: Database): Promise<string | undefined> {
  const row = await db<InstallationRow>('installation').where({ id: INSTALLATION_ID }).first('issuer');
  return row?.issuer ?? undefined;
}

/**
 * Returns the stored issuer. If there is none, stores and returns `ownUrl`. Servers that start at once agree on one.
 */
export async function agreeOnIssuer(db: Database, ownUrl: string): Promise<string> {
  return db.transaction(async (transaction) => {
    await lockInstallation(transaction);
    const agreed = await readIssuer(transaction);
    if (agreed === undefined) await storeIssuer(transaction, ownUrl);
    return agreed ?? ownUrl;
  });
}

/** The tokens for a caller of the referral interface. */
export interface TokenPair extends AccessToken {
  readonly refreshToken: string;
}

/**
 * The tokens of accounts. All methods but `publicKeys` throw a ServiceError, "unauthorized", if there is no such
 * account, if it is disabled or has no API access, or if the token is not valid.
 */
export interface Tokens {
  /** Returns a new access token and the account's refresh token, which is created at first use. */
  pairOf(accountId: string): Promise<TokenPair>;
  /**
   * Replaces the account's refresh token, and returns the new one. The previous one is rejected once the transaction
   * ends.
   */
  replaceRefreshToken(transaction: Database, accountId: string): Promise<string>;
  issueAccessToken(accountId: string): Promise<AccessToken>;
  /**
   * Returns a new access token for a refresh token. Wrong refresh tokens from the caller's `address` are counted and,
   * if there are too many, rejected as "rateLimited"; a valid one is still accepted.
   */
  refresh(refreshToken: string, address: string): Promise<AccessToken>;
  verify(accessToken: string): Promise<VerifiedAccessToken>;
  /** The public half of every key that still verifies. */
  publicKeys(): Promise<readonly PublicJwk[]>;
}

interface TokensDeps extends RefreshTokenDeps {
  readonly db: Database;
  readonly queries: PreparedQueries;
  readonly throttle: Throttle;
  /** The public address of the server, without a trailing slash. Known once the server listens. */
  readonly issuer: () => string;
}

/** The maximum of wrong refresh tokens from one address in a minute. Further ones are rejected as rate limited. */
const MAX_WRONG_TOKENS = 20;
const WRONG_TOKENS_WINDOW_MS = MINUTE_MS;

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
    replaceRefreshToken: (transaction, accountId) => replaceRefreshToken(transaction, accountId, deps),
    async refresh(refreshToken, address) {
      const holder = isRefreshToken(refreshToken)
        ? await holders.byRefreshTokenHash(hashRefreshToken(deps.refreshTokenPepper, refreshToken))
        : undefined;
      if (holder !== undefined) return signAccessToken(signing, holder.id);
      await throttle.take([wrongTokensOf(address)]);
      throw invalidRefreshToken(refreshToken);
    },
    verify: accessTokenVerifier(signing, holders),
    publicKeys: () => signingKeys.verificationKeys(),
  };
}
