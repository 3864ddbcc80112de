import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { LIMITS } from '@signpost/contract';
import { MINUTE_MS } from '../platform/time-units.js';
import { requireCurrentKey } from '../secret/peppers.js';
import { seal, unseal } from '../secret/sealing.js';
import { lockInstallation } from '../storage/locks.js';
import type { SigningKeyRow } from '../storage/rows.js';
import type { Database, PreparedQueries } from '../storage/storage.js';
import type { KeyDeps } from './encryption-key.js';
import { newId } from './new-id.js';

/** How long an access token is valid. */
export const ACCESS_TOKEN_LIFETIME_MS = LIMITS.accessTokenLifetimeMinutes * MINUTE_MS;

/** The public half of a key in the form that other services read (RFC 8037). */
export interface PublicJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly alg: 'EdDSA';
  readonly use: 'sig';
}

/**
 * Makes and stores an Ed25519 signing key. Its private half is sealed with `keyEncryptionKey`. Throws a ServiceError if
 * the installation's secret was replaced since this process read it. Call it in a transaction that holds the
 * installation's lock.
 */
export async function addSigningKey(
  transaction: Database,
  { keyEncryptionKey, randomBytes, clock }: KeyDeps,
): Promise<SigningKeyRow> {
  await requireCurrentKey(transaction, keyEncryptionKey);
  const id = newId(randomBytes, 'sig');
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const secret = privateKey.export({ format: 'der', type: 'pkcs8' });
  const row = {
    id,
    public_key: publicKey.export({ format: 'jwk' }).x ?? '',
    private_key: seal(keyEncryptionKey, secret, id, randomBytes),
    created_at: clock(),
    retired_at: null,
  };
  await transaction<SigningKeyRow>('signing_keys').insert(row);
  return row;
}

export const privateKeyOf = (row: Pick<SigningKeyRow, 'id' | 'private_key'>, keyEncryptionKey: KeyObject) =>
  createPrivateKey({
    key: unseal(keyEncryptionKey, row.private_key, row.id),
    format: 'der',
    type: 'pkcs8',
  });

const publicKeyOf = ({ public_key: x }: Pick<SigningKeyRow, 'public_key'>): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });

const publicJwkOf = (row: Pick<SigningKeyRow, 'id' | 'public_key'>): PublicJwk => ({
  kty: 'OKP',
  crv: 'Ed25519',
  x: row.public_key,
  kid: row.id,
  alg: 'EdDSA',
  use: 'sig',
});

/** Whether a key still verifies. A retired key does until the last token that it can have signed has expired. */
export const stillVerifies = (retiredAtMs: number | null, nowMs: number): boolean =>
  retiredAtMs === null || nowMs < retiredAtMs + ACCESS_TOKEN_LIFETIME_MS;

type ActiveKeyRow = Pick<SigningKeyRow, 'id' | 'private_key'>;

const ACTIVE_KEY = 'SELECT id, private_key FROM signing_keys WHERE retired_at IS NULL';

/** The current signing key. */
interface SigningKey {
  readonly id: string;
  readonly privateKey: KeyObject;
}

/**
 * The keys that sign access tokens. Each is decrypted once and then cached; the database says which one is current.
 */
export class SigningKeys {
  readonly #privateKeys = new Map<string, KeyObject>();
  readonly #publicKeys = new Map<string, KeyObject>();

  readonly #db: Database;
  readonly #queries: PreparedQueries;
  readonly #deps: KeyDeps;

  constructor(db: Database, queries: PreparedQueries, deps: KeyDeps) {
    this.#db = db;
    this.#queries = queries;
    this.#deps = deps;
  }

  /** Returns the current signing key, and creates it at first use. */
  async current(): Promise<SigningKey> {
    const [stored] = await this.#queries.all<ActiveKeyRow>(ACTIVE_KEY, []);
    const row = stored ?? (await this.#createFirst());
    let privateKey = this.#privateKeys.get(row.id);
    if (privateKey === undefined) {
      privateKey = privateKeyOf(row, this.#deps.keyEncryptionKey);
      this.#privateKeys.set(row.id, privateKey);
    }
    return { id: row.id, privateKey };
  }

  /**
   * The public half of the signing key with this id, which may be retired; undefined if the id is unknown. It is
   * cached, so it may be returned even after the key was deleted.
   */
  async publicKey(id: string): Promise<KeyObject | undefined> {
    const known = this.#publicKeys.get(id);
    if (known !== undefined) return known;
    const row = await this.#db<SigningKeyRow>('signing_keys').where({ id }).first('public_key');
    if (row === undefined) return undefined;
    const publicKey = publicKeyOf(row);
    this.#publicKeys.set(id, publicKey);
    return publicKey;
  }

  /** The public half of every key that still verifies, newest first. Creates the first key if there is none. */
  async verificationKeys(): Promise<readonly PublicJwk[]> {
    await this.current();
    const rows: SigningKeyRow[] = await this.#db<SigningKeyRow>('signing_keys').orderBy('created_at', 'desc');
    const nowMs = this.#deps.clock();
    return rows.filter((row) => stillVerifies(row.retired_at, nowMs)).map(publicJwkOf);
  }

  /** Makes the first key. If several servers do so at once, only one key is made. */
  #createFirst(): Promise<ActiveKeyRow> {
    return this.#db.transaction(async (transaction) => {
      await lockInstallation(transaction);
      const there: SigningKeyRow | undefined = await transaction<SigningKeyRow>('signing_keys')
        .whereNull('retired_at')
        .first();
      return there ?? addSigningKey(transaction, this.#deps);
    });
  }
}
