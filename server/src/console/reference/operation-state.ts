import type { Operation } from '@signpost/contract';
import type { Key } from '../../keys/key.js';
import type { PostcodeDirectory } from '../../postcodes/directory.js';
import type { Outcome } from '../answer/outcome.js';
import type { FormState } from '../request/form-state.js';

/** The form as it is filled, and what it brought. */
export interface OperationState {
  readonly id: string;
  readonly operation: Operation;
  readonly state: FormState;
  /** The identifier of the key that is chosen; empty if none is. */
  readonly keyId: string;
  /** The fields that an address says it does not hold. */
  readonly leftOut: readonly string[];
  readonly outcome?: Outcome | undefined;
}

export interface OperationViewProps extends OperationState {
  /** Who looks; undefined for strangers. A browser keeps the history of each apart. */
  readonly accountId: string | undefined;
  readonly keys: readonly Key[];
  readonly directory: PostcodeDirectory;
  readonly publicUrl: string;
}
