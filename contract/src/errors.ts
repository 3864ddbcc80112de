import { z } from 'zod';
import { LIMITS } from './limits.js';

/** The one error body of both interfaces. */
export const errorBody = z
  .object({ error: z.string().describe('What was wrong and what to change.') })
  .meta({ id: 'Error', description: 'What every refusal and failure answers.' });

export type ErrorBody = z.output<typeof errorBody>;

const MAX_BYTES_PER_CHARACTER = 6;
const encoder = new TextEncoder();
const jsonOf = (error: string) => JSON.stringify({ error } satisfies ErrorBody);

/** The body of a refusal as JSON; words that would make it larger than any refusal may be are cut. */
export function errorJson(message: string): string {
  const { max } = LIMITS.errorBytes;
  let json = jsonOf(message);
  if (message.length * MAX_BYTES_PER_CHARACTER < max / 2) return json;
  for (let length = Math.min(message.length, max); encoder.encode(json).length > max; length *= 0.9)
    json = jsonOf(`${message.slice(0, length)}…`);
  return json;
}

/** Every way in which a call can be refused or fail: its HTTP status, its meaning for people, and what to do about it. */
export const ERRORS = {
  invalidRequest: {
    status: 400,
    description: 'The parameters or the URL are wrong; the message says which.',
    cure: 'Change the field that the message names, then send it again.',
  },
  unauthorized: {
    status: 401,
    description: 'The API key or access token is missing, unknown or ended.',
    cure: 'Send a live key in X-Api-Key, or a new access token in Authorization; one that has ended is renewed with the refresh token.',
  },
  forbidden: {
    status: 403,
    description: 'The request comes from a page or under a name that may not call.',
    cure: 'Call from a program, or from a page of this server, under the address that the server has.',
  },
  notFound: {
    status: 404,
    description: 'There is no such postcode, outcode or area, or no such path.',
    cure: 'Check the spelling; validate or autocomplete a postcode first where it was typed by somebody.',
  },
  methodNotAllowed: {
    status: 405,
    description: 'The path exists, the method does not; see the Allow header.',
    cure: 'Use a method that the Allow header names.',
  },
  payloadTooLarge: {
    status: 413,
    description: 'The request body is larger than the server takes.',
    cure: 'Send less, in several requests where there is much.',
  },
  unsupportedMediaType: {
    status: 415,
    description: 'The request body is not application/json.',
    cure: 'Send JSON with the header Content-Type: application/json.',
  },
  rateLimited: {
    status: 429,
    description:
      'Too many requests, more captures of one account at a time than it may have, or too many wrong tries; the ' +
      'Retry-After header says how long to wait.',
    cure: 'Wait as many seconds as Retry-After says, then send it again; ask the operator for higher limits where that happens often.',
  },
  internal: {
    status: 500,
    description: 'The server, or the browser on the page, failed.',
    cure: 'Send it again after some seconds; where it stays, tell the operator the X-Request-Id.',
  },
  overloaded: {
    status: 503,
    description: 'Too much is waiting, or the server is stopping; see Retry-After.',
    cure: 'Send it again after as many seconds as Retry-After says.',
  },
  timeout: {
    status: 504,
    description: 'The page took longer than a capture may take.',
    cure: 'Ask for less of the page: another waitUntil, or onTimeout with capture, which answers what is there by then.',
  },
} as const satisfies Record<string, { status: number; description: string; cure: string }>;

export type ErrorName = keyof typeof ERRORS;

/** What can go wrong with every operation of interface A. */
export const API_KEY_ERRORS = [
  'unauthorized',
  'rateLimited',
  'internal',
  'overloaded',
] as const satisfies ErrorName[];

/** What can go wrong with those that take a body. */
export const API_KEY_BODY_ERRORS = [
  'invalidRequest',
  'payloadTooLarge',
  'unsupportedMediaType',
  ...API_KEY_ERRORS,
] as const satisfies ErrorName[];
