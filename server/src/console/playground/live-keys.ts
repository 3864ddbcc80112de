import { listKeys } from '../../keys/find-keys.js';
import type { Key } from '../../keys/key.js';
import { ServiceError } from '../../service-error.js';
import type { Database } from '../../storage/storage.js';

/** The keys of an account that may be tried with. */
export async function listLiveKeys(db: Database, accountId: string): Promise<readonly Key[]> {
  const keys = await listKeys(db, accountId);
  return keys.filter(({ revokedAtMs }) => revokedAtMs === null);
}

/** The key that a form names; refuses what is not among the visitor's own. */
export function chosenKey(keys: readonly Key[], sent: string): Key {
  const key = keys.find(({ id }) => String(id) === sent);
  if (key === undefined)
    throw new ServiceError('invalidRequest', 'Choose one of your own keys that are not revoked.');
  return key;
}
