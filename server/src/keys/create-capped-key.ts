import { ServiceError } from '../service-error.js';
import { lockAccount } from '../storage/lock-account.js';
import type { Database } from '../storage/storage.js';
import { createKey, type CreatedKey, type KeyMaker } from './create-key.js';

/** Limits hold per key: without a cap on keys, whoever signs up has no limit. The command line makes more. */
const MOST_KEYS = 20;
const dayMs = 86_400_000;

interface CappedKey {
  readonly accountId: string;
  /** A project of that account. */
  readonly projectId: string;
}

/** Keys that are live, and those of today that are revoked: both have had an allowance of today. */
async function countKeys(db: Database, accountId: string, nowMs: number) {
  const counts = await db('api_keys')
    .join('projects', 'projects.id', 'api_keys.project_id')
    .where('projects.account_id', accountId)
    .where((either) => {
      void either
        .whereNull('api_keys.revoked_at')
        .orWhere('api_keys.created_at', '>=', nowMs - (nowMs % dayMs));
    })
    .count({ all: 'api_keys.id', revoked: 'api_keys.revoked_at' });
  const revoked = Number(counts[0]?.['revoked'] ?? 0);
  return { live: Number(counts[0]?.['all'] ?? 0) - revoked, revoked };
}

const tooManyKeys = (live: number, revoked: number) =>
  new ServiceError(
    'invalidRequest',
    live >= MOST_KEYS
      ? `You have ${live} live keys, the most that an account may make. Revoke one, or ask the operator for more; ` +
          'a key of today (UTC) makes room tomorrow.'
      : `You have ${live} live keys and revoked ${revoked} of those made today (UTC); an account may have ` +
          `${MOST_KEYS} of both. Try again tomorrow, or ask the operator for more.`,
  );

/**
 * Makes a key for a project as `createKey` does, where the account has not made as many as people may make themselves.
 * Throws a ServiceError where it has, however many ask at once.
 */
export async function createCappedKey(
  db: Database,
  maker: KeyMaker,
  { accountId, projectId }: CappedKey,
): Promise<CreatedKey> {
  return db.transaction(async (transaction) => {
    await lockAccount(transaction, { id: accountId });
    const { live, revoked } = await countKeys(transaction, accountId, maker.clock());
    if (live + revoked >= MOST_KEYS) throw tooManyKeys(live, revoked);
    return createKey(transaction, maker, { projectId });
  });
}
