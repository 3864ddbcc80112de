import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import {
  type AllowedCallers,
  crossOriginHeaders,
  foreignCaller,
  PREFLIGHT_HEADERS,
  presentedKey,
} from 'signpost-mcp';
import type { FindKey, KnownKey } from '../../keys/key-finder.js';
import { missingKey } from '../../operations/metered-call.js';
import { ServiceError } from '../../platform/errors.js';
import { challenge } from '../auth/authentication.js';
import '../request-state.js';
import { createMcpHandler, type McpCallDeps, refuseKey } from './mcp-call.js';

const PATH = '/mcp';

export interface McpRouteDeps extends McpCallDeps {
  readonly findKey: FindKey;
  readonly allowed: AllowedCallers;
}

/** Finds the key of an MCP client's request; throws a 401 without one. Whether it is live still is asked later. */
async function authenticate(
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

/** Adds the MCP endpoint: the tools of MCP over the operations, with the limits and the usage of the caller's key. */
export function addMcpRoute(server: FastifyInstance, deps: McpRouteDeps): void {
  const refuseForeign = (request: FastifyRequest, _reply: FastifyReply, done: HookHandlerDoneFunction) => {
    const foreign = foreignCaller(request.headers, deps.allowed);
    done(foreign === undefined ? undefined : new ServiceError('forbidden', foreign));
  };
  const requireKey = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(crossOriginHeaders(request.headers));
    const key = await authenticate(request, reply, deps.findKey);
    request.mcpKey = key;
    request.caller = { keyId: key.id, accountId: key.accountId };
  };

  server.route({
    method: 'POST',
    url: PATH,
    config: { operationId: 'mcp' },
    onRequest: [refuseForeign, requireKey],
    handler: createMcpHandler(deps),
  });
  server.route({
    method: 'OPTIONS',
    url: PATH,
    onRequest: refuseForeign,
    handler: (request, reply) =>
      reply.code(204).headers(crossOriginHeaders(request.headers)).headers(PREFLIGHT_HEADERS).send(),
  });
  server.route({
    method: ['GET', 'DELETE'],
    url: PATH,
    onRequest: refuseForeign,
    handler: (_request, reply) => {
      reply.header('Allow', 'POST');
      throw new ServiceError(
        'methodNotAllowed',
        `${PATH} takes POST alone: there is no stream to open and no session to end.`,
      );
    },
  });
}
