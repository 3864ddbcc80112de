import { listProjects } from '../accounts/list-projects.js';
import { listKeys } from '../keys/find-keys.js';
import { ServiceError } from '../service-error.js';
import type { Database } from '../storage/storage.js';

/** Limits hold per key: without a cap on keys, whoever signs up has no limit. The command line makes more. */
const MOST_PROJECTS = 20;
const MOST_LIVE_KEYS = 20;

/** Throws a ServiceError where an account has as many projects as people may make themselves. */
export async function checkProjectCap(db: Database, accountId: string): Promise<void> {
  const projects = await listProjects(db, accountId);
  if (projects.length < MOST_PROJECTS) return;
  throw new ServiceError(
    'invalidRequest',
    `You have ${projects.length} projects, the most that an account may make. Ask the operator for more.`,
  );
}

/** The same for keys that are not revoked. */
export async function checkKeyCap(db: Database, accountId: string): Promise<void> {
  const live = (await listKeys(db, accountId)).filter(({ revokedAtMs }) => revokedAtMs === null);
  if (live.length < MOST_LIVE_KEYS) return;
  throw new ServiceError(
    'invalidRequest',
    `You have ${live.length} live keys, the most that an account may make. Revoke one, or ask the operator for more.`,
  );
}
