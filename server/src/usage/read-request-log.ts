import { z } from 'zod';
import type { Database } from '../storage/storage.js';
import { MAX_LOGGED_OF_KEY } from './pending-records.js';
import { type LogEntry, type Outcome, OUTCOMES } from './recorded-request.js';
import { LOG_KEPT_MS } from './usage-history.js';

/** A request as the log has it. */
export interface LoggedRequest {
  /** When it was answered. */
  readonly atMs: number;
  readonly operation: string;
  readonly status: number;
  readonly outcome: Outcome;
  readonly elapsedMs: number;
  readonly requestId: string;
  /** The words of its refusal, without what was sent. */
  readonly refusal: string | undefined;
  /** The address of the page that it asked for, where the account wanted it kept. */
  readonly page: string | undefined;
}

const entries: z.ZodType<LogEntry[]> = z.array(
  z.tuple([
    z.number(),
    z.string(),
    z.number(),
    z.enum(OUTCOMES),
    z.number(),
    z.string(),
    z.union([z.string(), z.literal(0)]),
  ]),
);

/** Of each entry its page. */
const pages = z.array(z.string().nullable());

interface LogRow {
  readonly entries: string;
  readonly pages: string | null;
}

/** The requests of a row, the newest first. */
function requestsFrom(row: LogRow): LoggedRequest[] {
  const pageOf = row.pages === null ? [] : pages.parse(JSON.parse(row.pages));
  return entries
    .parse(JSON.parse(row.entries))
    .map(([atMs, operation, status, outcome, elapsedMs, requestId, refusal], place) => ({
      ...{ atMs, operation, status, outcome, elapsedMs, requestId },
      refusal: refusal === 0 ? undefined : refusal,
      page: pageOf[place] ?? undefined,
    }))
    .reverse();
}

/** The last requests of a key, the newest first, as many as the log keeps. */
export async function readRequestLog(db: Database, keyId: number, nowMs: number): Promise<LoggedRequest[]> {
  const since = nowMs - LOG_KEPT_MS;
  const rows: LogRow[] = await db('request_log')
    .where({ key_id: keyId })
    .where('at', '>=', since)
    .orderBy('id', 'desc')
    .limit(MAX_LOGGED_OF_KEY)
    .select('entries', 'pages');
  return rows
    .flatMap(requestsFrom)
    .slice(0, MAX_LOGGED_OF_KEY)
    .filter(({ atMs }) => atMs >= since);
}
