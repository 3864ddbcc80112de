import type { Share } from '../capture/slots.js';
import { limitFromColumn } from '../limit.js';
import type { Database } from '../storage/storage.js';

interface ShareRow {
  readonly captures: number | null;
  /** Any other account that is enabled; null where there is none. */
  readonly other: string | null;
}

/**
 * How much of the places an account may take: what the operator gave it, or the server's setting, or else all but one
 * while another account is enabled.
 */
export async function readCaptureShare(
  db: Database,
  accountId: string,
  setting: Share | undefined,
): Promise<Share> {
  const other = db('accounts as others')
    .whereNull('others.disabled_at')
    .whereNot('others.id', accountId)
    .select('others.id')
    .limit(1);
  const row: ShareRow | undefined = await db('accounts')
    .where({ id: accountId })
    .first('captures', other.as('other'));
  const own = limitFromColumn(row?.captures ?? null);
  if (own !== 'default') return own === 'unlimited' ? 'whole' : own;
  return setting ?? (row?.other === null ? 'whole' : 'allButOne');
}
