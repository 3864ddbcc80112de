import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import type { Call } from '../../operations/operation-handler.js';

/** Says in a 401 how to authenticate, and what was wrong with a token that was sent (RFC 6750). */
export const challenge = (reply: FastifyReply, error?: 'invalid_token'): void =>
  void reply.header('WWW-Authenticate', error === undefined ? 'Bearer' : `Bearer error="${error}"`);

/** One way in which callers of operations show who they are. */
export interface Authentication<Caller> {
  /** Lets a request through or refuses it, before its body is read. */
  readonly onRequest: (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void;
  /** The call that a request makes which was let through; the signal ends its work. */
  readonly callOf: (request: FastifyRequest, signal: AbortSignal) => Call<Caller>;
}
