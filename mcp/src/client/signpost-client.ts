import {
  type ApiKeyOperationId,
  LIMITS,
  type Operation,
  type Operations,
  operations,
  parseWebAddress,
  type RequestInput,
} from '@signpost/contract';
import type { AxiosInstance } from 'axios';
import type { Backend, CallOptions } from './backend.js';
import { SignpostApiError } from './signpost-api-error.js';
import { createHttpSender } from './http-sender.js';
import type { OperationAnswer } from './backend.js';
import { operationAnswer, rejectionOf } from './operation-answer.js';

/**
 * Parses the address of a server, and removes its query and fragment. If it is no http or https address, or its path
 * ends in "/mcp", throws a TypeError that does not repeat the address, because that may contain a password or be the
 * key.
 */
export function parseBaseUrl(text: string): URL {
  const url = parseWebAddress(text);
  if (url === undefined)
    throw new TypeError(
      'The base URL is not an http or https address such as "http://127.0.0.1:3000" (--base-url, SIGNPOST_BASE_URL).',
    );
  if (/\/mcp\/*$/u.test(url.pathname))
    throw new TypeError(
      'The base URL is the address of the server itself: leave out "/mcp" at its end (--base-url, SIGNPOST_BASE_URL).',
    );
  url.search = '';
  url.hash = '';
  return url;
}

/** One time limit for the capture, four for the captures before it in the server's queue, and one to send the file. */
const LIMITS_IN_TIMEOUT = 6;

/**
 * The time limit of a call: LIMITS_IN_TIMEOUT times the `timeoutMs` of the request, or times the default of that field
 * if `timeoutMs` is left out, shorter than the default or above the maximum.
 */
const defaultTimeoutMs = (request: object | undefined): number => {
  const { default: usual, max } = LIMITS.timeoutMs;
  const requestedMs = request !== undefined && 'timeoutMs' in request ? Number(request.timeoutMs) : usual;
  // A shorter limit counts as the usual one. The server rejects a longer one than `max` at once.
  return LIMITS_IN_TIMEOUT * (requestedMs >= usual && requestedMs <= max ? requestedMs : usual);
};

interface SignpostClientOptions {
  /** The address of the server, with or without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The time limit of one call, from its start to the last byte. If unset, that of `defaultTimeoutMs`. */
  readonly timeoutMs?: number;
  readonly http?: AxiosInstance;
}

/** A typed client of a server's interface A. */
export type SignpostClient = Backend;

/** Creates a client for one server with one key. Throws TypeError if the address is not valid or the key is empty. */
export function createSignpostClient(options: SignpostClientOptions): SignpostClient {
  const { apiKey, timeoutMs, http } = options;
  if (apiKey === '') throw new TypeError('An API key is needed: create a project on the server to get one.');
  const send = createHttpSender({ baseUrl: parseBaseUrl(options.baseUrl), apiKey, http });

  function call<Id extends ApiKeyOperationId>(
    operationId: Id,
    request: RequestInput<Operations[Id]>,
    options?: CallOptions,
  ): Promise<OperationAnswer<Id>>;
  async function call(
    operationId: ApiKeyOperationId,
    request: object | undefined,
    options: CallOptions = {},
  ) {
    const operation: Operation = operations[operationId];
    const answer = await send(operation, request, timeoutMs ?? defaultTimeoutMs(request), options.signal);
    options.onHeaders?.(answer.headers);
    if (answer.status !== 200) throw withoutKey(rejectionOf(answer), apiKey);
    return operationAnswer(operation, answer);
  }
  return { call };
}

/** Returns the error without the key, which a server or a proxy may have repeated in its message. */
function withoutKey(error: SignpostApiError, apiKey: string): SignpostApiError {
  return new SignpostApiError(error.message.replaceAll(apiKey, '[API key]'), error);
}
