import { usageStatistics } from '@signpost/contract';
import { z } from 'zod';
import { defineTool, READ_ONLY, toolInfo } from './tool.js';
import { structured } from './tool-result.js';

export const getUsage = defineTool({
  ...toolInfo('getUsage'),
  // Not idempotent: this call is metered too.
  annotations: { ...READ_ONLY, idempotentHint: false },
  input: z.strictObject({}),
  output: usageStatistics,
  async run(_input, { backend, signal }) {
    const usage = await backend.call('getUsage', undefined, { signal });
    const busyDays = usage.dailyUsage
      .filter(({ requestCount }) => requestCount > 0)
      .map(({ date, requestCount }) => `${date}: ${requestCount}`);
    const previous = usage.totalRequests > 1 ? usage.lastRequestAt : 'none, this is the first';
    const lines = [
      `Requests: ${usage.totalRequests} in all, ${usage.requestsToday} today, ${usage.requestsThisMinute} this minute, this one included.`,
      `Mean response time: ${usage.averageResponseTimeMs} ms. Request before this one: ${previous}.`,
      `Days with requests, of the last ${usage.dailyUsage.length}: ${busyDays.join(', ') || 'none'}.`,
    ];
    return structured(lines.join('\n'), usage);
  },
});
