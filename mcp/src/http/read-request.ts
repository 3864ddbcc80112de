import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { formatBytes, LIMITS, tooManyValues } from '@signpost/contract';

const BEARER = /^Bearer +(\S+)$/iu;

/** The API key from `X-Api-Key`, or else from `Authorization: Bearer <key>`; undefined if there is neither. */
export function presentedKey(headers: IncomingHttpHeaders): string | undefined {
  const own = headers['x-api-key'];
  if (typeof own === 'string' && own !== '') return own;
  return BEARER.exec(headers.authorization ?? '')?.[1];
}

/** An unusable request body, with the HTTP status and a message for the caller. */
export class BodyError extends Error {
  constructor(
    readonly status: 400 | 413,
    message: string,
  ) {
    super(message);
    this.name = 'BodyError';
  }
}

/**
 * Reads the body of a request as JSON. Throws BodyError if the body is not JSON, is too large or has too many values.
 */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const { max } = LIMITS.bodyBytes;
  const tooLarge = () =>
    new BodyError(413, `The request body is too large: at most ${formatBytes(max)} are accepted here.`);
  if (Number(request.headers['content-length'] ?? 0) > max) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    bytes += chunk.length;
    if (bytes > max) throw tooLarge();
    chunks.push(chunk);
  }
  const json = Buffer.concat(chunks).toString('utf8');
  const problem = tooManyValues(json);
  if (problem !== undefined) throw new BodyError(400, problem);
  try {
    return JSON.parse(json);
  } catch {
    throw new BodyError(400, 'The request body is not valid JSON.');
  }
}
