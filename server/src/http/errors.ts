import { ERROR_HEADER, formatBytes, errorJson, ERRORS, type ErrorName, LIMITS } from '@signpost/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ServiceError } from '../platform/errors.js';

/** The fields of an error with which Fastify rejects a request before a handler sees it. */
const frameworkError = z.object({ code: z.string(), statusCode: z.number().optional() });

const sentBody = 'Send a JSON object with the header "Content-Type: application/json".';
const frameworkErrors: Readonly<Record<string, { kind: ErrorName; message: string }>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    kind: 'unsupportedMediaType',
    message: `The request body is not marked as JSON. ${sentBody}`,
  },
  FST_ERR_CTP_EMPTY_JSON_BODY: { kind: 'invalidRequest', message: `The request body is empty. ${sentBody}` },
  FST_ERR_CTP_INVALID_JSON_BODY: { kind: 'invalidRequest', message: 'The request body is not valid JSON.' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    kind: 'invalidRequest',
    message: 'The request body does not have the length that Content-Length says.',
  },
  FST_ERR_BAD_URL: { kind: 'invalidRequest', message: 'The path of the request is not a valid one.' },
};

/** Turns any thrown value into the error that the caller gets. An unexpected one becomes a 500 without details. */
export function toServiceError(error: unknown, maxBodyBytes: number = LIMITS.bodyBytes.max): ServiceError {
  if (error instanceof ServiceError) return error;
  const parsed = frameworkError.safeParse(error);
  if (parsed.data?.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    const words = `The request body is too large: it may have at most ${formatBytes(maxBodyBytes)}.`;
    return new ServiceError('payloadTooLarge', words, { cause: error });
  }
  const known = parsed.success ? frameworkErrors[parsed.data.code] : undefined;
  if (known !== undefined) return new ServiceError(known.kind, known.message, { cause: error });
  if (error instanceof SyntaxError || parsed.data?.statusCode === 400) {
    return new ServiceError('invalidRequest', 'The request body is not valid JSON.', { cause: error });
  }
  return new ServiceError('internal', 'The server failed to answer this request.', { cause: error });
}

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Sends an error: its status, its name in the header ERROR_HEADER, its message and fields as JSON, and Retry-After if
 * the error says how long to wait.
 */
export function sendError(reply: FastifyReply, error: ServiceError): void {
  if (error.retryAfterSeconds !== undefined) reply.header('Retry-After', error.retryAfterSeconds);
  reply
    .code(ERRORS[error.kind].status)
    .header(ERROR_HEADER, error.kind)
    .header('Content-Type', JSON_TYPE)
    .send(errorJson(error.message, error.fields));
}

/**
 * Whether the unread rest of the body may be so large that reading it just to keep the connection open is not worth
 * it.
 */
export const hasLongRest = ({ raw: { complete, headers } }: FastifyRequest): boolean =>
  !complete &&
  (headers['transfer-encoding'] !== undefined ||
    Number(headers['content-length'] ?? 0) > LIMITS.bodyBytes.max);
