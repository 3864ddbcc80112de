import type { IncomingMessage } from 'node:http';

const MAX_BODY_BYTES = 1_048_576;

/** A body that cannot be used, with its HTTP status and words for the caller. */
export class BodyError extends Error {
  constructor(
    readonly status: 400 | 413,
    message: string,
  ) {
    super(message);
    this.name = 'BodyError';
  }
}

/** Reads a request's body as JSON; throws BodyError where it is none or has more than a mebibyte. */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES)
      throw new BodyError(413, 'The request body is too large: at most 1 MiB is taken.');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new BodyError(400, 'The request body is not valid JSON.');
  }
}
