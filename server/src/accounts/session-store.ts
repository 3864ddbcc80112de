import { LIMITS } from '@signpost/contract';
import type { Clock } from '../platform/clock.js';
import { hashToken } from '../platform/hash-token.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../platform/time-units.js';
import { lockAccount, type SessionRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';

/** What is stored in place of a cookie's session id, so that a copy of the database opens no session. */

/** Ends the sessions of an account, but for the one whose cookie holds `exceptId`; answers how many there were. */
export async function removeSessionsOf(db: Database, accountId: string, exceptId?: string): Promise<number> {
  const sessions = db<SessionRow>('sessions').where({ account_id: accountId });
  if (exceptId !== undefined) void sessions.whereNot({ id: hashToken(exceptId) });
  return sessions.delete();
}

/** Ends one session of an account by its key; answers how many there were. */
export const endSession = async (db: Database, accountId: string, key: string): Promise<number> =>
  db<SessionRow>('sessions').where({ account_id: accountId, id: key }).delete();

/** A session ends when it was not used for so long, */
export const IDLE_MS = 7 * DAY_MS;
/** and so long after its beginning in any case. */
const LIFETIME_MS = 30 * DAY_MS;
/** Its use is written down now and then, not with every page. */
const TOUCH_AFTER_MS = DAY_MS / 24;
/** How long somebody who gave the password may take to find a code. */
const CODE_WITHIN_MS = 10 * MINUTE_MS;
const CLEAN_INTERVAL_MS = HOUR_MS;

export interface NewSession {
  readonly accountId: string;
  /** Where it is begun: the address, and the browser in words. */
  readonly address: string;
  readonly browser: string;
  /** Whether the code of the second factor is still to come: until then it is nobody's. Said at a sign-in. */
  readonly awaitsCode?: boolean;
  /**
   * The session, by its cookie's id, that goes on as this one. Where it was ended meanwhile, as when a second factor was
   * turned on, none begins.
   */
  readonly replaces?: string;
}

export interface Session {
  readonly accountId: string;
  /** Names it to its owner and opens nothing. */
  readonly key: string;
  readonly begunAtMs: number;
  readonly usedAtMs: number;
  /** When its owner last gave the password. */
  readonly passwordAtMs: number;
  readonly address: string | null;
  readonly browser: string | null;
  readonly awaitsCode: boolean;
}

/** Sessions begun by an older version have less: their end tells when they were used. */
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

/** The use of a session as far as it is known: those begun by an older version have no time of it. */
const USED_AT = `COALESCE(used_at, expires_at - ${IDLE_MS})`;

/**
 * Ends the sessions of an account that are one too many, the longest unused first, but never the one with this row id.
 * Those that wait for a code are counted apart: somebody with only the password ends none of the owner's. In a
 * transaction that locks the account.
 */
async function endSurplus(db: Database, { id, account_id, awaits_code }: SurplusOf, nowMs: number) {
  const others = () => db<SessionRow>('sessions').where({ account_id, awaits_code }).whereNot({ id });
  const kept = others()
    .where('expires_at', '>', nowMs)
    .orderByRaw(`${USED_AT} DESC, id`)
    .limit(LIMITS.sessions.max - 1)
    .select('id');
  await others().whereNotIn('id', kept).delete();
}

type SurplusOf = Pick<SessionRow, 'id' | 'account_id' | 'awaits_code'>;

const endOf = (begunAtMs: number, usedAtMs: number) => Math.min(usedAtMs + IDLE_MS, begunAtMs + LIFETIME_MS);

/**
 * Makes a session that awaited a code its owner's; returns whether it was still there. In a transaction that locks the
 * account.
 */
export async function acceptCode(db: Database, id: string, nowMs: number): Promise<boolean> {
  const [accepted] = await db<SessionRow>('sessions')
    .where({ id: hashToken(id), awaits_code: true })
    .where('expires_at', '>', nowMs)
    .update({ awaits_code: false, expires_at: endOf(nowMs, nowMs), used_at: nowMs })
    .returning(['id', 'account_id']);
  if (accepted === undefined) return false;
  await endSurplus(db, { ...accepted, awaits_code: false }, nowMs);
  return true;
}

/** The sessions of the console. An `id` is what the cookie holds; only its hash is stored. */
export interface SessionStore {
  /** The session, undefined where there is none or it has ended. */
  read(id: string): Promise<Session | undefined>;
  /** Begins a session, or replaces it. */
  write(id: string, session: NewSession): Promise<void>;
  /**
   * Begins a session where the account is not disabled and its password still has the hash that was verified; answers
   * whether it did. A new password or a disabling that comes at the same time ends the session or prevents it.
   */
  writeVerified(id: string, session: NewSession, passwordHash: string): Promise<boolean>;
  /**
   * Notes that a session is used, where it was not noted for an hour; answers whether it did. One that was removed
   * meanwhile stays removed.
   */
  touch(id: string, session: Session): Promise<boolean>;
  /** Notes that its owner gave the password just now. */
  notePassword(id: string): Promise<void>;
  remove(id: string): Promise<void>;
  /** One page of the sessions of an account, the last used first, and how many there are. */
  list(
    accountId: string,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly sessions: readonly Session[]; readonly total: number }>;
}

interface SessionStoreDeps {
  readonly db: Database;
  readonly clock: Clock;
}

/** What begins sessions, and removes those that have ended now and then. */
function createBeginnings({ db, clock }: SessionStoreDeps) {
  let cleanAtMs = 0;

  const cleanNowAndThen = async (nowMs: number) => {
    if (nowMs < cleanAtMs) return;
    cleanAtMs = nowMs + CLEAN_INTERVAL_MS;
    await db<SessionRow>('sessions').where('expires_at', '<=', nowMs).delete();
  };

  const insert = async (where: Database, id: string, session: NewSession) => {
    const { accountId, awaitsCode = false, address, browser } = session;
    const nowMs = clock();
    const row: SessionRow = {
      ...{ address, browser },
      id: hashToken(id),
      account_id: accountId,
      begun_at: nowMs,
      used_at: nowMs,
      password_at: nowMs,
      expires_at: awaitsCode ? nowMs + CODE_WITHIN_MS : endOf(nowMs, nowMs),
      awaits_code: awaitsCode,
    };
    await where<SessionRow>('sessions').insert(row).onConflict('id').merge();
    await endSurplus(where, row, nowMs);
  };

  return {
    async write(id: string, session: NewSession): Promise<void> {
      await cleanNowAndThen(clock());
      await db.transaction(async (transaction) => {
        await lockAccount(transaction, { id: session.accountId });
        await insert(transaction, id, session);
      });
    },

    async writeVerified(id: string, session: NewSession, passwordHash: string): Promise<boolean> {
      await cleanNowAndThen(clock());
      const { accountId, awaitsCode, replaces } = session;
      // A second factor that was turned on since the password was read is asked for at the next try.
      const factor = awaitsCode === undefined ? {} : { has_second_factor: awaitsCode };
      const verified = { id: accountId, password_hash: passwordHash, disabled_at: null, ...factor };
      return db.transaction(async (transaction) => {
        if (!(await lockAccount(transaction, verified))) return false;
        if (replaces !== undefined) {
          const own = { id: hashToken(replaces), account_id: accountId };
          if ((await transaction<SessionRow>('sessions').where(own).delete()) === 0) return false;
        }
        await insert(transaction, id, session);
        return true;
      });
    },
  };
}

/** A store of sessions in the database, so that any server of several knows them. */
export function createSessionStore(deps: SessionStoreDeps): SessionStore {
  const { db, clock } = deps;
  const sessions = () => db<SessionRow>('sessions');
  const withId = (id: string) => sessions().where({ id: hashToken(id) });

  return {
    ...createBeginnings(deps),

    async read(id) {
      const row: SessionRow | undefined = await withId(id).where('expires_at', '>', clock()).first();
      return row && sessionFromRow(row);
    },

    async touch(id, { begunAtMs, usedAtMs }) {
      const nowMs = clock();
      if (nowMs - usedAtMs < TOUCH_AFTER_MS) return false;
      await withId(id).update({
        begun_at: begunAtMs,
        used_at: nowMs,
        expires_at: endOf(begunAtMs, nowMs),
      });
      return true;
    },

    async notePassword(id) {
      await withId(id).update({ password_at: clock() });
    },

    async remove(id) {
      await withId(id).delete();
    },

    async list(accountId, { offset, limit }) {
      const live = () =>
        sessions().where({ account_id: accountId, awaits_code: false }).where('expires_at', '>', clock());
      const rows: SessionRow[] = await live().orderByRaw(`${USED_AT} DESC, id`).offset(offset).limit(limit);
      const [counted] = await live().count({ total: '*' });
      return { sessions: rows.map(sessionFromRow), total: Number(counted?.['total'] ?? 0) };
    },
  };
}
