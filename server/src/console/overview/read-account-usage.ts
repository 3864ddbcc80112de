import { listKeys } from '../../keys/find-keys.js';
import type { Key } from '../../keys/key.js';
import type { Database } from '../../storage/storage.js';
import type { Limits } from '../../usage/admission.js';
import { limitsInForce, readKeyUsage, remainingOf } from '../../usage/read-key-usage.js';
import { sumDailyUsage } from './sum-daily-usage.js';
import type { DailyUsage } from '../chart/usage-words.js';

/** A key and what matters of it at a glance. */
export interface UsedKey {
  readonly key: Key;
  readonly limits: Limits;
  readonly requestsToday: number;
  /** Null where there is no limit. */
  readonly leftToday: number | null;
}

export interface AccountUsage {
  readonly usedKeys: readonly UsedKey[];
  /** Of all keys together, revoked ones included. */
  readonly dailyUsage: DailyUsage;
}

const UNUSED = { requestsToday: 0, requestsThisMinute: 0, dailyUsage: [] };

/** The keys of an account, oldest first, with what they used; a key that was never used costs no query. */
export async function readAccountUsage(
  db: Database,
  accountId: string,
  { nowMs, defaultLimits }: { readonly nowMs: number; readonly defaultLimits: Limits },
): Promise<AccountUsage> {
  const read = async (key: Key) => {
    const usage = key.lastUsedAtMs === null ? UNUSED : await readKeyUsage(db, key.id, nowMs);
    const limits = limitsInForce(key, defaultLimits);
    const { perDay } = remainingOf(limits, usage);
    return {
      usedKey: { key, limits, requestsToday: usage.requestsToday, leftToday: perDay },
      dailyUsage: usage.dailyUsage,
    };
  };
  const keys = await Promise.all((await listKeys(db, accountId)).map(read));
  return {
    usedKeys: keys.map(({ usedKey }) => usedKey),
    dailyUsage: sumDailyUsage(
      keys.map(({ dailyUsage }) => dailyUsage),
      nowMs,
    ),
  };
}
