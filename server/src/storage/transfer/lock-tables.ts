import { lockInstallation } from '../lock-installation.js';
import { lockSchema } from '../postgresql/lock-schema.js';
import { dialectOf } from '../dialect-of.js';
import type { Database } from '../storage.js';
import { WRITE_PROBE_TABLE } from '../write-probe.js';
import { patiently } from './patiently.js';
import { COPIED_TABLES, SESSIONS_TABLE } from './tables.js';

/** Less than the driver waits for an answer, and far more than a server's transaction takes. */
const LOCK_TIMEOUT = '10s';

/**
 * Makes all others that write to these tables wait until the transaction ends, probes as well as counts; they go on
 * reading what was there before. The first thing in a transaction.
 */
export async function lockTables(transaction: Database): Promise<void> {
  if (dialectOf(transaction) === 'sqlite') {
    await lockInstallation(transaction);
    return;
  }
  await transaction.raw(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
  await lockSchema(transaction);
  const names = [...COPIED_TABLES.map(({ name }) => name), SESSIONS_TABLE, WRITE_PROBE_TABLE];
  await patiently(transaction.raw(`LOCK TABLE ${names.map(() => '??').join(', ')} IN EXCLUSIVE MODE`, names));
}
