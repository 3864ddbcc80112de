import type { ReadContext } from '../audit/domain-context.js';
import type { CaptureQuota } from '../capture/fair-queue.js';
import { limitFromColumn } from '../platform/limit.js';
import { keyWorks } from '../storage/key-life.js';

interface QuotaRow {
  readonly captures: number | null;
  /** The id of an enabled account other than the account of the key, no matter which; null if there is none. */
  readonly other: string | null;
}

/**
 * The number of captures that the account of a key may run at once: the account's own quota, if an operator set one,
 * otherwise the server's setting. Without either, all slots, or all but one while another account is enabled. Undefined
 * if the key does not work or its account is disabled.
 */
export async function readCaptureQuota(
  { db, clock }: ReadContext,
  keyId: number,
  setting: CaptureQuota | undefined,
): Promise<CaptureQuota | undefined> {
  const other = db('accounts as others')
    .whereNull('others.disabled_at')
    .whereNot('others.id', db.ref('accounts.id'))
    .select('others.id')
    .limit(1);
  const row: QuotaRow | undefined = await db('api_keys')
    .join('projects', 'projects.id', 'api_keys.project_id')
    .join('accounts', 'accounts.id', 'projects.account_id')
    .where({ 'api_keys.id': keyId, 'accounts.disabled_at': null })
    .whereRaw(keyWorks('api_keys'), [clock()])
    .first('accounts.captures', other.as('other'));
  if (row === undefined) return undefined;
  const own = limitFromColumn(row.captures);
  if (own !== 'default') return own === 'unlimited' ? 'whole' : own;
  return setting ?? (row.other === null ? 'whole' : 'allButOne');
}
