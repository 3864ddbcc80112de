import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';

/** The highest quality, 11, compresses only somewhat better and takes many times as long. */
export const BROTLI_QUALITY = 5;
const MAX_BODIES = 200;
/** `send` does not compress smaller bodies. */
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
 * Caches the compressed bytes of bodies that many requests get. If each request compressed the body again, a flood of
 * requests would fill the thread pool.
 */
export class CompressedBodies {
  readonly #bodies = new LRUCache<string, Promise<Buffer>>({ max: MAX_BODIES });

  /**
   * Sends the body with this key. Calls `make` if its compressed form is not cached, or if the client accepts no
   * compression.
   */
  sendCached(request: FastifyRequest, reply: FastifyReply, key: string, make: () => Buffer): FastifyReply {
    reply.header('Vary', 'Accept-Encoding');
    const encoding = encodingFor(request);
    if (encoding === undefined) return reply.send(make());
    const cacheKey = `${encoding} ${key}`;
    const body = this.#bodies.get(cacheKey) ?? COMPRESS[encoding](make());
    this.#bodies.set(cacheKey, body);
    body.then(
      // This header also stops @fastify/compress from compressing the body again.
      (compressed) => reply.header('Content-Encoding', encoding).send(compressed),
      (error: unknown) => {
        if (this.#bodies.get(cacheKey) === body) this.#bodies.delete(cacheKey);
        reply.send(error);
      },
    );
    return reply;
  }

  /**
   * Sends a body, compressed if the client accepts that and the body is not short. Equal bodies share a cached result.
   */
  send(request: FastifyRequest, reply: FastifyReply, body: Buffer): FastifyReply {
    if (body.length < MIN_BYTES) return reply.send(body);
    return this.sendCached(request, reply, createHash('sha1').update(body).digest('base64'), () => body);
  }
}
