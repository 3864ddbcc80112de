import type { z } from 'zod';
import { ERRORS, type ErrorName } from './errors.js';
import { bytesInWords, LIMITS } from './limits.js';

/** The answer of an operation: a JSON body with its schema, or a file of one of some media types. */
export type OperationResponse =
  | { readonly kind: 'json'; readonly schema: z.ZodType }
  | {
      readonly kind: 'file';
      readonly mediaTypes: readonly [string, ...string[]];
      readonly description: string;
    };

/** One operation of the interface as data; everything else about it is derived from this. */
export interface Operation {
  readonly method: 'GET' | 'POST';
  readonly path: `/${string}`;
  /** A: captures, postcodes, usage, with an API key. B: tokens, with a bearer token. */
  readonly interface: 'A' | 'B';
  /** What the caller has to show: its API key, its access token, or nothing but what the body holds. */
  readonly authentication: 'apiKey' | 'accessToken' | 'body';
  readonly tag: 'Capture' | 'Postcode' | 'Usage' | 'Token';
  readonly title: string;
  readonly description: string;
  readonly request?: z.ZodObject;
  /** The largest body that is taken, where it is not that of LIMITS. */
  readonly maxBodyBytes?: number;
  readonly response: OperationResponse;
  /** Headers of a successful answer, with what each carries. */
  readonly responseHeaders: Readonly<Record<string, HeaderDescription>>;
  readonly errors: readonly ErrorName[];
}

/** The largest request body that an operation takes. */
export const maxBodyBytesOf = ({ maxBodyBytes = LIMITS.bodyBytes.max }: Operation): number => maxBodyBytes;

/** What an error of an operation means, for people. */
export const errorDescription = (name: ErrorName, operation: Operation): string =>
  name === 'payloadTooLarge'
    ? `${ERRORS[name].description} At most ${bytesInWords(maxBodyBytesOf(operation))} are taken.`
    : ERRORS[name].description;

export interface HeaderDescription {
  readonly type: 'integer' | 'string';
  readonly description: string;
}

/** What a caller may send for an operation: defaults may be left out. */
export type RequestInput<O extends Operation> = O['request'] extends z.ZodType
  ? z.input<O['request']>
  : undefined;

/** What the operation's handler gets: defaults filled in. */
export type RequestOutput<O extends Operation> = O['request'] extends z.ZodType
  ? z.output<O['request']>
  : undefined;

export type ResponseBody<O extends Operation> = O['response'] extends { kind: 'json'; schema: infer S }
  ? S extends z.ZodType
    ? z.output<S>
    : never
  : never;
