import type { Actor, Audit } from '../audit/audit.js';
import { seal, unseal } from '../secret/sealing.js';
import { type EncryptionKeyRow, lockInstallation, type SigningKeyRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import { addEncryptionKey, type KeyDeps, type SealedSecret, unwrapEncryptionKey } from './encryption-key.js';
import { ACCESS_TOKEN_LIFETIME_MS, addSigningKey } from './signing-keys.js';

interface RotatedKeys {
  /** The id of the key that signs from now on. */
  readonly signingKeyId: string;
  /** When tokens of the key before end at the latest. */
  readonly oldTokensEndAtMs: number;
  /** How many refresh tokens were encrypted anew; each of them stays as it is for its owner. */
  readonly refreshTokens: number;
  /** How many secrets of second factors were, which stay as they are too. */
  readonly secondFactors: number;
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

/** The tables with secrets that are shown again or compared, each sealed under its row's id. */
const SEALED_TABLES = ['refresh_tokens', 'second_factors'] as const;

/** Encrypts all that the old key held anew; answers how many of each table. */
async function encryptAnew(transaction: Database, deps: KeyDeps): Promise<number[]> {
  const oldRows: EncryptionKeyRow[] = await transaction<EncryptionKeyRow>('encryption_keys');
  const oldKeys = new Map(
    oldRows.map((row) => [row.id, unwrapEncryptionKey(row, deps.keyEncryptionKey).key]),
  );
  const { id: newKeyId, key: newKey } = await addEncryptionKey(transaction, deps);
  const counts: number[] = [];
  for (const table of SEALED_TABLES) {
    const rows: SealedSecret[] = await transaction<SealedSecret>(table);
    for (const { id, ciphertext, encryption_key_id: oldKeyId } of rows) {
      const oldKey = oldKeys.get(oldKeyId);
      if (oldKey === undefined) throw new Error(`The row ${id} of ${table} has no encryption key.`);
      const secret = unseal(oldKey, ciphertext, id);
      await transaction<SealedSecret>(table)
        .where({ id })
        .update({ ciphertext: seal(newKey, secret, id, deps.randomBytes), encryption_key_id: newKeyId });
    }
    counts.push(rows.length);
  }
  await transaction<EncryptionKeyRow>('encryption_keys')
    .whereIn('id', [...oldKeys.keys()])
    .delete();
  return counts;
}

/**
 * Makes new keys for signing and encryption, all or nothing: servers sign with the new one from their next token on,
 * the old one verifies until its last token has ended, and what the old encryption key held is encrypted anew.
 */
export function rotateKeys(db: Database, deps: KeyDeps): Promise<RotatedKeys> {
  return db.transaction(async (transaction) => {
    await lockInstallation(transaction);
    const signingKeyId = await replaceSigningKey(transaction, deps);
    const [refreshTokens = 0, secondFactors = 0] = await encryptAnew(transaction, deps);
    const oldTokensEndAtMs = deps.clock() + ACCESS_TOKEN_LIFETIME_MS;
    return { signingKeyId, oldTokensEndAtMs, refreshTokens, secondFactors };
  });
}

interface KeyRotationDeps extends KeyDeps {
  readonly db: Database;
  readonly audit: Audit;
}

/** The rotation for people, which is entered in the audit. */
export const createKeyRotation = ({ db, audit, ...deps }: KeyRotationDeps) => ({
  rotate: (actor: Actor): Promise<RotatedKeys> =>
    audit.perform(
      db,
      actor,
      (transaction) => rotateKeys(transaction, deps),
      ({ signingKeyId }) => ({ kind: 'secret.rotated', detail: signingKeyId }),
    ),

  /** The keys that sign or verify, the one that signs now first. */
  signingKeys: async () => {
    const rows = await db<SigningKeyRow>('signing_keys').orderBy('created_at', 'desc');
    return rows.map(({ id, created_at: createdAtMs, retired_at: retiredAtMs }) => ({
      id,
      createdAtMs,
      /** When its last token has ended; null for the one that signs. */
      verifiesUntilMs: retiredAtMs === null ? null : retiredAtMs + ACCESS_TOKEN_LIFETIME_MS,
    }));
  },
});

export type KeyRotation = ReturnType<typeof createKeyRotation>;
