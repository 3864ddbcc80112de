import { limitToColumn, type Limit } from '../limit.js';
import type { AccountRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';

interface NewAccountLimits {
  readonly captures?: Limit | undefined;
}

/** Changes the limits that are given and leaves the others; holds within seconds on every server. */
export async function setAccountLimits(
  db: Database,
  accountId: string,
  { captures }: NewAccountLimits,
): Promise<void> {
  if (captures === undefined) return;
  await db<AccountRow>('accounts')
    .where({ id: accountId })
    .update({ captures: limitToColumn(captures) });
}
