import type { Operation } from '@signpost/contract';
import type { z } from 'zod';
import type { Reservation } from '../capture/fair-queue.js';
import type { KnownKey } from '../keys/key-finder.js';
import type { VerifiedAccessToken } from '../tokens/access-token.js';
import type { Admission } from '../usage/rate-limit.js';
import type { BorrowedBuffer } from '../platform/borrowed-buffer.js';
import { parseRequest } from './invalid-request.js';

/** Who calls an operation of interface A: a key whose request was counted. */
export interface ApiKeyCaller {
  readonly admission: Admission;
  /** What was held for it before it was counted, where the operation needs something. */
  readonly reservation?: Reservation | undefined;
}

/** Holds what an operation needs of an account's share, before anything is counted. */
export type Reserve = (key: KnownKey) => Promise<Reservation>;

/** Who calls with an access token. */
export interface AccessTokenCaller {
  readonly verified: VerifiedAccessToken;
}

/** Who calls with nothing but what the body holds. */
export interface UnknownCaller {
  /** The address that the request came from. */
  readonly address: string;
}

/** Who calls, and the signal that ends the work when the caller has gone. */
export type Call<Caller = ApiKeyCaller> = Caller & {
  readonly signal: AbortSignal;
  /** Hears the headers of an answer in JSON, before it. */
  readonly onHeaders?: (headers: AnswerHeaders) => void;
};

export type AnswerHeaders = Readonly<Record<string, number | string>>;

/** What an operation with files for answers gives. */
export interface FileResult {
  readonly body: Buffer;
  readonly mediaType: string;
  readonly headers: AnswerHeaders;
}

type OneOf<T> = T | Promise<T>;

/**
 * An operation with its handler, its request still to be checked; the one way into the domain. `run` checks the body
 * against the operation's schema and does the work; it throws a ServiceError that says what was wrong.
 */
export type BoundOperation<Caller = ApiKeyCaller> =
  | {
      readonly kind: 'json';
      readonly operation: Operation;
      /** Where it takes a place as captures do; then `run` answers a promise. */
      readonly reserve?: Reserve | undefined;
      run(body: unknown, call: Call<Caller>): unknown;
      /** Does as `run`, but writes the answer as JSON itself, where that takes much less time; to be sent at once. */
      readonly write?: (body: unknown) => BorrowedBuffer;
    }
  | {
      readonly kind: 'file';
      readonly operation: Operation;
      readonly reserve: Reserve;
      run(body: unknown, call: Call<Caller>): Promise<FileResult>;
    };

type JsonResponse<Schema extends z.ZodType> = { readonly kind: 'json'; readonly schema: Schema };

/** Binds the handler of an operation with a request and a JSON answer. */
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

/** Binds the handler of an operation whose JSON is written without going through the objects that it stands for. */
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

/** What was held for a call, without which its operation may not run. */
function heldFor({ path }: Operation, { reservation }: Call): Reservation {
  if (reservation === undefined) throw new Error(`Nothing was reserved for ${path}.`);
  return reservation;
}

/** Binds the handler of an operation that answers JSON, and waits for the account's turn itself where it has to. */
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

/** Binds the handler of an operation that answers a file, and waits for the account's turn itself where it has to. */
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
