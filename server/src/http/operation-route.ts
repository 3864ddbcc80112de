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

/** Sends an answer of the contract. */
function sendJson(reply: FastifyReply, answer: unknown): void {
  reply.header('Content-Type', JSON_TYPE).send(JSON.stringify(answer));
}

/** Sends an answer that was written as JSON already, into bytes that are soon written over. */
function sendBorrowed(reply: FastifyReply, json: BorrowedBuffer): void {
  reply.header('Content-Type', JSON_TYPE).send(json.bytes);
  keepUnlessSent(reply.raw, json);
}

/** Keeps the bytes that a response was ended with, unless all of them are with the operating system already. */
export function keepUnlessSent(
  { writableEnded, socket }: Pick<ServerResponse, 'writableEnded' | 'socket'>,
  { keep }: BorrowedBuffer,
): void {
  // Without a socket the response waits for those before it on the connection.
  if (!writableEnded || socket?.writableLength !== 0) keep();
}

const neverAborted = new AbortController().signal;

/** Adds the route of one operation: authentication, validation, answer. */
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
      // Most answers are there at once; only those that are not cost a promise.
      const answer = bound.run(request.body, callOf(request, neverAborted));
      if (answer instanceof Promise) answer.then((value) => sendJson(reply, value), fail(reply));
      else sendJson(reply, answer);
    },
  });
}

/** Whatever the answer is, such as the refusal of a body: what is still held for the request then is not needed. */
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
  // An operation of interface A has refused what is unauthorised before; here it is a token in the body.
  if (refusal.kind === 'unauthorized') challenge(reply, 'invalid_token');
  reply.send(refusal);
};
