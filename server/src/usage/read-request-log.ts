import { z } from 'zod';
import type { Database } from '../storage/storage.js';
import { LOGGED_OF_KEY, type LogEntry, type Outcome, OUTCOMES } from './recorded-request.js';
import { LOG_KEPT_MS } from './usage-history.js';

/** A logged request. */
export interface LoggedRequest {
  /** When the response was sent. */
  readonly atMs: number;
  readonly operation: string;
  readonly status: number;
  readonly outcome: Outcome;
  readonly elapsedMs: number;
  readonly requestId: string;
  /** The message of the rejection, without the values that were sent. */
  readonly refusal: string | undefined;
  /** The address of the page to capture, if the account wants it logged. */
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

/** The page address of each entry. */
const pages = z.array(z.string().nullable());

interface LogRow {
  readonly entries: string;
  readonly pages: string | null;
}

/** The requests of a row, newest first. */
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

/** The latest requests of a key, newest first: as many of each outcome as the log keeps. */
export async function readRequestLog(db: Database, keyId: number, nowMs: number): Promise<LoggedRequest[]> {
  const since = nowMs - LOG_KEPT_MS;
  const rows: LogRow[] = await db('request_log')
    .where({ key_id: keyId })
    .where('at', '>=', since)
    .orderBy('id', 'desc')
    .select('entries', 'pages');
  const left = { ...LOGGED_OF_KEY };
  return rows
    .flatMap(requestsFrom)
    .filter(({ atMs }) => atMs >= since)
    .toSorted((one, other) => other.atMs - one.atMs)
    .filter(({ outcome }) => (left[outcome] -= 1) >= 0);
}
