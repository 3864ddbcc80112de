import type { Operation, ResponseBody } from '@signpost/contract';
import type { z } from 'zod';
import type { Reservation } from '../capture/fair-queue.js';
import type { KnownKey } from '../keys/key-finder.js';
import type { VerifiedAccessToken } from '../tokens/access-token.js';
import type { Admission } from '../usage/rate-limit.js';
import { parseRequest } from './invalid-request.js';

/** The caller of an operation of interface A: a key whose request was counted. */
export interface ApiKeyCaller {
  readonly admission: Admission;
  /** The reservation made before the call was counted, if the operation needs one. */
  readonly reservation?: Reservation | undefined;
}

/** Reserves a capture slot for the account of a key, before the call is counted. */
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

/** The caller, and the signal that aborts the work. */
export type Call<Caller = ApiKeyCaller> = Caller & { readonly signal: AbortSignal };

/** The signal of work that nobody can abort. */
export const neverAborted = new AbortController().signal;

export type ResultHeaders = Readonly<Record<string, number | string>>;

/** Bytes that are sent as they are: a file, or JSON that is already written. */
export interface FileResult {
  readonly body: Buffer;
  readonly mediaType: string;
  readonly headers?: ResultHeaders;
}

/**
 * The result of an operation: a value that is sent as JSON, or bytes. Its headers become response headers over HTTP;
 * MCP tools in this process get them too.
 */
export type OperationResult<Value = unknown> =
  { readonly value: Value; readonly headers?: ResultHeaders } | FileResult;

export const JSON_TYPE = 'application/json; charset=utf-8';

/** A result that is already written as JSON. */
export const writtenJson = (body: Buffer): FileResult => ({ body, mediaType: JSON_TYPE });

/**
 * Parses a result that is written as JSON to a value, for a caller in this process. Returns any other result unchanged.
 */
export const parseWrittenJson = (answer: OperationResult): OperationResult =>
  'body' in answer && answer.mediaType === JSON_TYPE ? { value: JSON.parse(answer.body.toString()) } : answer;

/**
 * An operation with its handler. `run` checks the body against the operation's schema, if it has one, then does the
 * work. Rejects with a ServiceError if the request is wrong.
 */
export interface BoundOperation<Caller = ApiKeyCaller> {
  readonly operation: Operation;
  /** Set if the operation needs a capture slot. */
  readonly reserve?: Reserve | undefined;
  run(body: unknown, call: Call<Caller>): Promise<OperationResult>;
}

type HandlerResult<Bound extends Operation> =
  OperationResult<ResponseBody<Bound>> | Promise<OperationResult<ResponseBody<Bound>>>;

/** Combines an operation with its handler and, if it needs a capture slot, with the function that reserves one. */
export const bind = <Bound extends Operation & { readonly request: z.ZodObject }, Caller = ApiKeyCaller>(
  operation: Bound,
  handle: (request: z.output<Bound['request']>, call: Call<Caller>) => HandlerResult<Bound>,
  reserve?: Reserve,
): BoundOperation<Caller> => ({
  operation,
  reserve,
  run: async (body, call) => handle(parseRequest<Bound['request']>(operation.request, body), call),
});

/** Combines an operation that takes no request body with its handler. */
export const bindQuery = <Bound extends Operation, Caller = ApiKeyCaller>(
  operation: Bound,
  handle: (call: Call<Caller>) => HandlerResult<Bound>,
): BoundOperation<Caller> => ({ operation, run: async (_body, call) => handle(call) });

/** Returns the reservation of a call. Throws if there is none. */
export function reservationOf({ reservation }: Call): Reservation {
  if (reservation === undefined) throw new Error('Nothing was reserved for this call.');
  return reservation;
}
