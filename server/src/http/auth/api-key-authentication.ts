import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import type { KnownKey } from '../../keys/key-finder.js';
import type { ApiKeyCaller, Call, Reserve } from '../../operations/operation-handler.js';
import { reserveAndCount } from '../../operations/metered-call.js';
import { ServiceError } from '../../platform/errors.js';
import {
  type Admission,
  rateLimitHeaders,
  rateLimitMessage,
  retryAfterSeconds,
} from '../../usage/rate-limit.js';
import type { Meter } from '../../usage/meter.js';
import { abortOnDisconnect } from '../connections.js';
import type { Authentication } from './authentication.js';
import '../request-state.js';

/** Finds an API key as it was presented; at once where the key was seen before. */
export type FindKey = (presented: string) => KnownKey | undefined | Promise<KnownKey | undefined>;

const missing = () =>
  new ServiceError('unauthorized', 'An API key is needed: send it in the header "X-Api-Key".');

const invalid = () =>
  new ServiceError(
    'unauthorized',
    'The API key in the header "X-Api-Key" is not valid: it is unknown or revoked.',
  );

function announceLimits(reply: FastifyReply, admission: Admission): void {
  const headers = rateLimitHeaders(admission);
  if (headers === undefined) return;
  reply.header('RateLimit-Policy', headers.policy).header('RateLimit', headers.state);
}

function callOf({ admission, reservation }: FastifyRequest, signal: AbortSignal): Call {
  if (admission === null) throw new ServiceError('unauthorized', 'This request was not admitted.');
  return { admission, reservation, signal };
}

/** Lets a request through once its key is known, what its operation needs is held, and its count is durable. */
export function apiKeyAuthentication(
  findKey: FindKey,
  meter: Meter,
  reserve: Reserve | undefined,
): Authentication<ApiKeyCaller> {
  const admit = (
    key: KnownKey | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
    done: HookHandlerDoneFunction,
  ) => {
    if (key === undefined) {
      done(invalid());
      return;
    }
    reserveAndCount(meter, key, reserve, (error, admission, reservation) => {
      if (error !== null || admission === undefined) {
        done(error ?? invalid());
        return;
      }
      announceLimits(reply, admission);
      if (!admission.isGranted) {
        const refusal = { retryAfterSeconds: retryAfterSeconds(admission) };
        done(new ServiceError('rateLimited', rateLimitMessage(admission), refusal));
        return;
      }
      request.admission = admission;
      if (reservation !== undefined) {
        request.reservation = reservation;
        const gone = abortOnDisconnect(reply);
        if (gone.aborted) reservation.release();
        else gone.addEventListener('abort', () => reservation.release());
      }
      done();
    });
  };

  const onRequest = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    const presented = request.headers['x-api-key'];
    if (typeof presented !== 'string' || presented === '') {
      done(missing());
      return;
    }
    const found = findKey(presented);
    if (found instanceof Promise) found.then((key) => admit(key, request, reply, done), done);
    else admit(found, request, reply, done);
  };
  return { onRequest, callOf };
}
