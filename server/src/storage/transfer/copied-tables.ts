import { INSTALLATION_ID, type InstallationRow } from '../rows.js';
import type { Database } from '../storage.js';

interface CopiedTable {
  readonly name: string;
  /** The columns of the primary key. */
  readonly key: readonly string[];
}

/** The table of API keys. Running servers remember the ids of keys. */
export const KEYS_TABLE = 'api_keys';

/** The audit, whose entries cannot be removed before their time: restoring adds to the existing ones. */
export const AUDIT_TABLE = 'audit';

/** The tables in every copy of the data. Each follows those that it refers to, and large ones are last. */
export const COPIED_TABLES: readonly CopiedTable[] = [
  { name: 'installation', key: ['id'] },
  { name: 'accounts', key: ['id'] },
  { name: 'projects', key: ['id'] },
  { name: KEYS_TABLE, key: ['id'] },
  { name: 'inbox_requests', key: ['id'] },
  { name: 'oauth_clients', key: ['id'] },
  { name: 'oauth_connections', key: ['id'] },
  { name: 'oauth_access_tokens', key: ['hash'] },
  { name: 'signing_keys', key: ['id'] },
  { name: 'encryption_keys', key: ['id'] },
  { name: 'refresh_tokens', key: ['id'] },
  { name: 'second_factors', key: ['id'] },
  { name: 'recovery_codes', key: ['hash'] },
  { name: 'return_urls', key: ['id'] },
  { name: 'return_url_consents', key: ['account_id', 'return_url_id'] },
  { name: 'capture_links', key: ['id'] },
  { name: AUDIT_TABLE, key: ['id'] },
  { name: 'usage_days', key: ['key_id', 'day'] },
  { name: 'usage_minutes', key: ['key_id', 'minute'] },
  {
    name: 'usage_counts',
    key: ['span_minutes', 'start_minute', 'key_id', 'operation', 'outcome'],
  },
  { name: 'request_log', key: ['key_id', 'id'] },
];

/** Sessions are neither copied nor kept: an owner may have been signed out for a reason since the copy was made. */
export const SESSIONS_TABLE = 'sessions';

/** Identifies a database by its secret, and says how much data would be lost if it were replaced. */
export interface Occupancy {
  /** The fingerprint of the secret that it was set up with; undefined if it was not set up. */
  readonly secretFingerprint: string | undefined;
  readonly accounts: number;
  readonly keys: number;
}

async function countRows(db: Database, table: string): Promise<number> {
  const [row] = await db(table).count({ rows: '*' });
  return Number(row?.['rows'] ?? 0);
}

export async function readOccupancy(db: Database): Promise<Occupancy> {
  const row = await db<InstallationRow>('installation').where({ id: INSTALLATION_ID }).first();
  return {
    secretFingerprint: row?.secret_fingerprint,
    accounts: await countRows(db, 'accounts'),
    keys: await countRows(db, KEYS_TABLE),
  };
}
