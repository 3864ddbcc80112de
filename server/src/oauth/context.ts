import type { Actor, Audit } from '../audit/audit.js';
import type { Clock } from '../platform/clock.js';
import type { RandomBytes } from '../platform/random.js';
import type { Database } from '../storage/storage.js';

/** The dependencies of the functions for connections. */
export interface ConnectionContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  readonly audit: Audit;
  readonly actor: Actor;
  /** The resource that tokens are valid for: the address of `/mcp`. */
  readonly resource: () => string;
  /** Makes a key in a project of the account; throws a ServiceError if the account may have no more. */
  readonly createKey: (
    transaction: Database,
    wanted: { readonly accountId: string; readonly projectId: string },
  ) => Promise<{ readonly id: number; readonly prefix: string }>;
  readonly revokeKey: (transaction: Database, keyId: number) => Promise<void>;
}
