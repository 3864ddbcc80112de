import type { FastifyReply, FastifyRequest } from 'fastify';
import { presentedKey } from 'signpost-mcp';
import type { KnownKey } from '../keys/key-finder.js';
import { ServiceError } from '../service-error.js';
import type { FindKey } from './api-key-authentication.js';
import { challenge } from './token-headers.js';

/** Finds the key of an MCP client's request; throws a 401 without one. Whether it is live still is asked later. */
export async function authenticateMcpClient(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  findKey: FindKey,
): Promise<KnownKey> {
  const presented = presentedKey(headers);
  if (presented === undefined) {
    challenge(reply);
    throw new ServiceError(
      'unauthorized',
      'An API key is needed: send it in the header "X-Api-Key" or as "Authorization: Bearer <key>".',
    );
  }
  const key = await findKey(presented);
  if (key !== undefined) return key;
  throw invalidKey(reply);
}

/** The 401 of a key that is unknown or may not be used any more. */
export function invalidKey(reply: FastifyReply): ServiceError {
  challenge(reply, 'invalid_token');
  return new ServiceError('unauthorized', 'The API key is not valid: it is unknown or revoked.');
}
