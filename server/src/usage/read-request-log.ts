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

const requestFrom = ([
  atMs,
  operation,
  status,
  outcome,
  elapsedMs,
  requestId,
  refusal,
]: LogEntry): LoggedRequest => ({
  ...{ atMs, operation, status, outcome, elapsedMs, requestId },
  refusal: refusal === 0 ? undefined : refusal,
});

/** The last requests of a key, the newest first, as many as the log keeps. */
export async function readRequestLog(db: Database, keyId: number, nowMs: number): Promise<LoggedRequest[]> {
  const since = nowMs - LOG_KEPT_MS;
  const rows: { entries: string }[] = await db('request_log')
    .where({ key_id: keyId })
    .where('at', '>=', since)
    .orderBy('id', 'desc')
    .limit(MAX_LOGGED_OF_KEY)
    .select('entries');
  return rows
    .flatMap((row) => entries.parse(JSON.parse(row.entries)).reverse())
    .slice(0, MAX_LOGGED_OF_KEY)
    .filter(([atMs]) => atMs >= since)
    .map(requestFrom);
}
