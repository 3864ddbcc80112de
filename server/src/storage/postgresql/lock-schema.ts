import { ServiceError } from '../../service-error.js';
import type { Database } from '../storage.js';

/** A lock that every Signpost takes before it looks at the schema; a number that says nothing but that. */
const SCHEMA_LOCK = 0x53_67_6e_70;

/** Throws a ServiceError where there are tables but not ours: a name of ours may be another program's. */
async function refuseForeignDatabase(transaction: Database): Promise<void> {
  if (await transaction.schema.hasTable('installation')) return;
  const tables = await transaction('information_schema.tables')
    .where({ table_schema: transaction.raw('current_schema()') })
    .count({ tables: '*' });
  if (Number(tables[0]?.['tables'] ?? 0) === 0) return;
  throw new ServiceError(
    'internal',
    'The database holds the tables of another program. Make a database for Signpost alone and name that one in ' +
      'SIGNPOST_DATABASE_URL.',
  );
}

/** Makes other servers that start wait until the transaction ends, and refuses another program's database. */
export async function lockSchema(transaction: Database): Promise<void> {
  await transaction.raw('SELECT pg_advisory_xact_lock(?)', [SCHEMA_LOCK]);
  // Large tables take their time to change; who waits for the lock is not kept waiting for as long.
  await transaction.raw('SET LOCAL statement_timeout = 0');
  await refuseForeignDatabase(transaction);
}
