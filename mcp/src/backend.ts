import type { ApiKeyOperationId, Operations, RequestInput } from '@signpost/contract';
import type { OperationAnswer } from './operation-answer.js';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Whatever answers the operations of interface A: a server over HTTP, or the core in the same process. */
export interface Backend {
  /**
   * Calls one operation of interface A; those without a request body take `undefined`.
   * Throws SignpostApiError for whatever is refused, cannot be reached, or is answered amiss, and the reason of
   * `signal` when that ended the call.
   */
  call<Id extends ApiKeyOperationId>(
    operationId: Id,
    request: RequestInput<Operations[Id]>,
    options?: CallOptions,
  ): Promise<OperationAnswer<Id>>;
}
