import type { DomainContext } from '../audit/domain-context.js';
import type { Throttle } from '../throttle/throttle.js';
import type { PasswordHasher } from './password.js';

/** The dependencies of functions that hash or verify passwords. */
export interface AccountContext extends DomainContext {
  readonly throttle: Throttle;
  readonly passwordHasher: PasswordHasher;
}
