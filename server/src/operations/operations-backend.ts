import { type ApiKeyOperationId, ERRORS, type Operations, type RequestInput } from '@signpost/contract';
import { type Backend, type CallOptions, type OperationAnswer, SignpostApiError } from 'signpost-mcp';
import { ServiceError } from '../platform/errors.js';
import type { ApiKeyCaller, Reserve } from './operation-handler.js';
import type { ApiKeyOperations } from './operations.js';

/** Counts the calls that go through a backend. */
export interface CallMeter {
  /** Reserves what one call needs, then counts it; throws a ServiceError where it may not go on. */
  admit(reserve: Reserve | undefined): Promise<ApiKeyCaller>;
  addResponseTime(keyId: number, elapsedMs: number): void;
}

const neverAborted = new AbortController().signal;

/** What the MCP tools call where the operations are in the same process: each call is admitted, checked and timed. */
export function operationsBackend(operations: ApiKeyOperations, meter: CallMeter): Backend {
  function call<Id extends ApiKeyOperationId>(
    operationId: Id,
    request: RequestInput<Operations[Id]>,
    options?: CallOptions,
  ): Promise<OperationAnswer<Id>>;
  async function call(operationId: ApiKeyOperationId, request: unknown, { signal }: CallOptions = {}) {
    try {
      const operation = operations[operationId];
      const { admission, reservation } = await meter.admit(operation.reserve);
      const startedMs = performance.now();
      try {
        return await operation.run(request, { admission, reservation, signal: signal ?? neverAborted });
      } finally {
        reservation?.release();
        meter.addResponseTime(admission.keyId, performance.now() - startedMs);
      }
    } catch (error) {
      signal?.throwIfAborted();
      throw asApiError(error);
    }
  }
  return { call };
}

/** A refusal as a caller over HTTP would get it. */
function asApiError(error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  const { kind, message, retryAfterSeconds } = error;
  return new SignpostApiError(message, { status: ERRORS[kind].status, retryAfterSeconds });
}
