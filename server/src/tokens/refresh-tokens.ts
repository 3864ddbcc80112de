import { createHmac, type KeyObject } from 'node:crypto';
import { opaqueTokenFormat } from '../platform/opaque-token.js';
import type { RandomBytes } from '../platform/random.js';
import { lockInstallation, type RefreshTokenRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import { type KeyDeps, newId, sealSecret, unsealSecretOf } from './encryption-key.js';

/** What every refresh token begins with. */
export const REFRESH_TOKEN_PREFIX = 'rt_';

const format = opaqueTokenFormat(REFRESH_TOKEN_PREFIX);

/** A new refresh token: `rt_`, 32 random characters (190 bits), 6 of checksum. */
export const generateRefreshToken = (randomBytes: RandomBytes): string => format.generate(randomBytes);

/** Whether a text has the form and the checksum of a refresh token. Needs no database. */
export const isRefreshToken = (text: string): boolean => format.matches(text);

/** What a refresh token is found by: its HMAC-SHA-256 under the pepper, base64url. */
export const hashRefreshToken = (pepper: KeyObject, refreshToken: string): string =>
  createHmac('sha256', pepper).update(refreshToken).digest('base64url');

export interface RefreshTokenDeps extends KeyDeps {
  /** Under which refresh tokens are hashed. */
  readonly refreshTokenPepper: KeyObject;
}

/** The account's refresh token; undefined where none was made yet. */
const readRefreshToken = async (
  db: Database,
  accountId: string,
  deps: KeyDeps,
): Promise<string | undefined> => (await unsealSecretOf(db, 'refresh_tokens', accountId, deps))?.toString();

async function addRefreshToken(
  transaction: Database,
  accountId: string,
  deps: RefreshTokenDeps,
): Promise<string> {
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

/** The account's refresh token, made where there is none; of callers at once all get the same. */
export async function obtainRefreshToken(
  db: Database,
  accountId: string,
  deps: RefreshTokenDeps,
): Promise<string> {
  const there = await readRefreshToken(db, accountId, deps);
  if (there !== undefined) return there;
  return db.transaction(async (transaction) => {
    await lockInstallation(transaction);
    const madeMeanwhile = await readRefreshToken(transaction, accountId, deps);
    return madeMeanwhile ?? addRefreshToken(transaction, accountId, deps);
  });
}

/**
 * Gives the account another refresh token; the previous one is refused from the next call on. `alsoStore` stores what
 * belongs to that, all or nothing.
 */
export async function replaceRefreshToken(
  db: Database,
  accountId: string,
  deps: RefreshTokenDeps,
  alsoStore: (transaction: Database) => Promise<void> = () => Promise.resolve(),
): Promise<string> {
  return db.transaction(async (transaction) => {
    await lockInstallation(transaction);
    await transaction<RefreshTokenRow>('refresh_tokens').where({ account_id: accountId }).delete();
    await alsoStore(transaction);
    return addRefreshToken(transaction, accountId, deps);
  });
}
