import type { KeyObject } from 'node:crypto';
import type { DomainContext } from '../audit/domain-context.js';
import { seal, unseal } from '../secret/sealing.js';
import { lockInstallation } from '../storage/locks.js';
import type { EncryptionKeyRow, SigningKeyRow } from '../storage/rows.js';
import { type Database, inTransaction } from '../storage/storage.js';
import { addEncryptionKey, type KeyDeps, type SealedSecret, unwrapEncryptionKey } from './encryption-key.js';
import { ACCESS_TOKEN_LIFETIME_MS, addSigningKey, stillVerifies } from './signing-keys.js';

interface RotatedKeys {
  /** The id of the new signing key. */
  readonly signingKeyId: string;
  /** By when the last token of the old key has expired. */
  readonly oldTokensEndAtMs: number;
  /** How many refresh tokens were encrypted again. The tokens themselves stay the same. */
  readonly refreshTokens: number;
  /** How many secrets of second factors were encrypted again. The secrets themselves stay the same. */
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

/**
 * The tables with secrets that are sealed with an encryption key. Each secret is sealed with its row's id as `name`.
 */
const SEALED_TABLES = ['refresh_tokens', 'second_factors', 'capture_links'] as const;

/**
 * Encrypts the secrets in `SEALED_TABLES` again with a new key, and deletes all other encryption keys. Returns the
 * number of rows of each table, in the order of `SEALED_TABLES`.
 */
async function encryptAgain(transaction: Database, deps: KeyDeps): Promise<number[]> {
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

export interface RotationContext extends DomainContext {
  /** Encrypts the keys that sign and encrypt. */
  readonly keyEncryptionKey: KeyObject;
}

/**
 * Makes new keys for signing and encryption in one transaction. Servers sign their next token with the new key. The
 * old signing key verifies until its last token has expired. Everything that the old encryption key encrypted is
 * encrypted again.
 */
export async function rotateKeys(context: RotationContext): Promise<RotatedKeys> {
  const { db, clock, audit, actor } = context;
  return inTransaction(db, async (transaction) => {
    await lockInstallation(transaction);
    const signingKeyId = await replaceSigningKey(transaction, context);
    const [refreshTokens = 0, secondFactors = 0] = await encryptAgain(transaction, context);
    await audit.record(transaction, actor, { kind: 'secret.rotated', detail: signingKeyId });
    return {
      signingKeyId,
      oldTokensEndAtMs: clock() + ACCESS_TOKEN_LIFETIME_MS,
      refreshTokens,
      secondFactors,
    };
  });
}

export interface ListedSigningKey {
  readonly id: string;
  readonly createdAtMs: number;
  /** By when the last token of the key has expired; null for the current signing key. */
  readonly verifiesUntilMs: number | null;
}

/** The signing keys that still verify, newest first. */
export async function listSigningKeys({
  db,
  clock,
}: Pick<DomainContext, 'db' | 'clock'>): Promise<ListedSigningKey[]> {
  const rows: SigningKeyRow[] = await db<SigningKeyRow>('signing_keys').orderBy('created_at', 'desc');
  const verifying = rows.filter((row) => stillVerifies(row.retired_at, clock()));
  return verifying.map(({ id, created_at: createdAtMs, retired_at: retiredAtMs }) => ({
    id,
    createdAtMs,
    verifiesUntilMs: retiredAtMs === null ? null : retiredAtMs + ACCESS_TOKEN_LIFETIME_MS,
  }));
}
