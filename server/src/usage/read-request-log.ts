import { z } from 'zod';
import { MINUTE_MS } from '../platform/time-units.js';
import type { Database } from '../storage/storage.js';
import { LOGGED_OF_KEY, type LogEntry, type Outcome, OUTCOMES } from './recorded-request.js';
import { LOG_KEPT_MS } from './usage-history.js';

export interface LoggedRequest {
  /** When the request ended. */
  readonly atMs: number;
  readonly operation: string;
  readonly status: number;
  readonly outcome: Outcome;
  readonly elapsedMs: number;
  readonly requestId: string;
  /**
   * The message of the rejection, shortened and without the values that the caller sent, except postcodes; undefined if
   * the request was not rejected.
   */
  readonly rejection: string | undefined;
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

/** The page address of each entry, in the same order. */
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
    .map(([atMs, operation, status, outcome, elapsedMs, requestId, rejection], index) => ({
      atMs,
      operation,
      status,
      outcome,
      elapsedMs,
      requestId,
      rejection: rejection === 0 ? undefined : rejection,
      page: pageOf[index] ?? undefined,
    }))
    .reverse();
}

/** The latest requests of a key, newest first: of each outcome, at most as many as the log keeps. */
export async function readRequestLog(db: Database, keyId: number, nowMs: number): Promise<LoggedRequest[]> {
  const since = nowMs - LOG_KEPT_MS;
  const rows: LogRow[] = await db('request_log')
    .where({ key_id: keyId })
    .where('at', '>=', since)
    .orderBy('id', 'desc')
    .select('entries', 'pages');
  const remaining = { ...LOGGED_OF_KEY };
  return rows
    .flatMap(requestsFrom)
    .filter(({ atMs }) => atMs >= since)
    .toSorted((one, other) => other.atMs - one.atMs)
    .filter(({ outcome }) => (remaining[outcome] -= 1) >= 0);
}

/** A logged request with its key. */
export interface AccountRequest extends LoggedRequest {
  readonly keyId: number;
  readonly keyPrefix: string;
  readonly keyName: string | null;
}

/**
 * Which requests of an account to read: those of the key, with one of `outcomes`, that ended from `fromMs` to `toMs`,
 * both included. If the key or a time is left out, it does not limit them.
 */
export interface AccountLogQuery {
  readonly accountId: string;
  readonly keyId?: number | undefined;
  readonly outcomes: readonly Outcome[];
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

/**
 * The maximum number of requests of each outcome that are read for an account, newest first. Fewer may be read if they
 * are spread over more than MOST_ROWS rows.
 */
export const MOST_READ = 2_000;
const MOST_ROWS = 1_000;

interface AccountLogRow extends LogRow {
  readonly keyId: number;
  readonly requests: number;
  readonly keyPrefix: string;
  readonly keyName: string | null;
}

/** The latest requests of an account that match a query and have this outcome, newest first; at most MOST_READ. */
async function readOutcome(
  db: Database,
  outcome: Outcome,
  { accountId, keyId, fromMs = 0, toMs = Infinity }: AccountLogQuery,
  nowMs: number,
): Promise<AccountRequest[]> {
  const since = Math.max(fromMs, nowMs - LOG_KEPT_MS);
  const matching = db('request_log')
    .join('api_keys', 'api_keys.id', 'request_log.key_id')
    .join('projects', 'projects.id', 'api_keys.project_id')
    .where('projects.account_id', accountId)
    .where('request_log.at', '>=', since)
    .where((either) => {
      void either.where('request_log.outcome', outcome).orWhereNull('request_log.outcome');
    })
    .orderBy('request_log.at', 'desc');
  // A row contains requests of about a second, so a row after `toMs` may still have requests from before `toMs`.
  if (toMs !== Infinity) void matching.where('request_log.at', '<=', toMs + MINUTE_MS);
  if (keyId !== undefined) void matching.where('request_log.key_id', keyId);
  const sizes = await matching
    .clone()
    .limit(MOST_ROWS)
    .select<Pick<AccountLogRow, 'requests'>[]>('request_log.requests');
  let total = 0;
  const rowsRead = sizes.filter(({ requests }) => (total += requests) - requests < MOST_READ).length;
  const rows = await matching
    .limit(rowsRead)
    .select<AccountLogRow[]>(
      'request_log.key_id as keyId',
      'request_log.entries',
      'request_log.pages',
      'api_keys.prefix as keyPrefix',
      'api_keys.name as keyName',
    );
  return rows
    .flatMap((row) => {
      const { keyPrefix, keyName } = row;
      return requestsFrom(row).map((request) => ({ ...request, keyId: row.keyId, keyPrefix, keyName }));
    })
    .filter((one) => one.atMs >= since && one.atMs <= toMs && one.outcome === outcome)
    .toSorted((one, other) => other.atMs - one.atMs)
    .slice(0, MOST_READ);
}

/**
 * The latest requests of an account that match a query, newest first. Each outcome is read by itself, so that many
 * successes push out no failures.
 */
export async function readAccountLog(
  db: Database,
  query: AccountLogQuery,
  nowMs: number,
): Promise<AccountRequest[]> {
  const logs = await Promise.all(query.outcomes.map((outcome) => readOutcome(db, outcome, query, nowMs)));
  return logs.flat().toSorted((one, other) => other.atMs - one.atMs);
}
