import { type INode, NodeApiError } from 'n8n-workflow';
import type { Failure } from './failure';
import { noAnswerWords } from './no-answer';
import type { Service } from './service';
import { numberOf, property } from './values';

/** A time for people, such as "2026-03-01 00:00:00 UTC". */
const utcTime = (timeMs: number) =>
  new Date(timeMs)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/u, ' UTC');

/** Matches the server's sentence about the wait, which our own message replaces. */
const SERVERS_WAIT = / ?Try again in \d[^.]*\./u;

const count = (number: number, unit: string) => `${number} ${unit}${number === 1 ? '' : 's'}`;

/** A wait as hours and minutes, rounded up, such as "11 hours and 30 minutes"; in seconds if it is below a minute. */
function formatWait(waitMs: number): string {
  if (waitMs < 60_000) return count(Math.ceil(waitMs / 1000), 'second');
  const minutes = Math.ceil(waitMs / 60_000);
  const words = [
    minutes >= 60 ? count(Math.trunc(minutes / 60), 'hour') : undefined,
    minutes % 60 === 0 ? undefined : count(minutes % 60, 'minute'),
  ];
  return words.filter((word) => word !== undefined).join(' and ');
}

/** A wait before the next try that would be longer than the user allows. */
export interface LongWait {
  readonly waitMs: number;
  readonly nextTryMs: number;
  readonly maximumWaitMs: number;
}

const sentence = (text: string) => (/[.!?]$/u.test(text) ? text : `${text}.`);

/** The server's message about a used-up limit, and when to try again. */
export const limitMessage = (
  message: string,
  { waitMs, nextTryMs }: Omit<LongWait, 'maximumWaitMs'>,
): string =>
  `${sentence(message.replace(SERVERS_WAIT, ''))} Run this again after ${utcTime(nextTryMs)}, in ${formatWait(waitMs)}.`;

function messageOf({ status, code, noAnswer, message }: Failure, longWait: LongWait | undefined): string {
  if (status === undefined && noAnswer === undefined && code === undefined && message !== undefined)
    return message;
  if (status === undefined) return noAnswerWords(noAnswer).message;
  const reason = message ?? `The server answered ${status} without saying why`;
  return longWait === undefined || status !== 429 ? reason : limitMessage(reason, longWait);
}

/** The circumstances of a failed request that its error mentions. */
interface Circumstances {
  readonly longWait?: LongWait;
  /** Set if this request was not sent because an earlier one failed. */
  readonly isNotSent?: boolean;
}

const NOT_SENT = 'This request was not sent, because an earlier one in this execution failed as follows.';

function descriptionOf(
  service: Service,
  failure: Failure,
  { longWait, isNotSent = false }: Circumstances,
): string | undefined {
  const { status, code, noAnswer, message } = failure;
  const lines = [
    isNotSent ? NOT_SENT : undefined,
    status === undefined ? sentence(`${service.baseUrl}: ${code ?? message ?? 'no answer'}`) : undefined,
    longWait === undefined || status === undefined
      ? undefined
      : `The wait would be longer than Maximum Wait allows (${longWait.maximumWaitMs / 1000} seconds).`,
    status === undefined ? noAnswerWords(noAnswer).advice : service.advice(failure, service.baseUrl),
  ];
  const text = lines.filter((line) => line !== undefined).join(' ');
  return text === '' ? undefined : text;
}

/**
 * The error for the user, about one item: the server's message or, without a response, why there was none, and advice
 * if there is any.
 */
export function requestError(
  node: INode,
  service: Service,
  failure: Failure,
  itemIndex: number,
  circumstances: Circumstances = {},
): NodeApiError {
  const message = messageOf(failure, circumstances.longWait);
  const description = descriptionOf(service, failure, circumstances);
  return new NodeApiError(
    node,
    {
      message,
      status: failure.status ?? null,
      isFromServer: failure.message !== undefined,
      isNotInDirectory: failure.isNotInDirectory,
      isTimeout: failure.noAnswer === 'timeout',
    },
    {
      message,
      itemIndex,
      ...(description === undefined ? {} : { description }),
      ...(failure.status === undefined ? {} : { httpCode: String(failure.status) }),
    },
  );
}

/**
 * Whether the error says that the server's directory lacks a postcode, outcode or area, or the position of a postcode.
 * False for any other 404.
 */
export const isNotInDirectory = (error: unknown): boolean =>
  error instanceof NodeApiError && property(error.errorResponse, 'isNotInDirectory') === true;

/** Whether the error says that the server did not respond in time. */
export const isTimeout = (error: unknown): error is NodeApiError =>
  error instanceof NodeApiError && property(error.errorResponse, 'isTimeout') === true;

/**
 * The status of an error response with the server's own message; undefined for any other error, such as a proxy's error
 * page.
 */
export const rejectionStatus = (error: unknown): number | undefined =>
  error instanceof NodeApiError && property(error.errorResponse, 'isFromServer') === true
    ? numberOf(error.httpCode)
    : undefined;
