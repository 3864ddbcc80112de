import { AUDIT_KEPT_MS, type AuditRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';

/** Removes audit entries older than `AUDIT_KEPT_MS`. */
export async function removeOldEntries(db: Database, nowMs: number): Promise<void> {
  await db<AuditRow>('audit')
    .where('at', '<', nowMs - AUDIT_KEPT_MS)
    .delete();
}
