import { errorCode, ServiceError } from '../../platform/errors.js';
import { HOUR_MS } from '../../platform/time-units.js';
import { lockSchema } from '../postgresql/postgresql-storage.js';
import { lockInstallation } from '../locks.js';
import { type Database, dialectOf } from '../storage.js';
import { WRITE_PROBE_TABLE } from '../write-probe.js';
import { COPIED_TABLES, SESSIONS_TABLE } from './copied-tables.js';

/** The timeout of statements on whole tables. Other statements time out much sooner. */
const QUERY_TIMEOUT_MS = HOUR_MS;

interface Query<Self> {
  options(options: Readonly<Record<string, number>>): Self;
}

/** Sets the driver's timeout of one statement to QUERY_TIMEOUT_MS. */
export const withoutTimeout = <Self extends Query<Self>>(query: Self): Self =>
  query.options({ query_timeout: QUERY_TIMEOUT_MS });

/** How long to wait for a lock on PostgreSQL: less than the driver's timeout. */
const LOCK_TIMEOUT = '10s';

/**
 * Makes others that write to the copied tables, sessions or the write probe, such as the meter, wait until the
 * transaction ends. They can still read the old data. Call it first in a transaction.
 */
async function lockTables(transaction: Database): Promise<void> {
  if (dialectOf(transaction) === 'sqlite') {
    await lockInstallation(transaction);
    return;
  }
  await transaction.raw(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
  await lockSchema(transaction);
  const names = [...COPIED_TABLES.map(({ name }) => name), SESSIONS_TABLE, WRITE_PROBE_TABLE];
  await withoutTimeout(
    transaction.raw(`LOCK TABLE ${names.map(() => '??').join(', ')} IN EXCLUSIVE MODE`, names),
  );
}

/**
 * How often to try: a server that writes two tables in another order may deadlock with this transaction, and then
 * PostgreSQL cancels the transaction of one of them.
 */
const MAX_TRIES = 10;
const DEADLOCK = '40P01';
const LOCK_TIMED_OUT = '55P03';

/**
 * Runs a transaction, all or nothing, during which nobody else writes to the tables that `lockTables` names. Calls
 * `write` again if PostgreSQL cancelled the transaction because of a deadlock. Throws a ServiceError if another
 * transaction keeps PostgreSQL's tables locked.
 */
export async function writeExclusively<Result>(
  db: Database,
  write: (transaction: Database) => Promise<Result>,
  triesLeft = MAX_TRIES,
): Promise<Result> {
  try {
    return await db.transaction(async (transaction) => {
      await lockTables(transaction);
      return write(transaction);
    });
  } catch (error) {
    if (errorCode(error) === DEADLOCK && triesLeft > 1) return writeExclusively(db, write, triesLeft - 1);
    if (errorCode(error) !== LOCK_TIMED_OUT) throw error;
    throw new ServiceError(
      'internal',
      'Another program keeps the database locked, perhaps another restore. Nothing was changed; try again later.',
      { detail: 'A lock was not had in time.' },
    );
  }
}
