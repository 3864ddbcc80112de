import type { Operation } from '@signpost/contract';
import type { z } from 'zod';
import type { Admission } from '../usage/admission.js';
import { parseRequest } from './invalid-request.js';

/** Who calls, and the signal that ends the work when the caller has gone. */
export interface Call {
  readonly admission: Admission;
  readonly signal: AbortSignal;
}

/** What an operation with files for answers gives. */
export interface FileResult {
  readonly body: Buffer;
  readonly mediaType: string;
  readonly headers: Readonly<Record<string, number>>;
}

/**
 * An operation with its handler, its request still to be checked; the one way into the domain. `run` checks the body
 * against the operation's schema and does the work; it throws a ServiceError that says what was wrong.
 */
export type BoundOperation =
  | { readonly kind: 'json'; readonly operation: Operation; run(body: unknown, call: Call): unknown }
  | {
      readonly kind: 'file';
      readonly operation: Operation;
      run(body: unknown, call: Call): Promise<FileResult>;
    };

type OneOf<T> = T | Promise<T>;
type JsonResponse<Schema extends z.ZodType> = { readonly kind: 'json'; readonly schema: Schema };

/** Binds the handler of an operation with a request and a JSON answer. */
export const bindJson = <Request extends z.ZodObject, Response extends z.ZodType>(
  operation: Operation & { readonly request: Request; readonly response: JsonResponse<Response> },
  handle: (request: z.output<Request>, call: Call) => OneOf<z.output<Response>>,
): BoundOperation => ({
  kind: 'json',
  operation,
  run: (body, call) => handle(parseRequest(operation.request, body), call),
});

/** Binds the handler of an operation without a request. */
export const bindQuery = <Response extends z.ZodType>(
  operation: Operation & { readonly response: JsonResponse<Response> },
  handle: (call: Call) => OneOf<z.output<Response>>,
): BoundOperation => ({ kind: 'json', operation, run: (_body, call) => handle(call) });

/** Binds the handler of an operation that answers a file. */
export const bindFile = <Request extends z.ZodObject>(
  operation: Operation & { readonly request: Request; readonly response: { readonly kind: 'file' } },
  handle: (request: z.output<Request>, call: Call) => Promise<FileResult>,
): BoundOperation => ({
  kind: 'file',
  operation,
  run: async (body, call) => handle(parseRequest(operation.request, body), call),
});
