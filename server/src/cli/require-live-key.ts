import { KEY_START, prefixOf } from '../keys/api-key.js';
import { findKeysByPrefix } from '../keys/find-keys.js';
import type { Key } from '../keys/key.js';
import { ServiceError } from '../service-error.js';
import type { Database } from '../storage/storage.js';
import { table } from './table.js';
import { shownTime } from './time.js';

const refusal = (message: string) => new ServiceError('invalidRequest', message);

/**
 * The one live key whose prefix begins with these characters; throws a ServiceError where there is none, or lists
 * them where there are several. A whole key, pasted by mistake, stands for its prefix and is not repeated.
 */
export async function requireLiveKey(db: Database, text: string): Promise<Key> {
  const start = prefixOf(text);
  if (!start.startsWith(KEY_START) || start === KEY_START) {
    throw refusal(
      `A key's prefix looks like ${KEY_START}AbCd1234. "signpost key list --account E" shows them.`,
    );
  }
  const keys = await findKeysByPrefix(db, start);
  const live = keys.filter((key) => key.revokedAtMs === null);
  const [key] = live;
  if (key !== undefined && live.length === 1) return key;
  if (key !== undefined) {
    const matches = table(
      ['KEY', 'ACCOUNT', 'PROJECT'],
      live.map((match) => [match.prefix, match.accountEmail, match.projectName]),
    );
    throw refusal(
      `${live.length} keys begin with ${start}. Write more of the one that is meant:\n${matches.trimEnd()}`,
    );
  }
  const [revoked] = keys;
  if (revoked !== undefined) {
    throw refusal(
      `The key ${revoked.prefix} was revoked on ${shownTime(revoked.revokedAtMs)}. Make a new one instead.`,
    );
  }
  throw refusal(
    `No key begins with ${start}. "signpost key list --account E" shows an account's keys; case matters.`,
  );
}
