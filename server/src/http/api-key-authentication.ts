import type { ApiKeyCaller, Call } from '../operations/operation-handler.js';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { ServiceError } from '../service-error.js';
import type { Admission } from '../usage/admission.js';
import type { Meter } from '../usage/meter.js';
import { rateLimitHeaders, rateLimitMessage, retryAfterSeconds } from '../usage/rate-limit.js';
import type { Authentication } from './authentication.js';
import './request-state.js';

/** Finds the identifier of an API key as it was presented; at once where the key was seen before. */
export type FindKeyId = (presented: string) => number | undefined | Promise<number | undefined>;

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

function callOf({ admission }: FastifyRequest, signal: AbortSignal): Call {
  if (admission === null) throw new ServiceError('unauthorized', 'This request was not admitted.');
  return { admission, signal };
}

/** Lets a request through once its key is known and its count is durable. */
export function apiKeyAuthentication(findKeyId: FindKeyId, meter: Meter): Authentication<ApiKeyCaller> {
  const admit = (
    keyId: number | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
    done: HookHandlerDoneFunction,
  ) => {
    if (keyId === undefined) {
      done(invalid());
      return;
    }
    meter.admit(keyId, (error, admission) => {
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
      done();
    });
  };

  const onRequest = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    const presented = request.headers['x-api-key'];
    if (typeof presented !== 'string' || presented === '') {
      done(missing());
      return;
    }
    const found = findKeyId(presented);
    if (found instanceof Promise) found.then((keyId) => admit(keyId, request, reply, done), done);
    else admit(found, request, reply, done);
  };
  return { onRequest, callOf };
}
