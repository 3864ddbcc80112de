import { type IDataObject, NodeApiError, type NodeOperationError } from 'n8n-workflow';
import { inEditorNames, type NamedRequest } from './field-names';
import { type NoAnswer, noAnswerOf } from './no-answer';
import { numberOf, parseJson, property, textOf } from './values';

/** A request that failed. */
export interface Failure {
  /** The HTTP status; undefined if there was no complete response. */
  readonly status: number | undefined;
  /** The code of the error, such as ECONNREFUSED; undefined if it has none. */
  readonly code: string | undefined;
  /** Why there was no complete response; undefined if there was one, or if the reason is not known. */
  readonly noAnswer: NoAnswer | undefined;
  /**
   * The contract's name of the error; undefined without a response, or if an older server or one that is not a Signpost
   * server responded.
   */
  readonly errorName: string | undefined;
  /**
   * The server's message in `{error}`, or n8n's if there was no complete response; undefined if a complete response has
   * no message.
   */
  readonly message: string | undefined;
  /** How long the server asks to wait; undefined if it does not ask. */
  readonly retryAfterSeconds: number | undefined;
  /** Whether the server says that its directory does not have something, such as a postcode, or the position of one. */
  readonly isNotInDirectory: boolean;
  /** The address that the server redirects to. */
  readonly location: string | undefined;
}

/** A copy from the contract: the header that names the kind of an error. */
export const ERROR_HEADER = 'X-Signpost-Error';
/**
 * A copy from the contract: the kind of an error about something that the directory does not have, such as a postcode,
 * or the position of one.
 */
export const NOT_IN_DIRECTORY = 'notInDirectory';
/** A copy from the contract: the kind of an error about a key that may not make this kind of request. */
export const FORBIDDEN = 'forbidden';
/**
 * Matches the messages of older servers, which do not send ERROR_HEADER, about something that the directory does not
 * have, such as a postcode, or the position of one.
 */
const OLDER_WORDS = /^There is no .+ in the directory\.|^The directory does not say where /u;

const saysNotInDirectory = (
  status: number | undefined,
  name: string | undefined,
  serverMessage: string | undefined,
) => {
  if (status !== 404 || serverMessage === undefined) return false;
  return name === undefined ? OLDER_WORDS.test(serverMessage) : name === NOT_IN_DIRECTORY;
};

const bodyOf = (data: unknown): unknown => {
  if (Buffer.isBuffer(data)) return parseJson(data.toString('utf8'));
  if (data instanceof ArrayBuffer) return parseJson(Buffer.from(data).toString('utf8'));
  return typeof data === 'string' ? parseJson(data) : data;
};

/** Longer waits are cut to this, so that their end can be shown as a date. */
const LONGEST_WAIT_SECONDS = 366 * 24 * 60 * 60;

/**
 * The seconds to wait according to a Retry-After header, which is a number of seconds or a date; undefined if it is
 * neither.
 */
export function retryAfter(value: unknown, nowMs: number): number | undefined {
  const dateMs = Date.parse(textOf(value) ?? '');
  const seconds = numberOf(value) ?? Math.ceil((dateMs - nowMs) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(0, seconds), LONGEST_WAIT_SECONDS);
}

/**
 * Reads an error that a helper of n8n threw: n8n's own error around that of the HTTP client, or only the HTTP client's
 * error. If `request` is given, the message uses the editor's names of fields.
 */
export function readFailure(error: unknown, nowMs: number, request?: NamedRequest): Failure {
  const layers = [error, property(error, 'cause'), property(property(error, 'cause'), 'cause')];
  const innermost = layers.findLast((layer) => layer !== undefined);
  const first = (read: (layer: unknown) => unknown) =>
    layers.map(read).find((value) => value !== undefined && value !== null);
  const response = first((layer) => property(layer, 'response'));
  const headers = property(response, 'headers');
  const code = textOf(first((layer) => property(layer, 'code')));
  const httpStatus = numberOf(
    property(response, 'status') ??
      property(response, 'statusCode') ??
      first((layer) => property(layer, 'httpCode')),
  );
  // An error with the status of a success means that the response broke off.
  const isBrokenOff = httpStatus !== undefined && httpStatus >= 200 && httpStatus < 300;
  const status = isBrokenOff ? undefined : httpStatus;
  const serverMessage = textOf(
    property(bodyOf(property(response, 'data') ?? property(response, 'body')), 'error'),
  );
  const words = serverMessage ?? (status === undefined ? textOf(property(innermost, 'message')) : undefined);
  const errorName = textOf(property(headers, ERROR_HEADER.toLowerCase()));
  return {
    status,
    code,
    noAnswer: isBrokenOff ? 'broken' : status === undefined ? noAnswerOf(code, layers) : undefined,
    errorName,
    message: words === undefined ? undefined : inEditorNames(words, request),
    retryAfterSeconds: retryAfter(property(headers, 'retry-after'), nowMs),
    isNotInDirectory: saysNotInDirectory(status, errorName, serverMessage),
    location: textOf(property(headers, 'location')),
  };
}

/** Matches the server's message that a capture failed because of the page's status. */
const PAGE_STATUS = /^The page answers with the status (\d{3})\./u;

const pageStatusIn = (message: string) => numberOf(PAGE_STATUS.exec(message)?.[1]);

/** The fields of a failed item that describe the error. */
export function failureJson(error: NodeApiError | NodeOperationError): IDataObject {
  const { message, description } = error;
  const httpCode = error instanceof NodeApiError ? error.httpCode : null;
  const details: IDataObject = {
    ...(typeof description === 'string' ? { description } : {}),
    ...(httpCode === null ? {} : { httpStatus: Number(httpCode) }),
  };
  const pageStatus = pageStatusIn(message);
  return { error: message, details, ...(pageStatus === undefined ? {} : { pageStatus }) };
}

const isDetail = ([name, value]: [string, unknown]) =>
  (name === 'description' && typeof value === 'string') ||
  (name === 'httpStatus' && typeof value === 'number');

const isDetails = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.entries(value).every(isDetail);

/**
 * The fields of an item without those that `failureJson` wrote for an earlier failure. Returns all fields if `error` is
 * not a text or `details` is not as `failureJson` writes it.
 */
export function withoutFailure(json: IDataObject): IDataObject {
  const { error, details, ...others } = json;
  if (typeof error !== 'string' || !isDetails(details)) return json;
  const { pageStatus, ...rest } = others;
  return pageStatus !== undefined && pageStatus === pageStatusIn(error) ? rest : others;
}
