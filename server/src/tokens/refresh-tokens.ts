import { createHmac, type KeyObject } from 'node:crypto';
import { opaqueTokenFormat } from '../platform/opaque-token.js';
import type { RandomBytes } from '../platform/random.js';
import { lockInstallation } from '../storage/locks.js';
import type { RefreshTokenRow } from '../storage/rows.js';
import { type Database, inTransaction } from '../storage/storage.js';
import { type KeyDeps, sealSecret, unsealSecretOf } from './encryption-key.js';
import { newId } from './new-id.js';
import { lockHolder } from './token-holder.js';

/** The start of every refresh token of interface B. */
export const REFRESH_TOKEN_PREFIX = 'rt_';

const format = opaqueTokenFormat(REFRESH_TOKEN_PREFIX);

/** Generates a refresh token: `rt_`, 32 random characters (190 bits), and a checksum of 6 characters. */
export const generateRefreshToken = (randomBytes: RandomBytes): string => format.generate(randomBytes);

/** Whether a text has the form and the checksum of a refresh token. Needs no database. */
export const isRefreshToken = (text: string): boolean => format.matches(text);

/** The hash that a refresh token is looked up by: HMAC-SHA-256 with the pepper, as base64url. */
export const hashRefreshToken = (pepper: KeyObject, refreshToken: string): string =>
  createHmac('sha256', pepper).update(refreshToken).digest('base64url');

export interface RefreshTokenDeps extends KeyDeps {
  /** Hashes refresh tokens. */
  readonly refreshTokenPepper: KeyObject;
}

/** The account's refresh token; undefined if it has none yet. */
const readRefreshToken = async (
  db: Database,
  accountId: string,
  deps: KeyDeps,
): Promise<string | undefined> => (await unsealSecretOf(db, 'refresh_tokens', accountId, deps))?.toString();

/**
 * Makes an account's refresh token. Throws a ServiceError if the account does not exist, is disabled or has no API
 * access. Call it in a transaction that holds the installation's lock.
 */
async function addRefreshToken(
  transaction: Database,
  accountId: string,
  deps: RefreshTokenDeps,
): Promise<string> {
  await lockHolder(transaction, accountId);
  const refreshToken = generateRefreshToken(deps.randomBytes);
  const id = newId(deps.randomBytes, 'ref');
  await transaction<RefreshTokenRow>('refresh_tokens').insert({
    ...(await sealSecret(transaction, id, Buffer.from(refreshToken), deps)),
    account_id: accountId,
    hash: hashRefreshToken(deps.refreshTokenPepper, refreshToken),
    created_at: deps.clock(),
  });
  return refreshToken;
}

/**
 * Returns the account's refresh token, and creates it at first use. Concurrent callers get the same one. Throws a
 * ServiceError if it must be created but the account does not exist, is disabled or has no API access.
 */
export async function obtainRefreshToken(
  db: Database,
  accountId: string,
  deps: RefreshTokenDeps,
): Promise<string> {
  const there = await readRefreshToken(db, accountId, deps);
  if (there !== undefined) return there;
  return inTransaction(db, async (transaction) => {
    await lockInstallation(transaction);
    const madeMeanwhile = await readRefreshToken(transaction, accountId, deps);
    return madeMeanwhile ?? addRefreshToken(transaction, accountId, deps);
  });
}

/**
 * Replaces the account's refresh token. The previous one is rejected once the transaction ends. Throws a ServiceError
 * if the account does not exist, is disabled or has no API access.
 */
export async function replaceRefreshToken(
  db: Database,
  accountId: string,
  deps: RefreshTokenDeps,
): Promise<string> {
  return inTransaction(db, async (transaction) => {
    await lockInstallation(transaction);
    await transaction<RefreshTokenRow>('refresh_tokens').where({ account_id: accountId }).delete();
    return addRefreshToken(transaction, accountId, deps);
  });
}
