import { ServiceError } from '../platform/errors.js';
import type { Database, PreparedQueries } from '../storage/storage.js';
import { lockAccount } from '../storage/locks.js';
import type { AccountRow, SigningKeyRow } from '../storage/rows.js';

/** The account that a token belongs to. */
export interface Identity {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
}

type HolderRow = Pick<AccountRow, 'id' | 'email' | 'name' | 'has_api_access' | 'disabled_at'>;
type SignedHolderRow = HolderRow & {
  readonly key_id: string | null;
  readonly retired_at: SigningKeyRow['retired_at'];
};

const HOLDER = 'a.id, a.email, a.name, a.has_api_access, a.disabled_at';

const BY_ID = `SELECT ${HOLDER} FROM accounts a WHERE a.id = ?`;
const BY_HASH = `SELECT ${HOLDER} FROM refresh_tokens r JOIN accounts a ON a.id = r.account_id WHERE r.hash = ?`;
const WITH_KEY = `
  SELECT ${HOLDER}, k.id AS key_id, k.retired_at
  FROM accounts a LEFT JOIN signing_keys k ON k.id = ?
  WHERE a.id = ?`;

/** The account of a token, and the state of the key that signed the token. `key` is null if that key is deleted. */
export interface SignedHolder {
  readonly identity: Identity;
  readonly key: { readonly retiredAtMs: number | null } | null;
}

/** Returns the account. Throws a ServiceError if it may not use tokens. The message says who can change that. */
function requireUsable(row: HolderRow): Identity {
  if (row.disabled_at !== null) {
    throw new ServiceError(
      'unauthorized',
      'The account of this token is disabled. Ask the operator of this server to enable it.',
    );
  }
  if (!row.has_api_access) {
    throw new ServiceError(
      'unauthorized',
      'API access is not enabled for this account. Ask the operator of this server to enable it.',
    );
  }
  return { id: row.id, email: row.email, name: row.name };
}

function requireHolder(row: HolderRow | undefined): Identity {
  if (row === undefined) throw new ServiceError('unauthorized', 'There is no such account.');
  return requireUsable(row);
}

/**
 * Locks an account, so that it cannot change until the transaction ends. Throws a ServiceError if it does not exist, is
 * disabled or has no API access.
 */
export async function lockHolder(transaction: Database, accountId: string): Promise<void> {
  await lockAccount(transaction, { id: accountId });
  requireHolder(await transaction<AccountRow>('accounts').where({ id: accountId }).first());
}

/**
 * Reads the accounts of tokens. Each method throws a ServiceError if the account is disabled or has no API access.
 */
export class TokenHolders {
  readonly #queries: PreparedQueries;

  constructor(queries: PreparedQueries) {
    this.#queries = queries;
  }

  /** The account with this id. Throws if it does not exist. */
  async byId(accountId: string): Promise<Identity> {
    const [row] = await this.#queries.all<HolderRow>(BY_ID, [accountId]);
    return requireHolder(row);
  }

  /** The account whose refresh token has this hash; undefined if no account has it. */
  async byRefreshTokenHash(hash: string): Promise<Identity | undefined> {
    const [row] = await this.#queries.all<HolderRow>(BY_HASH, [hash]);
    return row && requireUsable(row);
  }

  /** The account together with the state of a signing key, in one query; undefined if there is no such account. */
  async withSigningKey(accountId: string, signingKeyId: string): Promise<SignedHolder | undefined> {
    const [row] = await this.#queries.all<SignedHolderRow>(WITH_KEY, [signingKeyId, accountId]);
    return (
      row && {
        identity: requireUsable(row),
        key: row.key_id === null ? null : { retiredAtMs: row.retired_at },
      }
    );
  }
}
