import type { SessionRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import { hashSessionId } from './hash-session-id.js';

/** Ends the sessions of an account, but for the one whose cookie holds `exceptId`. */
export async function removeSessionsOf(db: Database, accountId: string, exceptId?: string): Promise<void> {
  const sessions = db<SessionRow>('sessions').where({ account_id: accountId });
  if (exceptId !== undefined) void sessions.whereNot({ id: hashSessionId(exceptId) });
  await sessions.delete();
}
