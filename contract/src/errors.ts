import { z } from 'zod';
import { LIMITS } from './limits.js';

/** The schema of the error body of both interfaces. */
export const errorBody = z
  .object({
    error: z.string().describe('Says what was wrong and what to change.'),
    suggestions: z
      .array(z.object({ kind: z.string(), code: z.string().nullable(), name: z.string() }))
      .optional()
      .describe('Only if no area has the name that was sent: up to five areas with the nearest names.'),
  })
  .meta({ id: 'Error', description: 'The body of every error.' });

export type ErrorBody = z.output<typeof errorBody>;

const MAX_BYTES_PER_CHARACTER = 6;
const encoder = new TextEncoder();

/**
 * Returns the error body as JSON text, with `fields` if given. Cuts a long message if the body would be larger than
 * LIMITS.errorBytes. Never cuts `fields`, which must be well under half of that.
 */
export function errorJson(message: string, fields: Readonly<Record<string, unknown>> = {}): string {
  const { max } = LIMITS.errorBytes;
  const jsonOf = (error: string) => JSON.stringify({ error, ...fields });
  let json = jsonOf(message);
  if (message.length * MAX_BYTES_PER_CHARACTER < max / 2) return json;
  let length = Math.min(message.length, max);
  while (length >= 1 && encoder.encode(json).length > max) {
    json = jsonOf(`${message.slice(0, length)}…`);
    length *= 0.9;
  }
  return json;
}

/** The errors by their names, each with its HTTP status, its meaning and what to do about it. */
export const ERRORS = {
  invalidRequest: {
    status: 400,
    description: 'A parameter or the URL is wrong. The message says which.',
    cure: 'Change the field that the message names, then send the request again.',
  },
  unauthorized: {
    status: 401,
    description: 'The API key or access token is missing or unknown, or has ended.',
    cure: 'Send a live key in X-Api-Key, or a new access token in Authorization. The refresh token gets a new access token.',
  },
  forbidden: {
    status: 403,
    description:
      'The key may not make this kind of request, or the request comes from a web page that may not call this server.',
    cure: 'Use a key that may make it. Call from a program or from a page of this server.',
  },
  notFound: {
    status: 404,
    description: 'There is no such path.',
    cure: 'Check the address of the server and the path. /openapi.json lists all paths.',
  },
  notInDirectory: {
    status: 404,
    description:
      'The directory has no such postcode, outcode or area, or does not say where the postcode is.',
    cure: 'Check the spelling. If somebody typed the postcode, validate or autocomplete it first.',
  },
  methodNotAllowed: {
    status: 405,
    description: 'The path does not take this method. The Allow header lists the methods that it takes.',
    cure: 'Use a method from the Allow header.',
  },
  gone: {
    status: 410,
    description: 'The link has ended: it expired, its owner ended it, or its key no longer works.',
    cure: 'Ask the person who gave you the link for another, or make one with POST /api/link.',
  },
  payloadTooLarge: {
    status: 413,
    description: 'The request body is larger than the server accepts.',
    cure: 'Send less, or split it into several requests.',
  },
  unsupportedMediaType: {
    status: 415,
    description: 'The request body is not application/json.',
    cure: 'Send JSON with the header Content-Type: application/json.',
  },
  misdirected: {
    status: 421,
    description: 'The request uses a host name that the server is not called by.',
    cure: 'Use an address of the server. Its operator can allow the name with SIGNPOST_ALLOWED_HOSTS.',
  },
  rateLimited: {
    status: 429,
    description:
      'Too many requests, too many captures of one account at the same time, or too many wrong tries. The Retry-After header says how long to wait.',
    cure: 'Wait as many seconds as Retry-After says, then send it again. If this happens often, ask the operator for higher limits.',
  },
  internal: {
    status: 500,
    description: 'The server failed, or its browser failed on the page.',
    cure: 'Send it again after some seconds. If it fails again, tell the operator the X-Request-Id.',
  },
  notCaptured: {
    status: 502,
    description: 'The page of a link could not be captured, and there is no earlier capture of it.',
    cure: "Send the link's request to its operation, which says why. The owner of the key finds the reason in the log of requests.",
  },
  overloaded: {
    status: 503,
    description:
      'Too many requests are waiting, the server is stopping, or its own network is down. See Retry-After.',
    cure: 'Send it again after as many seconds as Retry-After says.',
  },
  timeout: {
    status: 504,
    description: 'The page took longer than a capture may take.',
    cure: 'Wait for less of the page with waitUntil, or set onTimeout to capture to get what has loaded by then.',
  },
} as const satisfies Record<string, { status: number; description: string; cure: string }>;

export type ErrorName = keyof typeof ERRORS;

/**
 * The header that names an error's entry in ERRORS. It lets a client tell a postcode that is not in the directory from
 * any other 404, such as a wrong address.
 */
export const ERROR_HEADER = 'X-Signpost-Error';

/** Matches the "not in the directory" messages of older servers, which do not send ERROR_HEADER. */
const OLDER_WORDS = /^There is no .+ in the directory\.|^The directory does not say where /u;

/**
 * Whether an error means "not in the directory". `name` is the value of its ERROR_HEADER. Without that header, its
 * message decides.
 */
export const isNotInDirectory = (status: number, name: string | undefined, message: string): boolean =>
  status === ERRORS.notInDirectory.status &&
  (name === undefined ? OLDER_WORDS.test(message) : name === ('notInDirectory' satisfies ErrorName));

/** The errors that every operation of interface A may return. */
export const API_KEY_ERRORS = [
  'unauthorized',
  'forbidden',
  'rateLimited',
  'internal',
  'overloaded',
] as const satisfies ErrorName[];

/** The errors that every operation of interface A with a body may return. */
export const API_KEY_BODY_ERRORS = [
  'invalidRequest',
  'payloadTooLarge',
  'unsupportedMediaType',
  ...API_KEY_ERRORS,
] as const satisfies ErrorName[];
