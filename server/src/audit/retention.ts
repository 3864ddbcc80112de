import type { Clock } from '../platform/clock.js';
import { AUDIT_KEPT_MS, type AuditRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';

const DAY_MS = 86_400_000;

/** Removes the entries that were kept for 400 days. */
export async function removeOldEntries(db: Database, nowMs: number): Promise<void> {
  await db<AuditRow>('audit')
    .where('at', '<', nowMs - AUDIT_KEPT_MS)
    .delete();
}

/** Does so now, and every day until it is stopped. */
export function keepAuditShort(
  db: Database,
  clock: Clock,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  const remove = () => removeOldEntries(db, clock()).catch(onError);
  let removing = remove();
  const timer = setInterval(() => {
    removing = remove();
  }, DAY_MS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await removing;
    },
  };
}
