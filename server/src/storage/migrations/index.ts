import { accountsAndKeys } from './001-accounts-and-keys.js';
import { tokensAndSessions } from './002-tokens-and-sessions.js';
import { minuteHistory } from './003-minute-history.js';
import { capturesPerAccount } from './004-captures-per-account.js';
import { triesAndWriteProbe } from './005-tries-and-write-probe.js';
import type { ForwardMigration } from './forward-migration.js';

/** Every step of the schema, oldest first. A step that was released is never changed. */
export const MIGRATIONS: readonly ForwardMigration[] = [
  accountsAndKeys,
  tokensAndSessions,
  minuteHistory,
  capturesPerAccount,
  triesAndWriteProbe,
];
