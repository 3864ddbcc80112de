import { LIMITS, type Operation, operations } from '@signpost/contract';
import { z } from 'zod';

/** What became of a request: answered, wrong, failed, or refused before it was counted. */
export const OUTCOMES = ['2xx', '4xx', '5xx', 'refused'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const isOutcome = (text: string): text is Outcome => OUTCOMES.some((outcome) => outcome === text);

/** How many requests of a key the log keeps, by their outcome. */
export const LOGGED_OF_KEY: Readonly<Record<Outcome, number>> = {
  '2xx': LIMITS.requestLog.answered,
  '4xx': LIMITS.requestLog.wrong,
  '5xx': LIMITS.requestLog.failed,
  refused: LIMITS.requestLog.refused,
};

/** Stands in the place of a key for all keys together. */
export const ALL_KEYS = 0;

/** A request of a key that has ended. */
export interface EndedRequest {
  readonly keyId: number;
  /** The identifier of the operation that it asked for. */
  readonly operation: string;
  readonly status: number;
  readonly elapsedMs: number;
  /** Whether it counted against the limits. */
  readonly isCounted: boolean;
  readonly requestId: string;
  /** The words of its refusal. */
  readonly refusal?: string | undefined;
  /** The address of the page that it asked for: for the log of an account that wants it there. */
  readonly page?: string | undefined;
}

const FIRST_WRONG = 400;
const FIRST_FAILED = 500;

export function outcomeOf({ isCounted, status }: Pick<EndedRequest, 'isCounted' | 'status'>): Outcome {
  if (!isCounted) return 'refused';
  if (status >= FIRST_FAILED) return '5xx';
  return status >= FIRST_WRONG ? '4xx' : '2xx';
}

const MAX_WORDS_CHARACTERS = 300;
/** A value that was sent, as refusals repeat it: as JSON, perhaps cut off, or in words. */
const SENT_VALUE = /, but is (?:"(?:[^"\\]|\\.)*(?:"|$)…?|[^;.]*)/gu;
const ADDRESS = /\b[a-z][a-z\d+.-]*:\/\/[^\s"]+/giu;

const QUOTED = /"(?:[^"\\]|\\.)*"/gu;

let contractText: string | undefined;

/** Whether a quoted text is the contract's own, such as the name of a field or an example, and not what was sent. */
function isOwnWord(quoted: string): boolean {
  contractText ??= JSON.stringify(
    Object.values<Operation>(operations).map(({ request }) =>
      request === undefined ? {} : z.toJSONSchema(request, { io: 'input' }),
    ),
  );
  return contractText.includes(quoted);
}

/** The words of a refusal without what was sent, such as the address of a page. */
const storedWords = (words: string): string =>
  words
    .replace(SENT_VALUE, '')
    .replace(ADDRESS, '…')
    .replace(QUOTED, (quoted) => (isOwnWord(quoted) ? quoted : '"…"'))
    .slice(0, MAX_WORDS_CHARACTERS);

/** A request as the log stores it; 0 stands for no refusal. */
export type LogEntry = readonly [
  atMs: number,
  operation: string,
  status: number,
  outcome: Outcome,
  elapsedMs: number,
  requestId: string,
  refusal: string | 0,
];

const inTenths = (elapsedMs: number) => Math.round(elapsedMs * 10) / 10;

export function logEntry(request: EndedRequest, atMs: number): LogEntry {
  const { operation, status, elapsedMs, requestId, refusal } = request;
  const words = refusal === undefined ? 0 : storedWords(refusal);
  return [atMs, operation, status, outcomeOf(request), inTenths(elapsedMs), requestId, words];
}
