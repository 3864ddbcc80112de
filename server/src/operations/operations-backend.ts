import { type ApiKeyOperationId, ERRORS, type Operations, type RequestInput } from '@signpost/contract';
import { type Backend, type CallOptions, type OperationAnswer, SignpostApiError } from 'signpost-mcp';
import { ServiceError } from '../platform/errors.js';
import type { BoundOperation } from './operation-handler.js';
import type { ApiKeyOperations } from './operations.js';

/** Performs one call of an operation, metered for its caller. */
export type Perform = (bound: BoundOperation, request: unknown, signal: AbortSignal) => Promise<unknown>;

const neverAborted = new AbortController().signal;

/** Converts a rejection to the error that a caller over HTTP would get. */
function asApiError(error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  const { kind, message, retryAfterSeconds } = error;
  return new SignpostApiError(message, {
    status: ERRORS[kind].status,
    retryAfterSeconds,
    isNotInDirectory: kind === 'notInDirectory',
  });
}

/** The backend of the MCP tools if the operations are in the same process. */
export function operationsBackend(operations: ApiKeyOperations, perform: Perform): Backend {
  function call<Id extends ApiKeyOperationId>(
    operationId: Id,
    request: RequestInput<Operations[Id]>,
    options?: CallOptions,
  ): Promise<OperationAnswer<Id>>;
  async function call(operationId: ApiKeyOperationId, request: unknown, { signal }: CallOptions = {}) {
    try {
      return await perform(operations[operationId], request, signal ?? neverAborted);
    } catch (error) {
      signal?.throwIfAborted();
      throw asApiError(error);
    }
  }
  return { call };
}
