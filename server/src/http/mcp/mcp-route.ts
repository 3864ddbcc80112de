import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { crossOriginHeaders, foreignOrigin, PREFLIGHT_HEADERS } from 'signpost-mcp/callers';
import { ServiceError } from '../../platform/errors.js';
import { loadOnce } from '../../platform/load-once.js';
import type { StrangerBudget } from '../auth/stranger-budget.js';
import '../request-state.js';
import { createMcpAuthentication, type McpAuthenticationDeps } from './mcp-authentication.js';
import { addLinkedFileRoute } from './linked-file-route.js';
import type { McpCallDeps } from './mcp-call.js';

const PATH = '/mcp';

export interface McpRouteDeps extends Omit<McpCallDeps, 'reject'>, McpAuthenticationDeps {
  /** Origins of other sites whose pages may call /mcp; "*" allows every origin. */
  readonly allowedOrigins: readonly string[];
  readonly strangers: StrangerBudget;
}

/** Returns a handler that loads the MCP SDK when the first client comes, so that servers start sooner. */
function handlerOnDemand(deps: McpCallDeps) {
  const load = loadOnce(async () => (await import('./mcp-call.js')).createMcpHandler(deps));
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
    (await load())(request, reply);
}

/**
 * Adds the MCP endpoint: tools over the operations, with the limits and the usage of the caller's key. Also serves the
 * files that the tools return as addresses.
 */
export function addMcpRoute(server: FastifyInstance, deps: McpRouteDeps): void {
  const { authenticate, reject } = createMcpAuthentication(deps);
  const rejectForeign = (request: FastifyRequest, _reply: FastifyReply, done: HookHandlerDoneFunction) => {
    const foreign = foreignOrigin(request.headers, deps.allowedOrigins);
    done(foreign === undefined ? undefined : new ServiceError('forbidden', foreign));
  };
  const requireKey = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(crossOriginHeaders(request.headers));
    const key = await authenticate(request, reply);
    request.mcpKey = key;
    request.caller = { keyId: key.id, accountId: key.accountId };
  };

  server.route({
    method: 'POST',
    url: PATH,
    config: { operationId: 'mcp' },
    onRequest: [rejectForeign, requireKey],
    handler: handlerOnDemand({ ...deps, reject }),
  });
  server.route({
    method: 'OPTIONS',
    url: PATH,
    onRequest: rejectForeign,
    handler: (request, reply) =>
      reply.code(204).headers(crossOriginHeaders(request.headers)).headers(PREFLIGHT_HEADERS).send(),
  });
  server.route({
    method: ['GET', 'DELETE'],
    url: PATH,
    onRequest: rejectForeign,
    handler: (_request, reply) => {
      reply.header('Allow', 'POST');
      throw new ServiceError(
        'methodNotAllowed',
        `${PATH} accepts only POST: there is no stream to open and no session to end.`,
      );
    },
  });
  addLinkedFileRoute(server, deps.linkedFiles, deps.strangers);
}
