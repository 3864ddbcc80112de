import type { Operation } from '@signpost/contract';
import type { z } from 'zod';
import type { Reservation } from '../capture/fair-queue.js';
import type { KnownKey } from '../keys/key-finder.js';
import type { VerifiedAccessToken } from '../tokens/access-token.js';
import type { Admission } from '../usage/rate-limit.js';
import type { BorrowedBuffer } from '../platform/borrowed-buffer.js';
import { parseRequest } from './invalid-request.js';

/** The caller of an operation of interface A: a key whose request was counted. */
export interface ApiKeyCaller {
  readonly admission: Admission;
  /** The reservation made before the call was counted, if the operation needs one. */
  readonly reservation?: Reservation | undefined;
}

/** Reserves a capture slot of an account, before the call is counted. */
export type Reserve = (key: KnownKey) => Promise<Reservation>;

/** A caller with an access token. */
export interface AccessTokenCaller {
  readonly verified: VerifiedAccessToken;
}

/** A caller without credentials, except those in the body. */
export interface UnknownCaller {
  /** The address that the request came from. */
  readonly address: string;
}

/** The caller, and the signal that aborts the work when the caller is gone. */
export type Call<Caller = ApiKeyCaller> = Caller & {
  readonly signal: AbortSignal;
  /** Receives the headers of a JSON response before the response. */
  readonly onHeaders?: (headers: AnswerHeaders) => void;
};

export type AnswerHeaders = Readonly<Record<string, number | string>>;

/** The result of an operation that returns a file. */
export interface FileResult {
  readonly body: Buffer;
  readonly mediaType: string;
  readonly headers: AnswerHeaders;
}

type OneOf<T> = T | Promise<T>;

/**
 * An operation with its handler: the only way into the domain. `run` checks the body against the operation's
 * schema, then does the work. Throws a ServiceError that says what was wrong.
 */
export type BoundOperation<Caller = ApiKeyCaller> =
  | {
      readonly kind: 'json';
      readonly operation: Operation;
      /** Set if the operation needs a capture slot. `run` is then async. */
      readonly reserve?: Reserve | undefined;
      run(body: unknown, call: Call<Caller>): unknown;
      /**
       * Like `run`, but returns the response as JSON, if that is much faster. The bytes must be sent at once.
       */
      readonly write?: (body: unknown) => BorrowedBuffer;
    }
  | {
      readonly kind: 'file';
      readonly operation: Operation;
      readonly reserve: Reserve;
      run(body: unknown, call: Call<Caller>): Promise<FileResult>;
    };

type JsonResponse<Schema extends z.ZodType> = { readonly kind: 'json'; readonly schema: Schema };

/** Binds the handler of an operation with a request and a JSON response. */
export const bindJson = <Request extends z.ZodObject, Response extends z.ZodType, Caller = ApiKeyCaller>(
  operation: Operation & { readonly request: Request; readonly response: JsonResponse<Response> },
  handle: (request: z.output<Request>, call: Call<Caller>) => OneOf<z.output<Response>>,
): BoundOperation<Caller> => ({
  kind: 'json',
  operation,
  run: (body, call) => handle(parseRequest(operation.request, body), call),
});

/** Binds the handler of an operation without a request. */
export const bindQuery = <Response extends z.ZodType, Caller = ApiKeyCaller>(
  operation: Operation & { readonly response: JsonResponse<Response> },
  handle: (call: Call<Caller>) => OneOf<z.output<Response>>,
): BoundOperation<Caller> => ({ kind: 'json', operation, run: (_body, call) => handle(call) });

/** Binds the handler of an operation that writes its JSON without creating objects. */
export const bindWritten = <Request extends z.ZodObject, Response extends z.ZodType>(
  operation: Operation & { readonly request: Request; readonly response: JsonResponse<Response> },
  handle: (request: z.output<Request>) => z.output<Response>,
  write: (request: z.output<Request>) => BorrowedBuffer,
): BoundOperation => ({
  kind: 'json',
  operation,
  run: (body) => handle(parseRequest(operation.request, body)),
  write: (body) => write(parseRequest(operation.request, body)),
});

/** The reservation of a call. Its operation may not run without one. */
function heldFor({ path }: Operation, { reservation }: Call): Reservation {
  if (reservation === undefined) throw new Error(`Nothing was reserved for ${path}.`);
  return reservation;
}

/** Binds the handler of an operation that returns JSON and needs a capture slot. */
export const bindReserved = <Request extends z.ZodObject, Response extends z.ZodType>(
  operation: Operation & { readonly request: Request; readonly response: JsonResponse<Response> },
  reserve: Reserve,
  handle: (request: z.output<Request>, reservation: Reservation, call: Call) => Promise<z.output<Response>>,
): BoundOperation => ({
  kind: 'json',
  operation,
  reserve,
  run: async (body, call) => handle(parseRequest(operation.request, body), heldFor(operation, call), call),
});

/** Binds the handler of an operation that returns a file and needs a capture slot. */
export const bindFile = <Request extends z.ZodObject>(
  operation: Operation & { readonly request: Request; readonly response: { readonly kind: 'file' } },
  reserve: Reserve,
  handle: (request: z.output<Request>, reservation: Reservation, call: Call) => Promise<FileResult>,
): BoundOperation => ({
  kind: 'file',
  operation,
  reserve,
  run: async (body, call) => handle(parseRequest(operation.request, body), heldFor(operation, call), call),
});
