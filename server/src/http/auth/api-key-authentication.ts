import { DIRECTORY_HEADER, SAMPLE_DIRECTORY } from '@signpost/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FindKey } from '../../keys/key-finder.js';
import { invalidKey, type MeteredCalls, missingKey } from '../../operations/metered-call.js';
import type { ApiKeyCaller, BoundOperation, Call } from '../../operations/operation-handler.js';
import { ServiceError } from '../../platform/errors.js';
import { type Admission, rateLimitHeaders } from '../../usage/rate-limit.js';
import { abortOnDisconnect } from '../connections.js';
import type { Authentication } from './authentication.js';
import '../request-state.js';

export interface ApiKeyAuthenticationDeps {
  readonly findKey: FindKey;
  readonly calls: MeteredCalls;
  /** Whether postcodes come from the built-in sample. */
  readonly isSample: () => boolean;
}

function announceLimits(reply: FastifyReply, admission: Admission): void {
  const headers = rateLimitHeaders(admission);
  if (headers === undefined) return;
  reply.header('RateLimit-Policy', headers.policy).header('RateLimit', headers.state);
}

function callOf({ meteredCall }: FastifyRequest, signal: AbortSignal): Call {
  if (meteredCall === null) throw new ServiceError('unauthorized', 'This request was not admitted.');
  const { admission, reservation, rejection } = meteredCall;
  if (rejection !== undefined) throw rejection;
  return { admission, reservation, signal };
}

/** Authentication by the key in the header X-Api-Key. Opens the metered call of a request before its body is read. */
export const apiKeyAuthentication = (
  { findKey, calls, isSample }: ApiKeyAuthenticationDeps,
  bound: Pick<BoundOperation, 'reserve' | 'operation'>,
): Authentication<ApiKeyCaller> => ({
  async onRequest(request, reply) {
    const presented = request.headers['x-api-key'];
    if (typeof presented !== 'string' || presented === '') throw missingKey('the header "X-Api-Key"');
    const key = await findKey(presented);
    if (key === undefined) throw invalidKey();
    request.caller = { keyId: key.id, accountId: key.accountId };
    if (bound.operation.tag === 'Postcode' && isSample()) reply.header(DIRECTORY_HEADER, SAMPLE_DIRECTORY);
    const call = await calls.open(key, bound, (admission) => announceLimits(reply, admission));
    request.meteredCall = call;
    if (call.reservation === undefined) return;
    const disconnected = abortOnDisconnect(reply);
    if (disconnected.aborted) call.release();
    else disconnected.addEventListener('abort', () => call.release());
  },
  callOf,
});
