import { maxBodyBytesOf } from '@signpost/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type OperationResult,
  type BoundOperation,
  JSON_TYPE,
  neverAborted,
} from '../operations/operation-handler.js';
import { type Authentication, challenge } from './auth/authentication.js';
import { abortOnDisconnect } from './connections.js';
import { toServiceError } from './errors.js';
import './request-state.js';

/** Adds the route of an operation: authentication, validation, response. */
export function addOperationRoute<Caller>(
  server: FastifyInstance,
  operationId: string,
  bound: BoundOperation<Caller>,
  { onRequest, callOf }: Authentication<Caller>,
): void {
  const { operation } = bound;
  server.route({
    method: operation.method,
    url: operation.path,
    bodyLimit: maxBodyBytesOf(operation),
    config: { operationId },
    onRequest,
    ...(bound.reserve === undefined ? {} : { onSend: releaseMeteredCall }),
    handler: async (request, reply) => {
      // Only captures take long enough to be aborted. A signal for each lookup would cost five per cent of the lookups
      // per second.
      const signal = bound.reserve === undefined ? neverAborted : abortOnDisconnect(reply);
      const call = callOf(request, signal);
      const answer = await bound.run(request.body, call).catch((error: unknown) => {
        const rejection = toServiceError(error);
        // A wrong key or token in a header was rejected before. Here, `unauthorized` is usually about a token in the
        // body.
        if (rejection.kind === 'unauthorized') challenge(reply, 'invalid_token');
        throw rejection;
      });
      return sendResult(reply, answer);
    },
  });
}

/** Sends the response of an operation: a value as JSON, bytes as they are. */
function sendResult(reply: FastifyReply, answer: OperationResult): FastifyReply {
  const { body, mediaType } =
    'body' in answer ? answer : { body: JSON.stringify(answer.value), mediaType: JSON_TYPE };
  return reply
    .headers(answer.headers ?? {})
    .header('Content-Type', mediaType)
    .send(body);
}

/**
 * Releases the place in the queue that was reserved for the request's capture, if the capture did not take it, for
 * example because the body was rejected.
 */
const releaseMeteredCall = (
  { meteredCall }: FastifyRequest,
  _reply: FastifyReply,
  _payload: unknown,
  done: () => void,
) => {
  meteredCall?.release();
  done();
};
