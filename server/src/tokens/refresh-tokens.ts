import { createHmac, type KeyObject } from 'node:crypto';
import { opaqueTokenFormat } from '../platform/opaque-token.js';
import type { RandomBytes } from '../platform/random.js';
import { seal, unseal } from '../secret/sealing.js';
import { type EncryptionKeyRow, lockInstallation, type RefreshTokenRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import { currentEncryptionKey, type KeyDeps, newId, unwrapEncryptionKey } from './encryption-key.js';

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

type SealedTokenRow = Pick<RefreshTokenRow, 'id' | 'ciphertext' | 'encryption_key_id'> &
  Pick<EncryptionKeyRow, 'wrapped_key'>;

/** The account's refresh token; undefined where none was made yet. */
async function readRefreshToken(
  db: Database,
  accountId: string,
  { keyEncryptionKey }: KeyDeps,
): Promise<string | undefined> {
  const [row] = await db('refresh_tokens')
    .join('encryption_keys', 'encryption_keys.id', 'refresh_tokens.encryption_key_id')
    .where('refresh_tokens.account_id', accountId)
    .select<SealedTokenRow[]>(
      'refresh_tokens.id',
      'refresh_tokens.ciphertext',
      'refresh_tokens.encryption_key_id',
      'encryption_keys.wrapped_key',
    );
  if (row === undefined) return undefined;
  const wrapped = { id: row.encryption_key_id, wrapped_key: row.wrapped_key };
  const { key } = unwrapEncryptionKey(wrapped, keyEncryptionKey);
  return unseal(key, row.ciphertext, row.id).toString();
}

async function addRefreshToken(
  transaction: Database,
  accountId: string,
  deps: RefreshTokenDeps,
): Promise<string> {
  const { id: encryptionKeyId, key } = await currentEncryptionKey(transaction, deps);
  const id = newId(deps.randomBytes, 'ref');
  const refreshToken = generateRefreshToken(deps.randomBytes);
  await transaction<RefreshTokenRow>('refresh_tokens').insert({
    id,
    account_id: accountId,
    hash: hashRefreshToken(deps.refreshTokenPepper, refreshToken),
    ciphertext: seal(key, Buffer.from(refreshToken), id, deps.randomBytes),
    encryption_key_id: encryptionKeyId,
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

/** Gives the account another refresh token; the one before is refused from the next call on. */
export async function replaceRefreshToken(
  db: Database,
  accountId: string,
  deps: RefreshTokenDeps,
): Promise<string> {
  return db.transaction(async (transaction) => {
    await lockInstallation(transaction);
    await transaction<RefreshTokenRow>('refresh_tokens').where({ account_id: accountId }).delete();
    return addRefreshToken(transaction, accountId, deps);
  });
}
