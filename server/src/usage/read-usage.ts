import type { Database } from '../storage/storage.js';
import { usageStatistics, type ReadUsage, type UsageDay } from './usage-statistics.js';

/** Reads the statistics of keys out of the database. */
export const readUsageFrom =
  (db: Database): ReadUsage =>
  async (admission) => {
    const days = await db<UsageDay & { key_id: number }>('usage_days')
      .where({ key_id: admission.keyId })
      .select('day', 'requests', 'last_at', 'timed_requests', 'timed_ms');
    return usageStatistics(admission, days);
  };
