import type { Operation } from '@signpost/contract';
import type { Key } from '../../keys/key.js';
import type { PostcodeDirectory } from '../../postcodes/directory.js';
import type { Outcome } from '../answer/outcome.js';
import type { FormState } from '../request/form-state.js';

/** An operation, the values of its form and, if it was called, the outcome of the call. */
export interface OperationState {
  readonly id: string;
  readonly operation: Operation;
  readonly state: FormState;
  readonly keyId: string;
  /** The names of the fields that had a value, but were left out of the address that was opened. */
  readonly leftOut: readonly string[];
  readonly outcome?: Outcome | undefined;
}

export interface OperationViewProps extends OperationState {
  /**
   * The id of the signed-in account; undefined for strangers. The browser keeps a separate history for each account.
   */
  readonly accountId: string | undefined;
  readonly keys: readonly Key[];
  readonly directory: PostcodeDirectory;
  readonly publicUrl: string;
}
