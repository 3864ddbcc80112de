import type { Clock } from '../platform/clock.js';
import type { Database } from '../storage/storage.js';
import { readKeyUsage, readOverallUsage, readUsageOfAccount } from './read-key-usage.js';

/** The usage of keys, as of now, for whoever must not see the database. */
export const createUsageService = ({ db, clock }: { readonly db: Database; readonly clock: Clock }) => ({
  ofKey: (keyId: number) => readKeyUsage(db, keyId, clock()),
  ofAccount: (accountId: string) => readUsageOfAccount(db, accountId, clock()),
  ofAllKeys: () => readOverallUsage(db, clock()),
});

export type UsageService = ReturnType<typeof createUsageService>;
