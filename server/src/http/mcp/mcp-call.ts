import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  countMessages,
  createHttpEndpoint,
  isPlainToolCall,
  type LinkedFile,
  messagesProblem,
  retryingBackend,
} from 'signpost-mcp';
import type { LinkedFiles } from '../../files/linked-files.js';
import type { KeyProblem, KnownKey } from '../../keys/key-finder.js';
import { invalidKey, type MeteredCalls } from '../../operations/metered-call.js';
import { operationsBackend, type Perform } from '../../operations/operations-backend.js';
import type { ApiKeyOperations } from '../../operations/operations.js';
import { ServiceError } from '../../platform/errors.js';
import type { Log } from '../../platform/log.js';
import type { DirectoryInfo } from '../../postcodes/table/directory-data.js';
import { traceOf } from '../end-of-request.js';
import '../request-state.js';
import type { McpAuthentication } from './mcp-authentication.js';
import { type OperationTracker, McpThrottle } from './mcp-throttle.js';

/** How long one call of an operation may wait in total before retries, after a limit or an overload rejected it. */
const MAX_WAIT_MS = 20_000;

/** How a request that `messagesProblem` rejects is counted. */
const ONE_REJECTED = { running: 0, handshakes: 0, others: 1 };

export interface McpCallDeps {
  readonly operations: ApiKeyOperations;
  readonly calls: MeteredCalls;
  /** Why an existing key may not be used; undefined if it may. */
  readonly keyProblem: (keyId: number) => Promise<KeyProblem | undefined>;
  /** A key's limit of requests per minute; null if it has none. */
  readonly perMinute: (keyId: number) => Promise<number | null>;
  readonly monotonicMs: () => number;
  readonly directory: () => DirectoryInfo;
  readonly linkedFiles: LinkedFiles;
  readonly log: Log;
  /** Returns the 401 for a client whose key no longer works. */
  readonly reject: McpAuthentication['reject'];
}

const isUnauthorized = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.kind === 'unauthorized';

/** Copies the headers set so far, because the MCP SDK writes the response itself. */
function copyHeaders(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value);
}

/** The dependencies of the tools in one request. */
function toolsDeps(
  { operations, directory, linkedFiles, log }: McpCallDeps,
  key: KnownKey,
  fields: object,
  perform: Perform,
) {
  const directBackend = operationsBackend(operations, perform);
  return {
    backend: retryingBackend(directBackend, MAX_WAIT_MS),
    directBackend,
    files: { kind: 'links', keep: (file: LinkedFile) => linkedFiles.keep(key, file) } as const,
    directory,
    log: (message: string) => log.error(fields, message),
  };
}

/**
 * Creates the handler for a POST of an MCP client. Each operation that a tool runs is a metered call of the client's
 * key. If the key no longer works, the whole request fails.
 */
export function createMcpHandler(deps: McpCallDeps) {
  const { calls, keyProblem, log, reject } = deps;
  const endpoint = createHttpEndpoint();
  const throttle = new McpThrottle(deps.monotonicMs, deps.perMinute);

  /**
   * Resolves once the response was sent or the client disconnected. Rejects if the SDK fails or, before anything is
   * written, if the key of a plain tool call does not work.
   */
  const handle = (
    key: KnownKey,
    mcpRequest: FastifyRequest,
    reply: FastifyReply,
    { started, admitted }: OperationTracker,
  ) =>
    new Promise<void>((resolve, reject) => {
      const { body, raw: request } = mcpRequest;
      const { raw: response } = reply;
      const perform: Perform = async (bound, sent, signal, onAdmission) => {
        const performed = calls.perform(key, bound, sent, {
          signal,
          onAdmission: (admission) => {
            if (admission.isGranted) admitted();
            onAdmission(admission);
          },
          requestId: mcpRequest.id,
        });
        started(performed);
        try {
          return await performed;
        } catch (error) {
          if (!isPlainToolCall(body) || !isUnauthorized(error) || response.headersSent) throw error;
          reject(error);
          // The request is rejected above, so the SDK must not respond: it waits for a promise that never settles.
          return new Promise<never>(() => undefined);
        }
      };
      const tools = toolsDeps(deps, key, { ...traceOf(mcpRequest), keyId: key.id }, perform);
      response.once('close', resolve);
      endpoint
        .handle({ request, response, body, callerId: String(key.id), deps: tools })
        .then(() => response.destroyed && resolve(), reject);
    });

  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { body, mcpKey: key } = request;
    if (key === null) throw new ServiceError('unauthorized', 'This request was not authenticated.');
    const problem = messagesProblem(request.headers, body);
    const tracker = await throttle.admit(key.id, problem === undefined ? countMessages(body) : ONE_REJECTED);
    if (problem !== undefined) throw new ServiceError('invalidRequest', problem);
    // The client may have disconnected while its limits were read.
    if (reply.raw.destroyed) await tracker.end();
    else reply.raw.once('close', () => void tracker.end());
    // For plain tool calls, the meter checks the key. Other requests never reach the meter, or their response begins
    // before it has checked the key.
    const keyIsOver = isPlainToolCall(body) ? undefined : await keyProblem(key.id);
    if (keyIsOver !== undefined) throw reject(request, reply, invalidKey(keyIsOver));
    copyHeaders(reply);
    try {
      await handle(key, request, reply, tracker);
    } catch (error) {
      if (isUnauthorized(error)) throw reject(request, reply, error);
      log.error({ err: error, ...traceOf(request), keyId: key.id }, 'A request of an MCP client failed.');
      reply.raw.destroy();
    }
    reply.hijack();
  };
}
