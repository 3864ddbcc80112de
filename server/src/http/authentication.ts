import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';

/** One way in which callers of operations show who they are. */
export interface Authentication<Caller> {
  /** Lets a request through or refuses it, before its body is read. */
  readonly onRequest: (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void;
  /** Who calls, of a request that was let through. */
  readonly callerOf: (request: FastifyRequest) => Caller;
}
