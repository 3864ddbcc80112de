import { INSTALLATION_ID, type InstallationRow } from '../rows.js';
import type { Database } from '../storage.js';
import { KEYS_TABLE } from './tables.js';

/** Whose a database is and how much would be lost with it. */
export interface Occupancy {
  /** Of the secret that it was set up with; undefined where it was not set up. */
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
