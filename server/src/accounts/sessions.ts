import { LIMITS } from '@signpost/contract';
import type { DomainContext, ReadContext } from '../audit/domain-context.js';
import { hashToken } from '../platform/hash-token.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../platform/time-units.js';
import { lockAccount } from '../storage/locks.js';
import type { SessionRow } from '../storage/rows.js';
import { type Database, inTransaction } from '../storage/storage.js';

/** Ends the sessions of an account except the one with the cookie id `exceptId`. Returns how many ended. */
export async function removeSessionsOf(db: Database, accountId: string, exceptId?: string): Promise<number> {
  const sessions = db<SessionRow>('sessions').where({ account_id: accountId });
  if (exceptId !== undefined) void sessions.whereNot({ id: hashToken(exceptId) });
  return sessions.delete();
}

/** Ends sessions of an account, with an audit entry if there were any. */
async function endSessions(
  { db, audit, actor }: DomainContext,
  accountId: string,
  end: (transaction: Database) => Promise<number>,
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    if ((await end(transaction)) > 0)
      await audit.record(transaction, actor, { kind: 'session.ended', subjectId: accountId });
  });
}

/** Ends one session of an account by its key. */
export const endSession = (context: DomainContext, accountId: string, key: string): Promise<void> =>
  endSessions(context, accountId, (transaction) =>
    transaction<SessionRow>('sessions').where({ account_id: accountId, id: key }).delete(),
  );

/** Ends all sessions of an account except the one with the cookie id `exceptId`. */
export const endOtherSessions = (
  context: DomainContext,
  accountId: string,
  exceptId: string,
): Promise<void> =>
  endSessions(context, accountId, (transaction) => removeSessionsOf(transaction, accountId, exceptId));

/** Records a sign-out in the audit. The caller removes the session. */
export const recordSignOut = ({ db, audit, actor }: DomainContext): Promise<void> =>
  audit.record(db, actor, { kind: 'session.signed-out', subjectId: actor.accountId });

/** A session ends if it is not used for about this long. */
export const IDLE_MS = 7 * DAY_MS;
/** A session ends this long after its beginning in any case. */
const LIFETIME_MS = 30 * DAY_MS;
/** The time of last use is stored at most this often, not for every page. */
const TOUCH_AFTER_MS = HOUR_MS;
/** How long somebody may take to enter the code after the password. */
const CODE_WITHIN_MS = 10 * MINUTE_MS;

export interface NewSession {
  readonly accountId: string;
  /** The network address from which the session began. */
  readonly address: string;
  readonly browser: string;
  /**
   * Whether the session has no access until the code of the second factor is entered; if left out, it has access at
   * once. If a value is given, `beginVerifiedSession` begins no session unless the value matches whether the account
   * has a second factor.
   */
  readonly awaitsCode?: boolean;
}

/** What must still hold when a session begins after its account's password was verified. */
export interface VerifiedSignIn {
  /** The verified hash. No session begins if the account has another one by now. */
  readonly passwordHash: string;
  /**
   * The cookie id of the session that the new one continues. If that one was ended meanwhile, for example by turning on
   * a second factor, no session begins.
   */
  readonly replaces?: string;
}

export interface Session {
  readonly accountId: string;
  /** Identifies the session to its owner. Gives no access. */
  readonly key: string;
  readonly begunAtMs: number;
  readonly usedAtMs: number;
  /** When the owner last entered the password, as a Unix timestamp in milliseconds; 0 if unknown. */
  readonly passwordAtMs: number;
  readonly address: string | null;
  readonly browser: string | null;
  readonly awaitsCode: boolean;
}

/** Rows that an older version wrote have neither start nor last use. Both are estimated from the session's end. */
const sessionFromRow = (row: SessionRow): Session => ({
  accountId: row.account_id,
  key: row.id,
  begunAtMs: row.begun_at ?? row.expires_at - IDLE_MS,
  usedAtMs: row.used_at ?? row.expires_at - IDLE_MS,
  passwordAtMs: row.password_at ?? 0,
  address: row.address,
  browser: row.browser,
  awaitsCode: Boolean(row.awaits_code),
});

/** The SQL for when a session was last used. `used_at` is null for sessions that an older version began. */
const USED_AT = `COALESCE(used_at, expires_at - ${IDLE_MS})`;

/**
 * Ends the longest unused sessions of the account if there are more than LIMITS.sessions.max, but never the one with
 * the row id `id`. Sessions that await a code are limited separately, so that somebody who only knows the password ends
 * none of the owner's. Call it in a transaction that locks the account.
 */
async function endSurplusSessions(
  db: Database,
  { id, account_id, awaits_code }: SessionToKeep,
  nowMs: number,
) {
  const others = () => db<SessionRow>('sessions').where({ account_id, awaits_code }).whereNot({ id });
  const keptSessions = others()
    .where('expires_at', '>', nowMs)
    .orderByRaw(`${USED_AT} DESC, id`)
    .limit(LIMITS.sessions.max - 1)
    .select('id');
  await others().whereNotIn('id', keptSessions).delete();
}

type SessionToKeep = Pick<SessionRow, 'id' | 'account_id' | 'awaits_code'>;

