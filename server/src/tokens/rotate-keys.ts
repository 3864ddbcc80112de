import { seal, unseal } from '../secret/sealing.js';
import {
  type EncryptionKeyRow,
  lockInstallation,
  type RefreshTokenRow,
  type SigningKeyRow,
} from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import { addEncryptionKey, type KeyDeps, unwrapEncryptionKey } from './encryption-key.js';
import { ACCESS_TOKEN_LIFETIME_MS, addSigningKey } from './signing-keys.js';

interface RotatedKeys {
  /** The id of the key that signs from now on. */
  readonly signingKeyId: string;
  /** When tokens of the key before end at the latest. */
  readonly oldTokensEndAtMs: number;
  /** How many refresh tokens were encrypted anew; each of them stays as it is for its owner. */
  readonly refreshTokens: number;
}

async function replaceSigningKey(transaction: Database, deps: KeyDeps): Promise<string> {
  const nowMs = deps.clock();
  const keys = () => transaction<SigningKeyRow>('signing_keys');
  await keys()
    .where('retired_at', '<=', nowMs - ACCESS_TOKEN_LIFETIME_MS)
    .delete();
  await keys().whereNull('retired_at').update({ retired_at: nowMs });
  return (await addSigningKey(transaction, deps)).id;
}

async function encryptAnew(transaction: Database, deps: KeyDeps): Promise<number> {
  const oldRows: EncryptionKeyRow[] = await transaction<EncryptionKeyRow>('encryption_keys');
  const oldKeys = new Map(
    oldRows.map((row) => [row.id, unwrapEncryptionKey(row, deps.keyEncryptionKey).key]),
  );
  const { id: newKeyId, key: newKey } = await addEncryptionKey(transaction, deps);
  const tokens: RefreshTokenRow[] = await transaction<RefreshTokenRow>('refresh_tokens');
  for (const { id, ciphertext, encryption_key_id: oldKeyId } of tokens) {
    const oldKey = oldKeys.get(oldKeyId);
    if (oldKey === undefined) throw new Error(`The refresh token ${id} has no encryption key.`);
    const token = unseal(oldKey, ciphertext, id);
    await transaction<RefreshTokenRow>('refresh_tokens')
      .where({ id })
      .update({ ciphertext: seal(newKey, token, id, deps.randomBytes), encryption_key_id: newKeyId });
  }
  await transaction<EncryptionKeyRow>('encryption_keys')
    .whereIn('id', [...oldKeys.keys()])
    .delete();
  return tokens.length;
}

/**
 * Makes new keys for signing and encryption, all or nothing: servers sign with the new one from their next token on,
 * the old one verifies until its last token has ended, and what the old encryption key held is encrypted anew.
 */
export function rotateKeys(db: Database, deps: KeyDeps): Promise<RotatedKeys> {
  return db.transaction(async (transaction) => {
    await lockInstallation(transaction);
    const signingKeyId = await replaceSigningKey(transaction, deps);
    return {
      signingKeyId,
      oldTokensEndAtMs: deps.clock() + ACCESS_TOKEN_LIFETIME_MS,
      refreshTokens: await encryptAnew(transaction, deps),
    };
  });
}
