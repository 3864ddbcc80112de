import type { KeyObject } from 'node:crypto';
import { lockInstallation } from '../storage/lock-installation.js';
import type { PreparedQueries } from '../storage/prepared-queries.js';
import type { SigningKeyRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import type { KeyMaker } from './key-maker.js';
import {
  newSigningKey,
  privateKeyOf,
  publicJwkOf,
  publicKeyOf,
  stillVerifies,
  type PublicJwk,
} from './signing-key.js';

type ActiveKeyRow = Pick<SigningKeyRow, 'id' | 'private_key'>;

const ACTIVE_KEY = 'SELECT id, private_key FROM signing_keys WHERE retired_at IS NULL';

/** The key that signs now. */
export interface SigningKey {
  readonly id: string;
  readonly privateKey: KeyObject;
}

/** The keys that sign access tokens; each is decrypted once, and which one signs is asked of the database. */
export class SigningKeys {
  private readonly privateKeys = new Map<string, KeyObject>();
  private readonly publicKeys = new Map<string, KeyObject>();

  constructor(
    private readonly db: Database,
    private readonly queries: PreparedQueries,
    private readonly maker: KeyMaker,
  ) {}

  /** The key that signs now, made where there is none yet. */
  async current(): Promise<SigningKey> {
    const [stored] = await this.queries.all<ActiveKeyRow>(ACTIVE_KEY, []);
    const row = stored ?? (await this.make());
    let privateKey = this.privateKeys.get(row.id);
    if (privateKey === undefined) {
      privateKey = privateKeyOf(row, this.maker.keyEncryptionKey);
      this.privateKeys.set(row.id, privateKey);
    }
    return { id: row.id, privateKey };
  }

  /** The public half of one of our keys; it says nothing of whether that key still verifies. */
  async publicKey(id: string): Promise<KeyObject | undefined> {
    const known = this.publicKeys.get(id);
    if (known !== undefined) return known;
    const row = await this.db<SigningKeyRow>('signing_keys').where({ id }).first('public_key');
    if (row === undefined) return undefined;
    const publicKey = publicKeyOf(row);
    this.publicKeys.set(id, publicKey);
    return publicKey;
  }

  /** Every key that verifies now, the newest first. */
  async verifying(): Promise<readonly PublicJwk[]> {
    await this.current();
    const rows: SigningKeyRow[] = await this.db<SigningKeyRow>('signing_keys').orderBy('created_at', 'desc');
    const nowMs = this.maker.clock();
    return rows.filter((row) => stillVerifies(row.retired_at, nowMs)).map(publicJwkOf);
  }

  /** Of servers that need the first key at once one makes it. */
  private make(): Promise<ActiveKeyRow> {
    return this.db.transaction(async (transaction) => {
      await lockInstallation(transaction);
      const there: SigningKeyRow | undefined = await transaction<SigningKeyRow>('signing_keys')
        .whereNull('retired_at')
        .first();
      if (there !== undefined) return there;
      const row = newSigningKey(this.maker);
      await transaction<SigningKeyRow>('signing_keys').insert(row);
      return row;
    });
  }
}
