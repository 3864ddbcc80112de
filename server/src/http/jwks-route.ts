import type { FastifyInstance } from 'fastify';
import type { PublicJwk } from '../tokens/signing-key.js';

/** Short enough for a new key to be found soon; who meets an unknown one asks again anyway. */
const MAX_AGE_SECONDS = 60;

/** GET /.well-known/jwks.json: the keys by which other services verify access tokens (RFC 7517). */
export function addJwksRoute(server: FastifyInstance, publicKeys: () => Promise<readonly PublicJwk[]>): void {
  server.get('/.well-known/jwks.json', async (_request, reply) =>
    reply
      .header('Content-Type', 'application/json; charset=utf-8')
      .header('Cache-Control', `public, max-age=${MAX_AGE_SECONDS}`)
      .send(JSON.stringify({ keys: await publicKeys() })),
  );
}
