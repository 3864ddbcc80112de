import type { ErrorBody } from '@signpost/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type AllowedCallers,
  createHttpEndpoint,
  crossOriginHeaders,
  foreignCaller,
  patientBackend,
  PREFLIGHT_HEADERS,
} from 'signpost-mcp';
import type { Log } from '../log.js';
import { admitCall } from '../operations/admit-call.js';
import type { ApiKeyOperations } from '../operations/operations.js';
import { operationsBackend } from '../operations/operations-backend.js';
import type { DirectoryInfo } from '../postcodes/directory-info.js';
import { ServiceError } from '../service-error.js';
import type { Meter } from '../usage/meter.js';
import type { FindKeyId } from './api-key-authentication.js';
import { authenticateMcpClient, type IsKeyLive } from './mcp-authentication.js';

const PATH = '/mcp';
/** Limits and overloads that pass sooner are waited out, so that a model need not be told of them. */
const MAX_WAIT_MS = 20_000;

export interface McpRouteParts {
  readonly operations: ApiKeyOperations;
  readonly findKeyId: FindKeyId;
  readonly isKeyLive: IsKeyLive;
  readonly meter: Meter;
  readonly allowed: AllowedCallers;
  readonly directory: () => DirectoryInfo;
  readonly log: Log;
}

const forbid = (reply: FastifyReply, error: string) =>
  reply
    .code(403)
    .header('Content-Type', 'application/json; charset=utf-8')
    .send(JSON.stringify({ error } satisfies ErrorBody));

/** Adds the MCP endpoint: the tools of MCP over the operations, with the limits and the usage of the caller's key. */
export function addMcpRoute(server: FastifyInstance, parts: McpRouteParts): void {
  const { operations, meter, allowed, log } = parts;
  const endpoint = createHttpEndpoint();
  const keyIds = new WeakMap<FastifyRequest, number>();
  const partsFor = (keyId: number) => ({
    backend: patientBackend(
      operationsBackend(operations, {
        admit: () => admitCall(meter, keyId),
        addResponseTime: (id, elapsedMs) => meter.addResponseTime(id, elapsedMs),
      }),
      MAX_WAIT_MS,
    ),
    files: undefined,
    directory: parts.directory,
    log: (message: string) => log.error({ keyId }, message),
  });

  const refuseForeign = async (request: FastifyRequest, reply: FastifyReply) => {
    const foreign = foreignCaller(request.headers, allowed);
    if (foreign === undefined) return undefined;
    await forbid(reply, foreign);
    return reply;
  };
  const authenticate = async (request: FastifyRequest, reply: FastifyReply) => {
    const { findKeyId, isKeyLive } = parts;
    reply.headers(crossOriginHeaders(request.headers));
    keyIds.set(request, await authenticateMcpClient(request, reply, findKeyId, isKeyLive));
  };

  server.route({
    method: 'POST',
    url: PATH,
    config: { operationId: 'mcp' },
    onRequest: [refuseForeign, authenticate],
    handler: async (request, reply) => {
      const keyId = keyIds.get(request);
      if (keyId === undefined) throw new ServiceError('unauthorized', 'This request was not authenticated.');
      reply.hijack();
      const { raw } = reply;
      raw.setHeaders(new Map(Object.entries(crossOriginHeaders(request.headers))));
      try {
        await endpoint.handle({
          request: request.raw,
          response: raw,
          body: request.body,
          callerId: String(keyId),
          parts: partsFor(keyId),
        });
      } catch (error) {
        log.error({ err: error, keyId }, 'A request of an MCP client failed.');
        raw.destroy();
      }
    },
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
