import type { Clock } from '../platform/clock.js';
import type { RandomBytes } from '../platform/random.js';
import type { Database } from '../storage/storage.js';
import type { Actor, Audit } from './audit.js';

/** The dependencies of functions that change stored data, such as accounts and keys. */
export interface DomainContext {
  /** The database, or the transaction that a change belongs to. */
  readonly db: Database;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  readonly audit: Audit;
  /** Who acts, for the audit. */
  readonly actor: Actor;
}

/** The dependencies of functions that need the database and the time, mostly to read. */
export type ReadContext = Pick<DomainContext, 'db' | 'clock'>;
