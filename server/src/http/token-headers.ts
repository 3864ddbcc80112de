import type { FastifyReply } from 'fastify';

/** Nobody between us and the caller may keep an answer that holds or judges a token. */
export const keepPrivate = (reply: FastifyReply): void => void reply.header('Cache-Control', 'no-store');

/** Says in a 401 how to authenticate, and what was wrong with a token that was sent (RFC 6750). */
export const challenge = (reply: FastifyReply, error?: 'invalid_token'): void =>
  void reply.header('WWW-Authenticate', error === undefined ? 'Bearer' : `Bearer error="${error}"`);
