import type { Key } from '../../keys/key.js';
import type { Database } from '../../storage/storage.js';
import type { Limits } from '../../usage/admission.js';
import { leftOf, limitsInForce, readUsageOfAccount } from '../../usage/read-key-usage.js';
import type { DailyUsage } from '../chart/usage-words.js';

/** A key and what matters of it at a glance. */
export interface UsedKey {
  readonly key: Key;
  readonly limits: Limits;
  readonly requestsToday: number;
  /** Null where there is no limit. */
  readonly leftToday: number | null;
}

export interface UsageOfKeys {
  /** Of all keys together, revoked ones included. */
  readonly dailyUsage: DailyUsage;
  readonly of: (key: Key) => UsedKey;
}

/** Reads what the keys of an account used. */
export async function readAccountUsage(
  db: Database,
  accountId: string,
  { nowMs, defaultLimits }: { readonly nowMs: number; readonly defaultLimits: Limits },
): Promise<UsageOfKeys> {
  const { dailyUsage, requestsTodayOf } = await readUsageOfAccount(db, accountId, nowMs);
  return {
    dailyUsage,
    of: (key) => {
      const limits = limitsInForce(key, defaultLimits);
      const requestsToday = requestsTodayOf.get(key.id) ?? 0;
      return { key, limits, requestsToday, leftToday: leftOf(limits.perDay, requestsToday) };
    },
  };
}
