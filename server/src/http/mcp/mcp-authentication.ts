import type { FastifyReply, FastifyRequest } from 'fastify';
import { presentedKey } from 'signpost-mcp/callers';
import type { FindKey, KnownKey } from '../../keys/key-finder.js';
import { invalidKey, missingKey } from '../../operations/metered-call.js';
import type { ServiceError } from '../../platform/errors.js';
import { challenge } from '../auth/authentication.js';
import '../request-state.js';

/** The 401 of a client whose key exists and may not be used any more; it counts for the client's address. */
export function refuseKey(request: FastifyRequest, reply: FastifyReply): ServiceError {
  request.mcpKey = null;
  challenge(reply, 'invalid_token');
  return invalidKey();
}

/** Finds the key of an MCP client's request; throws a 401 without one. Whether it is live still is asked later. */
export async function authenticate(
  request: FastifyRequest,
  reply: FastifyReply,
  findKey: FindKey,
): Promise<KnownKey> {
  const presented = presentedKey(request.headers);
  if (presented === undefined) {
    challenge(reply);
    throw missingKey('the header "X-Api-Key" or as "Authorization: Bearer <key>"');
  }
  const key = await findKey(presented);
  if (key === undefined) throw refuseKey(request, reply);
  return key;
}
