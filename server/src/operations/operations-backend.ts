import { type ApiKeyOperationId, ERRORS, type Operations, type RequestInput } from '@signpost/contract';
import { type Backend, type CallOptions, type OperationAnswer, SignpostApiError } from 'signpost-mcp';
import { ServiceError } from '../platform/errors.js';
import { type Admission, rateLimitHeaders } from '../usage/rate-limit.js';
import {
  type OperationResult,
  type ResultHeaders,
  type BoundOperation,
  neverAborted,
} from './operation-handler.js';
import type { ApiKeyOperations } from './operations.js';

/**
 * Performs one call of an operation, metered for its caller. `onAdmission` gets the key's usage, even if a limit is
 * used up and the call is rejected.
 */
export type Perform = (
  bound: BoundOperation,
  request: unknown,
  signal: AbortSignal,
  onAdmission: (admission: Admission) => void,
) => Promise<OperationResult>;

/** The headers about limits that a caller over HTTP would get. */
function headersOf(admission: Admission): Record<string, string> {
  const limits = rateLimitHeaders(admission);
  return limits === undefined ? {} : { ratelimit: limits.state, 'ratelimit-policy': limits.policy };
}

/** The headers of a response as an HTTP client reads them: names in lower case, values as texts. */
const asSent = (headers: ResultHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));

/** Converts a ServiceError to the error that a client over HTTP would throw. Returns other errors unchanged. */
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
  async function call(operationId: ApiKeyOperationId, request: unknown, options: CallOptions = {}) {
    const { signal, onHeaders } = options;
    let headers: Readonly<Record<string, string>> = {};
    const onAdmission = (admission: Admission) => {
      headers = headersOf(admission);
      onHeaders?.(headers);
    };
    try {
      const answer = await perform(operations[operationId], request, signal ?? neverAborted, onAdmission);
      if (answer.headers !== undefined) onHeaders?.({ ...headers, ...asSent(answer.headers) });
      return 'value' in answer ? answer.value : answer;
    } catch (error) {
      signal?.throwIfAborted();
      throw asApiError(error);
    }
  }
  return { call };
}
