import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Call } from '../../operations/operation-handler.js';

/** Sets the header of a 401 that says how to authenticate and, with `error`, that the token is not valid (RFC 6750). */
export const challenge = (reply: FastifyReply, error?: 'invalid_token'): void =>
  void reply.header('WWW-Authenticate', error === undefined ? 'Bearer' : `Bearer error="${error}"`);

/** One way for callers of operations to authenticate. */
export interface Authentication<Caller> {
  /** Lets a request through, before its body is read. Rejects with the reason if it may not pass. */
  readonly onRequest: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /**
   * Returns the call of a request that `onRequest` let through. Throws a ServiceError if a key has no permission for
   * the operation: `onRequest` lets such a request through to count it.
   */
  readonly callOf: (request: FastifyRequest, signal: AbortSignal) => Call<Caller>;
}
