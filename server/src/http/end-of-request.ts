import type { FastifyReply, FastifyRequest } from 'fastify';
import type { MeteredCalls } from '../operations/metered-call.js';
import type { ServiceError } from '../platform/errors.js';
import type { Log } from '../platform/log.js';
import type { Metrics } from './metrics.js';
import './request-state.js';

/** Requests that take longer are logged even if they succeed. Captures are expected to take some seconds. */
const SLOW_MS = 10_000;
const MAX_PATH_CHARACTERS = 500;

/** The W3C Trace Context header, version 00. Neither the trace nor the parent may be all zeros. */
const TRACEPARENT = /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/u;

/** The fields that connect the log lines about one request with each other and with the caller's own log. */
export function traceOf({ id, headers }: FastifyRequest) {
  const { traceparent } = headers;
  const isValid = typeof traceparent === 'string' && TRACEPARENT.test(traceparent);
  return { requestId: id, traceparent: isValid ? traceparent : undefined };
}

/**
 * The first segment of a path. If no route matches, only this part of the path is logged, because the rest may contain
 * a secret.
 */
const FIRST_SEGMENT = /^\/*[\w.-]*/u;

/**
 * The path of the route, with the names of its parameters in place of their values, because a parameter may be secret,
 * such as a one-time code. If no route matches, only the first segment of the requested path.
 */
const pathOf = ({ routeOptions, url }: FastifyRequest) =>
  routeOptions.url ?? FIRST_SEGMENT.exec(url)?.[0].slice(0, MAX_PATH_CHARACTERS);

const callerOf = ({ caller }: FastifyRequest) => ({ keyId: caller?.keyId, accountId: caller?.accountId });

const lengthOf = (reply: FastifyReply) => {
  const length = reply.getHeader('content-length');
  return length === undefined ? undefined : Number(length);
};

/** The fields of the access log. None of them holds a body, a query or credentials. */
const accessFields = (request: FastifyRequest, reply: FastifyReply, elapsedMs: number) => ({
  method: request.method,
  path: pathOf(request),
  status: reply.statusCode,
  elapsedMs: Math.round(elapsedMs * 100) / 100,
  bytes: lengthOf(reply),
  ...traceOf(request),
  ...callerOf(request),
  address: request.ip,
});

interface EndOfRequestDeps {
  readonly metrics: Metrics;
  readonly log: Log;
  readonly calls: Pick<MeteredCalls, 'record'>;
  /** Whether every request is logged. */
  readonly logsRequests: () => boolean;
}

/** Records the outcome of a request made with a key. */
function record(
  request: FastifyRequest,
  operation: string,
  status: number,
  elapsedMs: number,
  calls: EndOfRequestDeps['calls'],
) {
  const { caller, meteredCall, rejection, id: requestId, body } = request;
  if (caller?.keyId === undefined) return;
  const isCounted = meteredCall !== null;
  const { keyId } = caller;
  const finishedRequest = {
    keyId,
    operation,
    status,
    elapsedMs,
    isCounted,
    requestId,
    rejection: rejection?.message,
  };
  calls.record(finishedRequest, body);
}

/**
 * The fields that tell why a request was not served. They leave out the message of a 4xx, which may repeat parts of the
 * body, such as a selector.
 */
export const rejectionFields = (status: number, rejection: ServiceError | null) => ({
  kind: rejection?.kind,
  reason: status >= 500 ? (rejection?.detail ?? rejection?.message) : undefined,
  err: rejection?.kind === 'internal' ? rejection.cause : undefined,
});

/**
 * Creates the hook at the end of a request. It records the call and the duration, and logs failures (5xx) that are not
 * logged elsewhere, slow requests and, if `logsRequests`, every request.
 */
export function endRequest({ metrics, log, calls, logsRequests }: EndOfRequestDeps) {
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const { elapsedTime: elapsedMs, statusCode: status } = reply;
    const { operationId: operation = 'other', logsItself = false } = request.routeOptions.config;
    request.meteredCall?.end(elapsedMs);
    record(request, operation, status, elapsedMs, calls);
    metrics.observeRequest(operation, status, elapsedMs);
    if (logsRequests()) log.info(accessFields(request, reply, elapsedMs), 'A request was answered.');
    const { rejection } = request;
    const isLogged = logsItself || rejection?.isLogged === true;
    if ((status >= 500 && !isLogged) || elapsedMs > SLOW_MS) {
      const fields = {
        operation,
        status,
        elapsedMs: Math.round(elapsedMs),
        ...traceOf(request),
        ...callerOf(request),
        ...rejectionFields(status, rejection),
      };
      if (status === 500) log.error(fields, 'A request failed.');
      else log.warn(fields, status >= 500 ? 'A request was not served.' : 'A request was slow.');
    }
    done();
  };
}
