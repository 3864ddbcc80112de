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

/** Every way in which a call can be refused or fail: its HTTP status and its meaning for people. */
export const ERRORS = {
  invalidRequest: {
    status: 400,
    description: 'The parameters or the URL are wrong; the message says which.',
  },
  unauthorized: { status: 401, description: 'The API key or access token is missing, unknown or ended.' },
  forbidden: { status: 403, description: 'The request comes from a page or under a name that may not call.' },
  notFound: { status: 404, description: 'There is no such postcode, outcode or area, or no such path.' },
  methodNotAllowed: {
    status: 405,
    description: 'The path exists, the method does not; see the Allow header.',
  },
  payloadTooLarge: { status: 413, description: 'The request body is larger than the server takes.' },
  unsupportedMediaType: { status: 415, description: 'The request body is not application/json.' },
  rateLimited: {
    status: 429,
    description:
      'Too many requests, more captures of one account at a time than it may have, or too many wrong tries; the ' +
      'Retry-After header says how long to wait.',
  },
  internal: { status: 500, description: 'The server, or the browser on the page, failed.' },
  overloaded: {
    status: 503,
    description: 'Too much is waiting, or the server is stopping; see Retry-After.',
  },
  timeout: { status: 504, description: 'The page took longer than a capture may take.' },
} as const satisfies Record<string, { status: number; description: string }>;

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
