import type { DomainContext } from '../audit/domain-context.js';
import type { Database } from '../storage/storage.js';

/** The dependencies of the functions for connections. */
export interface ConnectionContext extends DomainContext {
  /** The resource that tokens are valid for: the address of `/mcp`. */
  readonly resource: () => string;
  /**
   * Makes a key in a project of the account. Throws a ServiceError if the project was deleted, or if the account has as
   * many keys as it may have.
   */
  readonly createKey: (
    transaction: Database,
    newKey: { readonly accountId: string; readonly projectId: string },
  ) => Promise<{ readonly id: number; readonly prefix: string }>;
}
