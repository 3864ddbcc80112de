import type { FastifyReply, FastifyRequest } from 'fastify';
import { presentedKey } from 'signpost-mcp';
import { ServiceError } from '../service-error.js';
import type { FindKeyId } from './api-key-authentication.js';
import { challenge } from './token-headers.js';

/** Whether a key that exists may be used still. */
export type IsKeyLive = (keyId: number) => Promise<boolean>;

/**
 * Finds the key of an MCP client's request; throws a 401 without one that works. Only the calls of tools count, so a
 * key is asked for here whether it is live, which other requests leave to the meter.
 */
export async function authenticateMcpClient(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  findKeyId: FindKeyId,
  isKeyLive: IsKeyLive,
): Promise<number> {
  const presented = presentedKey(headers);
  if (presented === undefined) {
    challenge(reply);
    throw new ServiceError(
      'unauthorized',
      'An API key is needed: send it in the header "X-Api-Key" or as "Authorization: Bearer <key>".',
    );
  }
  const keyId = await findKeyId(presented);
  if (keyId !== undefined && (await isKeyLive(keyId))) return keyId;
  challenge(reply, 'invalid_token');
  throw new ServiceError('unauthorized', 'The API key is not valid: it is unknown or revoked.');
}
