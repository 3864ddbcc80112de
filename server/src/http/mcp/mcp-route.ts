import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import {
  type AllowedCallers,
  countMessages,
  createHttpEndpoint,
  crossOriginHeaders,
  foreignCaller,
  isPlainToolCall,
  messagesProblem,
  retryingBackend,
  PREFLIGHT_HEADERS,
  presentedKey,
} from 'signpost-mcp';
import type { KnownKey } from '../../keys/key-finder.js';
import { admitCall } from '../../operations/metered-call.js';
import type { Reserve } from '../../operations/operation-handler.js';
import { type CallMeter, operationsBackend } from '../../operations/operations-backend.js';
import type { ApiKeyOperations } from '../../operations/operations.js';
import { ServiceError } from '../../platform/errors.js';
import type { Log } from '../../platform/log.js';
import type { DirectoryInfo } from '../../postcodes/table/directory-data.js';
import type { Meter } from '../../usage/meter.js';
import type { FindKey } from '../auth/api-key-authentication.js';
import { challenge } from '../auth/authentication.js';
import { writeError } from '../errors.js';
import '../request-state.js';
import { McpThrottle } from './mcp-throttle.js';

/** Finds the key of an MCP client's request; throws a 401 without one. Whether it is live still is asked later. */
async function authenticateMcpClient(
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
function invalidKey(reply: FastifyReply): ServiceError {
  challenge(reply, 'invalid_token');
  return new ServiceError('unauthorized', 'The API key is not valid: it is unknown or revoked.');
}

const PATH = '/mcp';
/** Limits and overloads that pass sooner are waited out, so that a model need not be told of them. */
const MAX_WAIT_MS = 20_000;

/** How what is no message at all counts. */
const ONE_REFUSED = { running: 0, others: 1 };

interface McpRouteDeps {
  readonly operations: ApiKeyOperations;
  readonly findKey: FindKey;
  /** Whether a key that exists may be used still. */
  readonly isKeyLive: (keyId: number) => Promise<boolean>;
  readonly meter: Meter;
  readonly monotonicMs: () => number;
  readonly allowed: AllowedCallers;
  readonly directory: () => DirectoryInfo;
  readonly log: Log;
}

const isUnauthorized = (error: unknown) => error instanceof ServiceError && error.kind === 'unauthorized';

/** Answers 401 in place of the protocol; what waits for the admission ends with the connection's server. */
function refuseForGood(raw: ServerResponse): Promise<never> {
  raw.setHeader('WWW-Authenticate', 'Bearer error="invalid_token"');
  writeError(raw, new ServiceError('unauthorized', 'The API key is not valid: it is revoked.'));
  return new Promise(() => undefined);
}

/** Adds the MCP endpoint: the tools of MCP over the operations, with the limits and the usage of the caller's key. */
export function addMcpRoute(server: FastifyInstance, deps: McpRouteDeps): void {
  const { operations, meter, allowed, isKeyLive, log } = deps;
  const endpoint = createHttpEndpoint();
  const throttle = new McpThrottle(deps.monotonicMs);
  const depsFor = (keyId: number, admit: CallMeter['admit']) => {
    const directBackend = operationsBackend(operations, {
      admit,
      addResponseTime: (id, elapsedMs) => meter.addResponseTime(id, elapsedMs),
    });
    return {
      backend: retryingBackend(directBackend, MAX_WAIT_MS),
      directBackend,
      files: undefined,
      directory: deps.directory,
      log: (message: string) => log.error({ keyId }, message),
    };
  };

  const refuseForeign = (request: FastifyRequest, _reply: FastifyReply, done: HookHandlerDoneFunction) => {
    const foreign = foreignCaller(request.headers, allowed);
    done(foreign === undefined ? undefined : new ServiceError('forbidden', foreign));
  };
  const authenticate = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(crossOriginHeaders(request.headers));
    request.mcpKey = await authenticateMcpClient(request, reply, deps.findKey);
  };

  server.route({
    method: 'POST',
    url: PATH,
    config: { operationId: 'mcp' },
    onRequest: [refuseForeign, authenticate],
    handler: async (request, reply) => {
      const { body, mcpKey: key } = request;
      if (key === null) throw new ServiceError('unauthorized', 'This request was not authenticated.');
      const problem = messagesProblem(request.headers, body);
      const counted = throttle.admit(key.id, problem === undefined ? countMessages(body) : ONE_REFUSED);
      if (problem !== undefined) throw new ServiceError('invalidRequest', problem);
      // What the meter admits, the meter finds live; other requests do not come to it, or answer before they do.
      const isMetered = isPlainToolCall(body);
      if (!isMetered && !(await isKeyLive(key.id))) {
        counted.end();
        // Its refusals count for its address, as those of any key that is not valid.
        request.mcpKey = null;
        throw invalidKey(reply);
      }
      const admit = async (reserve: Reserve | undefined) => {
        try {
          const admission = await admitCall(meter, key, reserve);
          counted.ran();
          return admission;
        } catch (error) {
          if (!isMetered || !isUnauthorized(error) || reply.raw.headersSent) throw error;
          return refuseForGood(reply.raw);
        }
      };
      reply.hijack();
      const { raw } = reply;
      raw.once('close', counted.end);
      raw.setHeaders(new Map(Object.entries(crossOriginHeaders(request.headers))));
      try {
        await endpoint.handle({
          request: request.raw,
          response: raw,
          body,
          callerId: String(key.id),
          deps: depsFor(key.id, admit),
        });
      } catch (error) {
        log.error({ err: error, keyId: key.id }, 'A request of an MCP client failed.');
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
