import { createHash } from 'node:crypto';
import type { Clock } from '../platform/clock.js';
import { lockAccount, type SessionRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';

/** What is stored in place of a cookie's session id, so that a copy of the database opens no session. */
const hashSessionId = (id: string): string => createHash('sha256').update(id).digest('hex');

/** Ends the sessions of an account, but for the one whose cookie holds `exceptId`. */
export async function removeSessionsOf(db: Database, accountId: string, exceptId?: string): Promise<void> {
  const sessions = db<SessionRow>('sessions').where({ account_id: accountId });
  if (exceptId !== undefined) void sessions.whereNot({ id: hashSessionId(exceptId) });
  await sessions.delete();
}

const CLEAN_INTERVAL_MS = 3_600_000;

export interface Session {
  readonly accountId: string;
  readonly expiresAtMs: number;
}

/** The sessions of the console. An `id` is what the cookie holds; only its hash is stored. */
export interface SessionStore {
  /** The session, undefined where there is none or it has expired. */
  read(id: string): Promise<Session | undefined>;
  /** Begins a session, or replaces it. */
  write(id: string, session: Session): Promise<void>;
  /**
   * Begins a session where the account is not disabled and its password still has the hash that was verified; answers
   * whether it did. A new password or a disabling that comes at the same time ends the session or prevents it.
   */
  writeVerified(id: string, session: Session, passwordHash: string): Promise<boolean>;
  /** Moves the end of a session that is there still; one that was removed meanwhile stays removed. */
  prolong(id: string, expiresAtMs: number): Promise<void>;
  remove(id: string): Promise<void>;
}

interface SessionStoreDeps {
  readonly db: Database;
  readonly clock: Clock;
}

/** A store of sessions in the database, so that any server of several knows them. */
export function createSessionStore({ db, clock }: SessionStoreDeps): SessionStore {
  const sessions = () => db<SessionRow>('sessions');
  let cleanAtMs = 0;

  const cleanNowAndThen = async (nowMs: number) => {
    if (nowMs < cleanAtMs) return;
    cleanAtMs = nowMs + CLEAN_INTERVAL_MS;
    await sessions().where('expires_at', '<=', nowMs).delete();
  };

  const insert = (where: Database, id: string, { accountId, expiresAtMs }: Session) =>
    where<SessionRow>('sessions')
      .insert({ id: hashSessionId(id), account_id: accountId, expires_at: expiresAtMs })
      .onConflict('id')
      .merge();

  return {
    async read(id) {
      const row: SessionRow | undefined = await sessions()
        .where({ id: hashSessionId(id) })
        .where('expires_at', '>', clock())
        .first();
      return row && { accountId: row.account_id, expiresAtMs: row.expires_at };
    },

    async write(id, session) {
      await cleanNowAndThen(clock());
      await insert(db, id, session);
    },

    async writeVerified(id, session, passwordHash) {
      await cleanNowAndThen(clock());
      const verified = { id: session.accountId, password_hash: passwordHash, disabled_at: null };
      return db.transaction(async (transaction) => {
        if (!(await lockAccount(transaction, verified))) return false;
        await insert(transaction, id, session);
        return true;
      });
    },

    async prolong(id, expiresAtMs) {
      await sessions()
        .where({ id: hashSessionId(id) })
        .update({ expires_at: expiresAtMs });
    },

    async remove(id) {
      await sessions()
        .where({ id: hashSessionId(id) })
        .delete();
    },
  };
}
