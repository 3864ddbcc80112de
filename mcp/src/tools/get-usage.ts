import { usageStatistics } from '@signpost/contract';
import { z } from 'zod';
import { defineTool, READ_ONLY } from './tool.js';
import { structured } from './tool-result.js';

export const getUsage = defineTool({
  name: 'get_usage',
  title: 'Get usage statistics',
  description:
    'How many requests this API key (or, without a server, this process) has made: in all, today, this minute and per day for 30 days, with the mean response time. Days and minutes are UTC.',
  annotations: { ...READ_ONLY, idempotentHint: false },
  input: z.strictObject({}),
  output: usageStatistics,
  async run(_input, { backend, signal }) {
    const usage = await backend.call('getUsage', undefined, { signal });
    const busyDays = usage.dailyUsage
      .filter(({ requestCount }) => requestCount > 0)
      .map(({ date, requestCount }) => `${date}: ${requestCount}`);
    const lines = [
      `Requests: ${usage.totalRequests} in all, ${usage.requestsToday} today, ${usage.requestsThisMinute} this minute, this one included.`,
      `Mean response time: ${usage.averageResponseTimeMs} ms. Request before this one: ${usage.lastRequestAt ?? 'none'}.`,
      `Days with requests, of the last ${usage.dailyUsage.length}: ${busyDays.join(', ') || 'none'}.`,
    ];
    return structured(lines.join('\n'), usage);
  },
});
