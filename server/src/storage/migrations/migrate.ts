import type { Knex } from 'knex';
import { z } from 'zod';
import { ServiceError } from '../../platform/errors.js';
import type { Database } from '../storage.js';
import { accountsAndKeys } from './001-accounts-and-keys.js';
import { tokensAndSessions } from './002-tokens-and-sessions.js';
import { minuteHistory } from './003-minute-history.js';
import { capturesPerAccount } from './004-captures-per-account.js';
import { triesAndWriteProbe } from './005-tries-and-write-probe.js';
import { accountLimits } from './006-account-limits.js';
import { sessionsAndSecondFactor } from './007-sessions-and-second-factor.js';
import { sealedPeppers } from './008-sealed-peppers.js';
import { audit } from './009-audit.js';
import { connections } from './010-connections.js';
import { linkedFiles } from './011-linked-files.js';
import { requestRecords } from './012-request-records.js';
import { findKeys } from './013-find-keys.js';
import { keyLife } from './014-key-life.js';
import { inboxAndLinks } from './015-inbox-and-links.js';
import { signUpSetting } from './016-sign-up.js';
import { disabledAndEndedKeys } from './017-disabled-and-ended-keys.js';
import { pagesOfRequests } from './018-pages-of-requests.js';
import { connectionTokens } from './019-connection-tokens.js';
import { outcomesOfLog } from './020-outcomes-of-log.js';
import { returnUrlConsents } from './021-return-url-consents.js';
import { captureLinks } from './022-capture-links.js';
import { keyPermissions } from './023-key-permissions.js';

/** One migration. The database identifies it by its name, which must never change. */
interface ForwardMigration {
  readonly name: string;
  readonly up: (db: Database) => Promise<void>;
}

/** All migrations, oldest first. A released migration is never changed. */
export const MIGRATIONS: readonly ForwardMigration[] = [
  accountsAndKeys,
  tokensAndSessions,
  minuteHistory,
  capturesPerAccount,
  triesAndWriteProbe,
  accountLimits,
  sessionsAndSecondFactor,
  sealedPeppers,
  audit,
  connections,
  linkedFiles,
  requestRecords,
  findKeys,
  keyLife,
  inboxAndLinks,
  signUpSetting,
  disabledAndEndedKeys,
  pagesOfRequests,
  connectionTokens,
  outcomesOfLog,
  returnUrlConsents,
  captureLinks,
  keyPermissions,
];

const TABLE = 'migrations';

const sourceOf = (migrations: readonly ForwardMigration[]): Knex.MigrationSource<ForwardMigration> => ({
  getMigrations: () => Promise.resolve([...migrations]),
  getMigrationName: (migration) => migration.name,
  getMigration: ({ name, up }) =>
    Promise.resolve({
      up,
      // Migrations cannot be undone: old data is restored from a backup instead.
      down: () => Promise.reject(new Error(`The migration ${name} cannot be undone; restore a backup.`)),
    }),
});

/** Applies the migrations that have not been applied yet. Returns their names. */
export async function applyMigrations(
  transaction: Database,
  migrations: readonly ForwardMigration[],
): Promise<readonly string[]> {
  const settings = { migrationSource: sourceOf(migrations), tableName: TABLE };
  const [, names] = z
    .tuple([z.number(), z.array(z.string())])
    .parse(await transaction.migrate.latest(settings));
  return names;
}

/** Throws a ServiceError if the database is of a newer version. Returns whether the database is new. */
async function rejectNewerSchema(db: Database): Promise<boolean> {
  if (!(await db.schema.hasTable(TABLE))) return true;
  const known = new Set(MIGRATIONS.map(({ name }) => name));
  const applied = await db<{ name: string }>(TABLE).orderBy('id').pluck('name');
  const unknown = applied.filter((name) => !known.has(name));
  if (unknown.length === 0) return applied.length === 0;
  throw new ServiceError(
    'internal',
    `The database was written by a newer version of Signpost (it has the migration ${unknown.join(', ')}). ` +
      'Start that version or a newer one, or restore the backup from before the update.',
  );
}

/**
 * Applies all missing migrations or none. Throws a ServiceError if the database is of a newer version. `lock`
 * makes other servers that start at the same time wait until the transaction ends. `log` receives a line if an existing
 * database has been upgraded.
 */
export async function migrate(
  db: Database,
  lock: (transaction: Database) => Promise<void>,
  log: (message: string) => void,
): Promise<void> {
  const upgraded = await db.transaction(async (transaction) => {
    await lock(transaction);
    const isNew = await rejectNewerSchema(transaction);
    const names = await applyMigrations(transaction, MIGRATIONS);
    return isNew ? [] : names;
  });
  if (upgraded.length > 0)
    log(
      `The database was upgraded for this version: ${upgraded.join(', ')}. Older versions cannot use it any more.`,
    );
}
