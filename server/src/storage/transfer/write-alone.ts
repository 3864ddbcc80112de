import { errorCode } from '../../error-code.js';
import { ServiceError } from '../../service-error.js';
import type { Database } from '../storage.js';
import { lockTables } from './lock-tables.js';

/** A server that writes two tables in another order may meet the locks half taken; PostgreSQL then ends one of both. */
const MOST_TRIES = 10;
const DEADLOCK = '40P01';
const LOCK_TIMED_OUT = '55P03';

/** Runs a transaction in which nobody else writes; all of it counts or nothing. */
export async function writeAlone<Result>(
  db: Database,
  write: (transaction: Database) => Promise<Result>,
  triesLeft = MOST_TRIES,
): Promise<Result> {
  try {
    return await db.transaction(async (transaction) => {
      await lockTables(transaction);
      return write(transaction);
    });
  } catch (error) {
    if (errorCode(error) === DEADLOCK && triesLeft > 1) return writeAlone(db, write, triesLeft - 1);
    if (errorCode(error) !== LOCK_TIMED_OUT) throw error;
    throw new ServiceError(
      'internal',
      'Another program keeps the database locked, perhaps another restore. Nothing was changed; try again later.',
      { detail: 'A lock was not had in time.' },
    );
  }
}
