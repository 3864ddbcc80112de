import { z } from 'zod';
import { LIMITS } from './limits.js';

export const usageStatistics = z
  .object({
    totalRequests: z.int().describe('Requests of this key so far, this one included.'),
    requestsToday: z.int().describe('Requests of this calendar day (UTC), this one included.'),
    requestsThisMinute: z.int().describe('Requests of this calendar minute (UTC), this one included.'),
    averageResponseTimeMs: z
      .number()
      .describe('Mean time of the answers so far in milliseconds, this one excluded; 0 before the first.'),
    lastRequestAt: z.iso
      .datetime()
      .nullable()
      .describe('When the request before this one came, ISO 8601 in UTC; null when there was none.'),
    dailyUsage: z
      .array(
        z.object({
          date: z.iso.date().describe('The day (UTC), YYYY-MM-DD.'),
          requestCount: z.int().describe('Requests of that day.'),
        }),
      )
      .length(LIMITS.usageHistoryDays)
      .describe('The last 30 days, oldest first, days without requests included.'),
  })
  .meta({ id: 'UsageStatistics', description: 'What one API key has been used for.' });

export type UsageStatistics = z.output<typeof usageStatistics>;
