import { z } from 'zod';
import { API_KEY_ERRORS } from './errors.js';
import { LIMITS } from './limits.js';
import { type Operation, optionalHeader, stringHeader } from './operation.js';

/**
 * The response header that names the project of the key, percent-encoded, so that callers can see to which of their
 * projects a program's key belongs.
 */
export const PROJECT_HEADER = 'X-Signpost-Project';

export const usageStatistics = z
  .object({
    totalRequests: z.int().describe('Requests of this key so far, this one included.'),
    requestsToday: z.int().describe('Requests of this calendar day (UTC), this one included.'),
    requestsThisMinute: z.int().describe('Requests of this calendar minute (UTC), this one included.'),
    averageResponseTimeMs: z
      .number()
      .describe('Mean response time so far in milliseconds, without this request; 0 for the first.'),
    lastRequestAt: z.iso
      .datetime()
      .describe(
        'When the request before this one came, ISO 8601 in UTC. If this is the first request of the key, when this one came.',
      ),
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
  .meta({ id: 'UsageStatistics', description: 'How much one API key has been used.' });

export const usageOperations = {
  getUsage: {
    interface: 'A',
    authentication: 'apiKey',
    method: 'GET',
    path: '/api/usage',
    tag: 'Usage',
    title: 'Get usage statistics',
    description: 'Says how much the API key has been used; this request counts too.',
    response: { kind: 'json', schema: usageStatistics },
    responseHeaders: {
      [PROJECT_HEADER]: optionalHeader(stringHeader('The name of the project of the key, percent-encoded.')),
    },
    errors: API_KEY_ERRORS,
    n8n: {
      name: 'Get',
      action: 'Get usage of API key',
      description: 'Get how much the API key has been used, in total, today, this minute and by day',
    },
    mcp: {
      description:
        'How many requests this API key (or, without a server, this process) has made: in all, today, this minute and per day for 30 days, with the mean response time. Days and minutes are UTC.',
    },
  },
} as const satisfies Record<string, Operation>;

export type UsageStatistics = z.output<typeof usageStatistics>;
