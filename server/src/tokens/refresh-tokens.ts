import type { KeyObject } from 'node:crypto';
import { seal, unseal } from '../secret/sealed-secret.js';
import { lockInstallation } from '../storage/lock-installation.js';
import type { EncryptionKeyRow, RefreshTokenRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import { currentEncryptionKey, unwrapEncryptionKey } from './encryption-key.js';
import { newId, type KeyMaker } from './key-maker.js';
import { generateRefreshToken, hashRefreshToken } from './refresh-token.js';

export interface RefreshTokenMaker extends KeyMaker {
  /** Under which refresh tokens are hashed. */
  readonly refreshTokenPepper: KeyObject;
}

type SealedTokenRow = Pick<RefreshTokenRow, 'id' | 'ciphertext' | 'encryption_key_id'> &
  Pick<EncryptionKeyRow, 'wrapped_key'>;

/** The account's refresh token; undefined where none was made yet. */
async function readRefreshToken(
  db: Database,
  accountId: string,
  { keyEncryptionKey }: KeyMaker,
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
  maker: RefreshTokenMaker,
): Promise<string> {
  const { id: encryptionKeyId, key } = await currentEncryptionKey(transaction, maker);
  const id = newId(maker.randomBytes, 'ref');
  const refreshToken = generateRefreshToken(maker.randomBytes);
  await transaction<RefreshTokenRow>('refresh_tokens').insert({
    id,
    account_id: accountId,
    hash: hashRefreshToken(maker.refreshTokenPepper, refreshToken),
    ciphertext: seal(key, Buffer.from(refreshToken), id, maker.randomBytes),
    encryption_key_id: encryptionKeyId,
    created_at: maker.clock(),
  });
  return refreshToken;
}

/** The account's refresh token, made where there is none; of callers at once all get the same. */
export async function obtainRefreshToken(
  db: Database,
  accountId: string,
  maker: RefreshTokenMaker,
): Promise<string> {
  const there = await readRefreshToken(db, accountId, maker);
  if (there !== undefined) return there;
  return db.transaction(async (transaction) => {
    await lockInstallation(transaction);
    const madeMeanwhile = await readRefreshToken(transaction, accountId, maker);
    return madeMeanwhile ?? addRefreshToken(transaction, accountId, maker);
  });
}

/** Gives the account another refresh token; the one before is refused from the next call on. */
export async function replaceRefreshToken(
  db: Database,
  accountId: string,
  maker: RefreshTokenMaker,
): Promise<string> {
  return db.transaction(async (transaction) => {
    await lockInstallation(transaction);
    await transaction<RefreshTokenRow>('refresh_tokens').where({ account_id: accountId }).delete();
    return addRefreshToken(transaction, accountId, maker);
  });
}
