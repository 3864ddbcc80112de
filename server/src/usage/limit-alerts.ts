import { DAY_MINUTES } from '../platform/time-units.js';
import { keyIsLive } from '../storage/key-life.js';
import type { LimitAlertRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import { NO_LIMIT } from './account-admissions.js';
import { dayOf } from './rate-limit.js';

const KEPT_DAYS = 3;
/**
 * Percentages of a daily limit that are alerted about, once a day each. If several are reached together, only the
 * highest is.
 */
const PERCENTS = [80, 100] as const;
/** The key id that stands for all keys of an account together. */
const ALL_KEYS_OF_ACCOUNT = 0;

/** A daily limit whose usage has reached one of PERCENTS. */
export interface LimitAlert {
  readonly accountId: string;
  readonly email: string;
  /** Null for all keys of the account together. */
  readonly keyPrefix: string | null;
  readonly used: number;
  readonly limit: number;
  readonly percent: number;
}

interface UsageRow {
  readonly account_id: string;
  readonly email: string;
  readonly key_id: number;
  readonly prefix: string;
  readonly requests: number;
  readonly per_day: number;
  readonly account_requests: number | null;
  readonly account_per_day: number | null;
}

const isReached = (used: string, limit: string) =>
  `(${limit} > 0 AND ${limit} < ${NO_LIMIT} AND ${used} >= ${limit} * 0.8)`;

/**
 * The keys with requests today that have reached 80 percent of their daily limit, or whose account has reached 80
 * percent of its own. Leaves out revoked and expired keys, and keys of accounts that are disabled or have turned alerts
 * off.
 */
const usedKeys = (db: Database, day: number, nowMs: number): Promise<UsageRow[]> =>
  db('usage_days as u')
    // The primary key of the counts begins with the time, so this finds today's keys without reading other days.
    .whereIn(
      'u.key_id',
      db('usage_counts')
        .where({ span_minutes: DAY_MINUTES, start_minute: day * DAY_MINUTES })
        .select('key_id'),
    )
    .join('api_keys as k', 'k.id', 'u.key_id')
    .join('projects as p', 'p.id', 'k.project_id')
    .join('accounts as a', 'a.id', 'p.account_id')
    .where({ 'u.day': day, 'a.disabled_at': null, 'a.alerts_off': false })
    .whereRaw(keyIsLive('k'), [nowMs])
    .whereRaw(
      `(${isReached('u.requests', 'u.per_day')} OR ${isReached('u.account_requests', 'u.account_per_day')})`,
    )
    .orderBy('u.key_id')
    .select('a.id as account_id', 'a.email', 'u.key_id', 'k.prefix')
    .select<UsageRow[]>('u.requests', 'u.per_day', 'u.account_requests', 'u.account_per_day');

type Candidate = Omit<LimitAlert, 'percent'> & { readonly keyId: number };

function candidatesOf(row: UsageRow): Candidate[] {
  const { account_id: accountId, email, account_requests: together, account_per_day: limitTogether } = row;
  const ofKey = { keyPrefix: row.prefix, keyId: row.key_id };
  const ofAccount = { keyPrefix: null, keyId: ALL_KEYS_OF_ACCOUNT };
  return [
    { accountId, email, ...ofKey, used: row.requests, limit: row.per_day },
    ...(together === null || limitTogether === null
      ? []
      : [{ accountId, email, ...ofAccount, used: together, limit: limitTogether }]),
  ];
}

const reachedBy = ({ used, limit }: Candidate) =>
  limit > 0 && limit < NO_LIMIT ? PERCENTS.filter((percent) => used * 100 >= limit * percent) : [];

/**
 * Records that these percentages were alerted about, and returns the highest that no server had recorded before;
 * undefined if all were. Uses a single statement, so that only one of two servers gets each percentage.
 */
async function recordAlerts(db: Database, rows: readonly LimitAlertRow[]): Promise<number | undefined> {
  if (rows.length === 0) return undefined;
  const noted = await db<LimitAlertRow>('limit_alerts')
    .insert(rows)
    .onConflict(['day', 'account_id', 'key_id', 'percent'])
    .ignore()
    .returning('percent');
  return noted.length === 0 ? undefined : Math.max(...noted.map(({ percent }) => percent));
}

/**
 * Returns the limits that reached one of PERCENTS for the first time today, and records these percentages, so that each
 * percentage of a limit is returned at most once a day, to one server.
 */
export async function takeAlerts(db: Database, nowMs: number): Promise<readonly LimitAlert[]> {
  const day = dayOf(nowMs);
  await db<LimitAlertRow>('limit_alerts')
    .where('day', '<', day - KEPT_DAYS)
    .delete();
  const alerts: LimitAlert[] = [];
  const candidates = (await usedKeys(db, day, nowMs)).flatMap(candidatesOf);
  // The row of each key also has the usage of all keys of its account, as it was when that key was last counted. The
  // highest of these values is the current one, so it comes first.
  for (const { keyId, ...candidate } of candidates.toSorted((one, other) => other.used - one.used)) {
    const row = { day, account_id: candidate.accountId, key_id: keyId };
    const reached = reachedBy({ keyId, ...candidate });
    const percent = await recordAlerts(
      db,
      reached.map((one) => ({ ...row, percent: one })),
    );
    if (percent !== undefined) alerts.push({ ...candidate, percent });
  }
  return alerts;
}

/** Takes the new alerts, and calls `send` once for each account that has any, with all of its new alerts. */
export async function sendAlerts(
  db: Database,
  nowMs: number,
  send: (email: string, alerts: readonly LimitAlert[]) => void,
): Promise<void> {
  const alertsOf = new Map<string, LimitAlert[]>();
  for (const alert of await takeAlerts(db, nowMs))
    alertsOf.set(alert.email, [...(alertsOf.get(alert.email) ?? []), alert]);
  for (const [email, alerts] of alertsOf) send(email, alerts);
}
