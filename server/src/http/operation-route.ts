import type { ServerResponse } from 'node:http';
import { maxBodyBytesOf } from '@signpost/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BoundOperation, FileResult } from '../operations/operation-handler.js';
import type { BorrowedBuffer } from '../platform/borrowed-buffer.js';
import { type Authentication, challenge } from './auth/authentication.js';
import { abortOnDisconnect } from './connections.js';
import { toServiceError } from './errors.js';
import './request-state.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Sends a JSON response of the contract. */
function sendJson(reply: FastifyReply, answer: unknown): void {
  reply.header('Content-Type', JSON_TYPE).send(JSON.stringify(answer));
}

/** Sends a response already written as JSON, in a buffer that will soon be overwritten. */
function sendBorrowed(reply: FastifyReply, json: BorrowedBuffer): void {
  reply.header('Content-Type', JSON_TYPE).send(json.bytes);
  keepUnlessSent(reply.raw, json);
}

/** Keeps the buffer of a response, unless all of it was already handed to the operating system. */
export function keepUnlessSent(
  { writableEnded, socket }: Pick<ServerResponse, 'writableEnded' | 'socket'>,
  { keep }: BorrowedBuffer,
): void {
  // Without a socket, the response waits for earlier ones on the connection.
  if (!writableEnded || socket?.writableLength !== 0) keep();
}

const neverAborted = new AbortController().signal;

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
    ...(bound.reserve === undefined ? {} : { onSend: releaseHeld }),
    handler: (request, reply) => {
      if (bound.kind === 'file') {
        const call = callOf(request, abortOnDisconnect(reply));
        bound.run(request.body, call).then((file) => sendFile(reply, file), fail(reply));
        return;
      }
      if (bound.reserve !== undefined) {
        const call = callOf(request, abortOnDisconnect(reply));
        const onHeaders = (headers: FileResult['headers']) => void reply.headers(headers);
        Promise.resolve(bound.run(request.body, { ...call, onHeaders })).then(
          (value) => sendJson(reply, value),
          fail(reply),
        );
        return;
      }
      if (bound.write !== undefined) {
        sendBorrowed(reply, bound.write(request.body));
        return;
      }
      // Most results are ready at once, so only use a promise for those that are not.
      const answer = bound.run(request.body, callOf(request, neverAborted));
      if (answer instanceof Promise) answer.then((value) => sendJson(reply, value), fail(reply));
      else sendJson(reply, answer);
    },
  });
}

/** Releases what is still reserved for the request, whatever the response is (such as the rejection of a body). */
const releaseHeld = (
  { meteredCall }: FastifyRequest,
  _reply: FastifyReply,
  _payload: unknown,
  done: () => void,
) => {
  meteredCall?.release();
  done();
};

const sendFile = (reply: FastifyReply, { headers, mediaType, body }: FileResult) =>
  void reply.headers(headers).header('Content-Type', mediaType).send(body);

const fail = (reply: FastifyReply) => (error: unknown) => {
  const refusal = toServiceError(error);
  // For API-key operations, authentication rejected such requests earlier. This one is about a token in the body.
  if (refusal.kind === 'unauthorized') challenge(reply, 'invalid_token');
  reply.send(refusal);
};
