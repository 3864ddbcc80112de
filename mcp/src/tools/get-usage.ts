import { PROJECT_HEADER, usageStatistics } from '@signpost/contract';
import { z } from 'zod';
import { SignpostApiError } from '../client/signpost-api-error.js';
import { errorWords } from './error-words.js';
import { quoted, visibleLine } from './foreign-text.js';
import { describeLimits, type RateLimit, rateLimitsOf } from './rate-limits.js';
import { defineTool, READ_ONLY, toolInfo } from './tool.js';
import { failure, structured } from './tool-result.js';

const NO_ARGUMENTS = z.strictObject({});
const TOO_MANY_REQUESTS = 429;

/**
 * The name of the key's project, from a header of the response; undefined if that header is missing, blank or
 * malformed.
 */
function projectOf(headers: Readonly<Record<string, string>>): string | undefined {
  try {
    const name = visibleLine(decodeURIComponent(headers[PROJECT_HEADER.toLowerCase()] ?? ''));
    return name === '' ? undefined : name;
  } catch {
    return undefined;
  }
}

export const getUsage = defineTool({
  ...toolInfo('getUsage'),
  // Not idempotent, because this call is metered too.
  annotations: { ...READ_ONLY, idempotentHint: false },
  input: NO_ARGUMENTS,
  // The result may also have `project`. This schema leaves it out, because every model would pay tokens for it.
  output: usageStatistics.extend({ limits: z.array(z.looseObject({ window: z.string() })) }),
  async run(_input, { backend, signal }) {
    let limits: readonly RateLimit[] = [];
    let project: string | undefined;
    const onHeaders = (headers: Readonly<Record<string, string>>) => {
      limits = rateLimitsOf(headers);
      project = projectOf(headers);
    };
    try {
      const usage = await backend.call('getUsage', undefined, { signal, onHeaders });
      const busyDays = usage.dailyUsage
        .filter(({ requestCount }) => requestCount > 0)
        .map(({ date, requestCount }) => `${date}: ${requestCount}`);
      const previous = usage.totalRequests > 1 ? usage.lastRequestAt : 'none, this is the first';
      const lines = [
        ...(project === undefined ? [] : [`Project: ${quoted(project)}.`]),
        `Requests: ${usage.totalRequests} in all, ${usage.requestsToday} today, ${usage.requestsThisMinute} this minute, this one included.`,
        describeLimits(limits),
        `Mean response time: ${usage.averageResponseTimeMs} ms. Request before this one: ${previous}.`,
        `Days with requests, of the last ${usage.dailyUsage.length}: ${busyDays.join(', ') || 'none'}.`,
      ];
      return structured(lines.join('\n'), {
        ...usage,
        ...(project === undefined ? {} : { project }),
        limits,
      });
    } catch (error) {
      if (!(error instanceof SignpostApiError) || error.status !== TOO_MANY_REQUESTS) throw error;
      return failure(`${errorWords(error, new Set())}\n${describeLimits(limits)}`);
    }
  },
});
