import { LIMITS, type Operation, operations } from '@signpost/contract';
import { z } from 'zod';

/** The outcomes of a request: successful, client error, server error, or rejected before it was counted. */
export const OUTCOMES = ['2xx', '4xx', '5xx', 'refused'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const isOutcome = (text: string): text is Outcome => OUTCOMES.some((outcome) => outcome === text);

/** The number of requests that the log keeps for a key, by outcome. */
export const LOGGED_OF_KEY: Readonly<Record<Outcome, number>> = {
  '2xx': LIMITS.requestLog.answered,
  '4xx': LIMITS.requestLog.wrong,
  '5xx': LIMITS.requestLog.failed,
  refused: LIMITS.requestLog.refused,
};

/** The key id for all keys together. */
export const ALL_KEYS = 0;

/** A finished request of a key. */
export interface FinishedRequest {
  readonly keyId: number;
  /** The identifier of the requested operation. */
  readonly operation: string;
  readonly status: number;
  readonly elapsedMs: number;
  /** Whether the request counted against the limits. */
  readonly isCounted: boolean;
  readonly requestId: string;
  /** The message of the rejection. */
  readonly rejection?: string | undefined;
  /** The address of the requested page. It is stored only if the account wants it logged. */
  readonly page?: string | undefined;
}

const FIRST_WRONG = 400;
const FIRST_FAILED = 500;

export function outcomeOf({ isCounted, status }: Pick<FinishedRequest, 'isCounted' | 'status'>): Outcome {
  if (!isCounted) return 'refused';
  if (status >= FIRST_FAILED) return '5xx';
  return status >= FIRST_WRONG ? '4xx' : '2xx';
}

const MAX_WORDS_CHARACTERS = 300;
/**
 * Finds ", but is" in the message of a rejection, with what follows it from the request: a JSON string, possibly cut,
 * or the words up to the next ";" or ".".
 */
const SENT_VALUE = /, but is (?:"(?:[^"\\]|\\.)*(?:"|$)…?|[^;.]*)/gu;
const ADDRESS = /\b[a-z][a-z\d+.-]*:\/\/[^\s"]+/giu;

const QUOTED = /"(?:[^"\\]|\\.)*"/gu;

let contractText: string | undefined;

/** Whether a quoted text is in the contract, such as a field name or an example. Others may be from the request. */
function isOwnWord(quoted: string): boolean {
  contractText ??= JSON.stringify(
    Object.values<Operation>(operations).map(({ request }) =>
      request === undefined ? {} : z.toJSONSchema(request, { io: 'input' }),
    ),
  );
  return contractText.includes(quoted);
}

/** The message of a rejection, shortened, without the values that the caller sent, except postcodes. */
const storedWords = (words: string): string =>
  words
    .replace(SENT_VALUE, '')
    .replace(ADDRESS, '…')
    .replace(QUOTED, (quoted) => (isOwnWord(quoted) ? quoted : '"…"'))
    .slice(0, MAX_WORDS_CHARACTERS);

/** A request as stored in the log. Its `rejection` is 0 if it was not rejected. */
export type LogEntry = readonly [
  atMs: number,
  operation: string,
  status: number,
  outcome: Outcome,
  elapsedMs: number,
  requestId: string,
  rejection: string | 0,
];

const inTenths = (elapsedMs: number) => Math.round(elapsedMs * 10) / 10;

export function logEntry(request: FinishedRequest, atMs: number): LogEntry {
  const { operation, status, elapsedMs, requestId, rejection } = request;
  const words = rejection === undefined ? 0 : storedWords(rejection);
  return [atMs, operation, status, outcomeOf(request), inTenths(elapsedMs), requestId, words];
}
