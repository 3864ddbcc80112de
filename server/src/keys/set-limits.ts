import type { ApiKeyRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import { limitToColumn, type Limit } from '../limit.js';

interface NewLimits {
  readonly perMinute?: Limit | undefined;
  readonly perDay?: Limit | undefined;
}

/** Changes the limits that are given and leaves the others; holds from the key's next request on. */
export async function setLimits(
  db: Database,
  keyId: number,
  { perMinute, perDay }: NewLimits,
): Promise<void> {
  await db<ApiKeyRow>('api_keys')
    .where({ id: keyId })
    .update({
      ...(perMinute === undefined ? {} : { per_minute: limitToColumn(perMinute) }),
      ...(perDay === undefined ? {} : { per_day: limitToColumn(perDay) }),
    });
}