const expiresAtMs = (begunAtMs: number, usedAtMs: number) =>
  Math.min(usedAtMs + IDLE_MS, begunAtMs + LIFETIME_MS);

/**
 * Signs in a session that awaits a code. Returns false if there is no such session, or if it is expired. Call it in a
 * transaction that locks the account.
 */
export async function acceptCode(db: Database, id: string, nowMs: number): Promise<boolean> {
  const [accepted] = await db<SessionRow>('sessions')
    .where({ id: hashToken(id), awaits_code: true })
    .where('expires_at', '>', nowMs)
    .update({ awaits_code: false, expires_at: expiresAtMs(nowMs, nowMs), used_at: nowMs })
    .returning(['id', 'account_id']);
  if (accepted === undefined) return false;
  await endSurplusSessions(db, { ...accepted, awaits_code: false }, nowMs);
  return true;
}

const sessionById = (db: Database, id: string) => db<SessionRow>('sessions').where({ id: hashToken(id) });

async function insertSession(transaction: Database, id: string, session: NewSession, nowMs: number) {
  const { accountId, awaitsCode = false, address, browser } = session;
  const row: SessionRow = {
    address,
    browser,
    id: hashToken(id),
    account_id: accountId,
    begun_at: nowMs,
    used_at: nowMs,
    password_at: nowMs,
    expires_at: awaitsCode ? nowMs + CODE_WITHIN_MS : expiresAtMs(nowMs, nowMs),
    awaits_code: awaitsCode,
  };
  await transaction<SessionRow>('sessions').insert(row).onConflict('id').merge();
  await endSurplusSessions(transaction, row, nowMs);
}

/** Begins or replaces a session. `id` is the value of the cookie, of which only a hash is stored. */
export async function beginSession(
  { db, clock }: ReadContext,
  id: string,
  session: NewSession,
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    await lockAccount(transaction, { id: session.accountId });
    await insertSession(transaction, id, session, clock());
  });
}

/**
 * Begins a session and returns true if the account is enabled, its password still has the verified hash, its second
 * factor still matches `session.awaitsCode` if that is set, and the session to replace still exists if one is given.
 * Otherwise returns false. A password change or disabling at the same moment either prevents the session or ends it.
 */
export async function beginVerifiedSession(
  { db, clock }: ReadContext,
  id: string,
  session: NewSession,
  { passwordHash, replaces }: VerifiedSignIn,
): Promise<boolean> {
  const { accountId, awaitsCode } = session;
  // If `awaitsCode` is given, and the second factor was turned on or off since the password was read, no session
  // begins.
  const factor = awaitsCode === undefined ? {} : { has_second_factor: awaitsCode };
  const verified = { id: accountId, password_hash: passwordHash, disabled_at: null, ...factor };
  return inTransaction(db, async (transaction) => {
    if (!(await lockAccount(transaction, verified))) return false;
    if (replaces !== undefined) {
      const replaced = await sessionById(transaction, replaces).where({ account_id: accountId }).delete();
      if (replaced === 0) return false;
    }
    await insertSession(transaction, id, session, clock());
    return true;
  });
}

/** The session with this cookie id; undefined if there is none or it has ended. */
export async function readSession({ db, clock }: ReadContext, id: string): Promise<Session | undefined> {
  const row: SessionRow | undefined = await sessionById(db, id).where('expires_at', '>', clock()).first();
  return row && sessionFromRow(row);
}

/**
 * Stores that a session is used, at most once an hour. Returns false if the stored time is less than an hour old, or if
 * the session was removed meanwhile: it is not restored.
 */
export async function touchSession(
  { db, clock }: ReadContext,
  id: string,
  { begunAtMs, usedAtMs }: Session,
): Promise<boolean> {
  const nowMs = clock();
  if (nowMs - usedAtMs < TOUCH_AFTER_MS) return false;
  const touched = await sessionById(db, id).update({
    begun_at: begunAtMs,
    used_at: nowMs,
    expires_at: expiresAtMs(begunAtMs, nowMs),
  });
  return touched > 0;
}

/** Stores that the owner has just entered the password. */
export async function storePasswordTime({ db, clock }: ReadContext, id: string): Promise<void> {
  await sessionById(db, id).update({ password_at: clock() });
}

export async function removeSession({ db }: Pick<ReadContext, 'db'>, id: string): Promise<void> {
  await sessionById(db, id).delete();
}

/** One page of an account's sessions that do not await a code, last used first, and the total number of them. */
export async function listSessions(
  { db, clock }: ReadContext,
  accountId: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<{ readonly sessions: readonly Session[]; readonly total: number }> {
  const live = () =>
    db<SessionRow>('sessions')
      .where({ account_id: accountId, awaits_code: false })
      .where('expires_at', '>', clock());
  const rows: SessionRow[] = await live().orderByRaw(`${USED_AT} DESC, id`).offset(offset).limit(limit);
  const [counted] = await live().count({ total: '*' });
  return { sessions: rows.map(sessionFromRow), total: Number(counted?.['total'] ?? 0) };
}

export async function removeExpiredSessions({ db, clock }: ReadContext): Promise<void> {
  await db<SessionRow>('sessions').where('expires_at', '<=', clock()).delete();
}
