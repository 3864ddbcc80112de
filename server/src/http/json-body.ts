import { formatBytes, LIMITS, type Operation, tooManyValues } from '@signpost/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseRequest } from '../operations/invalid-request.js';
import { ServiceError } from '../platform/errors.js';
import { toServiceError } from './errors.js';
import { beginningOf, findLongestText, type LongText, parseText } from './long-text.js';

type Done = (error: Error | null, body?: unknown) => void;

/** The maximum size of a request without its longest text, in bytes. JSON of up to this size is parsed in one step. */
const { max: MAX_WITHOUT_TEXT } = LIMITS.textBodyBytes;
/** How much of the longest text is decoded for error messages. */
const BEGINNING_BYTES = 360;
/** Stands in for the longest text of a body while the rest of the body is parsed. */
const STAND_IN = '\0the longest text\0';

/**
 * This character takes three bytes of UTF-8, and no character of a JavaScript string takes more. So padding of
 * `minBytes` bytes never has more characters than the real text.
 */
const PADDING = '€';

/** Puts the longest text back into a body, as a value or as the name of a field. */
function withText(part: unknown, text: string): unknown {
  if (part === STAND_IN) return text;
  if (Array.isArray(part)) return part.map((entry) => withText(entry, text));
  if (typeof part !== 'object' || part === null) return part;
  const fields = Object.entries(part).map(([name, value]) => [
    name === STAND_IN ? text : name,
    withText(value, text),
  ]);
  return Object.fromEntries(fields);
}

/** The JSON with STAND_IN in place of the longest text. */
const withoutText = (json: Buffer, { begin, end }: LongText) =>
  `${json.toString('utf8', 0, begin)}${JSON.stringify(STAND_IN).slice(1, -1)}${json.toString('utf8', end)}`;

/**
 * Accepts only JSON bodies; Fastify's default also accepts plain text. Before parsing, rejects a body with more fields
 * and list entries than any valid request has. Parses a body of more than MAX_WITHOUT_TEXT in steps, so that other
 * requests are served in between: first everything but the longest text, then that text.
 */
export function addJsonParser(
  server: FastifyInstance,
  operations: Readonly<Record<string, Operation>>,
): void {
  server.removeContentTypeParser(['text/plain', 'application/json']);
  const parse = server.getDefaultJsonParser('error', 'error');

  const parseAtOnce = (request: FastifyRequest, json: string, done: Done) => {
    const problem = tooManyValues(json);
    if (problem === undefined) void parse(request, json, done);
    else done(new ServiceError('invalidRequest', problem));
  };

  const parseLarge = async (request: FastifyRequest, json: Buffer): Promise<unknown> => {
    const text = await findLongestText(json);
    const textBytes = text.end - text.begin;
    if (json.length - textBytes > MAX_WITHOUT_TEXT)
      throw new ServiceError(
        'invalidRequest',
        `The request body is too large: without its longest text, it may have at most ${formatBytes(MAX_WITHOUT_TEXT)}.`,
      );
    const rest = await new Promise((resolve, reject) => {
      const done: Done = (error, body) => (error instanceof Error ? reject(error) : resolve(body));
      parseAtOnce(request, withoutText(json, text), done);
    });
    const schema = operations[request.routeOptions.config.operationId ?? '']?.request;
    // Checks the request before a text of more than MAX_WITHOUT_TEXT is parsed, with a stand-in that begins like the
    // text and is at most as long.
    if (schema !== undefined && textBytes > MAX_WITHOUT_TEXT) {
      const characters = text.minBytes / Buffer.byteLength(PADDING);
      const asLong = beginningOf(json, text, BEGINNING_BYTES).padEnd(characters, PADDING);
      parseRequest(schema, withText(rest, asLong));
    }
    return withText(rest, await parseText(json, text));
  };

  server.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, json, done) => {
    if (json.length <= MAX_WITHOUT_TEXT) parseAtOnce(request, json.toString(), done);
    else
      parseLarge(request, json).then(
        (body) => done(null, body),
        (error: unknown) => done(toServiceError(error)),
      );
  });
}
