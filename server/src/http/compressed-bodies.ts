import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';

/** Nearly as small as the highest quality, which would take tens of milliseconds for a page. */
export const BROTLI_QUALITY = 5;
const MAX_BODIES = 200;
/** Smaller bodies are sent as they are. */
const MIN_BYTES = 1_024;

const COMPRESS = {
  br: (body: Buffer) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (body: Buffer) => promisify(gzip)(body),
} as const;

type Encoding = keyof typeof COMPRESS;

const accepts = (header: string, encoding: Encoding) =>
  header
    .split(',')
    .some((part) => new RegExp(`^\\s*${encoding}\\s*(?:;\\s*q=(?!0(?:\\.0*)?\\s*$).*)?$`, 'u').test(part));

/** The encoding to use for a request; undefined for none. */
function encodingFor({ headers }: Pick<FastifyRequest, 'headers'>): Encoding | undefined {
  const header = headers['accept-encoding'] ?? '';
  if (accepts(header, 'br')) return 'br';
  return accepts(header, 'gzip') ? 'gzip' : undefined;
}

/**
 * Compresses bodies that many requests get, once each, and keeps the bytes. Otherwise a flood of such requests fills the
 * thread pool, and the database's queries wait behind it.
 */
export class CompressedBodies {
  readonly #kept = new LRUCache<string, Promise<Buffer>>({ max: MAX_BODIES });

  /** Sends the body of this key, which is made only if it is not kept yet, or if the client takes no compressed one. */
  sendKept(request: FastifyRequest, reply: FastifyReply, key: string, make: () => Buffer): FastifyReply {
    reply.header('Vary', 'Accept-Encoding');
    const encoding = encodingFor(request);
    if (encoding === undefined) return reply.send(make());
    const keptKey = `${encoding} ${key}`;
    const kept = this.#kept.get(keptKey) ?? COMPRESS[encoding](make());
    this.#kept.set(keptKey, kept);
    kept.then(
      // This header also tells @fastify/compress to leave the body alone.
      (compressed) => reply.header('Content-Encoding', encoding).send(compressed),
      (error: unknown) => reply.send(error),
    );
    return reply;
  }

  /** Sends a body that may have been sent before. */
  send(request: FastifyRequest, reply: FastifyReply, body: Buffer): FastifyReply {
    if (body.length < MIN_BYTES) return reply.send(body);
    return this.sendKept(request, reply, createHash('sha1').update(body).digest('base64'), () => body);
  }
}
