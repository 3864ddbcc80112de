import { DIRECTORY_HEADER, SAMPLE_DIRECTORY } from '@signpost/contract';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import type { FindKey, KnownKey } from '../../keys/key-finder.js';
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
  const { admission, reservation } = meteredCall;
  return { admission, reservation, signal };
}

/** Lets a request through if its key is known and its call is admitted. */
export function apiKeyAuthentication(
  { findKey, calls, isSample }: ApiKeyAuthenticationDeps,
  bound: Pick<BoundOperation, 'reserve' | 'operation'>,
): Authentication<ApiKeyCaller> {
  const readsDirectory = bound.operation.tag === 'Postcode';
  const admit = (
    key: KnownKey | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
    done: HookHandlerDoneFunction,
  ) => {
    if (key === undefined) {
      done(invalidKey());
      return;
    }
    request.caller = { keyId: key.id, accountId: key.accountId };
    if (readsDirectory && isSample()) reply.header(DIRECTORY_HEADER, SAMPLE_DIRECTORY);
    calls.open(key, bound, (opened) => {
      const { call, admission } = opened;
      if (admission !== undefined) announceLimits(reply, admission);
      if (call === undefined) {
        done(opened.refusal);
        return;
      }
      request.meteredCall = call;
      if (call.reservation !== undefined) {
        const gone = abortOnDisconnect(reply);
        if (gone.aborted) call.release();
        else gone.addEventListener('abort', () => call.release());
      }
      done();
    });
  };

  const onRequest = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    const presented = request.headers['x-api-key'];
    if (typeof presented !== 'string' || presented === '') {
      done(missingKey('the header "X-Api-Key"'));
      return;
    }
    const found = findKey(presented);
    if (found instanceof Promise) found.then((key) => admit(key, request, reply, done), done);
    else admit(found, request, reply, done);
  };
  return { onRequest, callOf };
}
