import {
  ERROR_HEADER,
  errorBody,
  type HeaderDescription,
  isNotInDirectory,
  type Operation,
  type OperationResponse,
} from '@signpost/contract';
import { SignpostApiError } from './signpost-api-error.js';
import { type HttpAnswer, jsonOf, mediaTypeOf } from './http-sender.js';

type FileResponse = Extract<OperationResponse, { kind: 'file' }>;

/** Parses a successful response as the contract describes it. Throws SignpostApiError if it is not as described. */
export function operationAnswer(operation: Operation, answer: HttpAnswer): unknown {
  const { response } = operation;
  if (response.kind === 'file') return fileAnswer(operation, response, answer);
  const body = response.schema.safeParse(jsonOf(answer));
  if (body.success) return body.data;
  const [issue] = body.error.issues;
  throw unexpectedAnswer(
    operation,
    answer,
    `${issue?.path.join('.') || 'the body'}: ${issue?.message ?? 'wrong'}`,
  );
}

function fileAnswer(operation: Operation, { mediaTypes }: FileResponse, answer: HttpAnswer) {
  const mediaType = mediaTypeOf(answer);
  if (!mediaTypes.includes(mediaType))
    throw unexpectedAnswer(
      operation,
      answer,
      `media type ${mediaType || 'missing'}, not ${mediaTypes.join(' or ')}`,
    );
  const headers = Object.entries(operation.responseHeaders).flatMap(([name, { type, isOptional }]) => {
    const text = answer.headers[name.toLowerCase()];
    if (text === undefined && isOptional === true) return [];
    const value = headerValue(type, text);
    if (value === undefined)
      throw unexpectedAnswer(operation, answer, `the header ${name} is missing or no ${type}`);
    return [[name, value] as const];
  });
  return { body: answer.body, mediaType, headers: Object.fromEntries(headers) };
}

function headerValue(type: HeaderDescription['type'], text: string | undefined): string | number | undefined {
  if (type === 'string' || text === undefined) return text;
  return /^\d+$/u.test(text) ? Number(text) : undefined;
}

function unexpectedAnswer({ path }: Operation, { status }: HttpAnswer, problem: string): SignpostApiError {
  return new SignpostApiError(
    `The answer to ${path} is not what the interface says (${problem}). Check that the base URL is that of a Signpost server of this version.`,
    { status },
  );
}

/** The error for an unsuccessful response, with the server's message or with advice about the base URL. */
export function rejectionOf(answer: HttpAnswer): SignpostApiError {
  const { status, headers } = answer;
  const retryAfter = headers['retry-after'] ?? '';
  const retryAfterSeconds = /^\d+$/u.test(retryAfter) ? Number(retryAfter) : undefined;
  const serverMessage = errorBody.safeParse(jsonOf(answer)).data?.error;
  const isAboutDirectory =
    serverMessage !== undefined &&
    isNotInDirectory(status, headers[ERROR_HEADER.toLowerCase()], serverMessage);
  const message = messageOf(answer, isAboutDirectory ? serverMessage : withoutPath(status, serverMessage));
  return new SignpostApiError(message, { status, retryAfterSeconds, isNotInDirectory: isAboutDirectory });
}

/**
 * Undefined for a 404, otherwise the server's message. Called only for responses that are not about the directory: a
 * 404 then means that the address is wrong, and its message would mislead.
 */
const withoutPath = (status: number, serverMessage: string | undefined) =>
  status === 404 ? undefined : serverMessage;

function messageOf(answer: HttpAnswer, serverMessage: string | undefined): string {
  if (serverMessage !== undefined) return serverMessage;
  const { location } = answer.headers;
  if (answer.status >= 300 && answer.status < 400 && location !== undefined)
    return `The server answered ${answer.status}, a redirect to ${location}. Set the base URL to the address of the Signpost server itself.`;
  if (answer.status === 404)
    return 'The base URL is wrong (--base-url, SIGNPOST_BASE_URL): what answers there is not a Signpost server, or the address has a path too many. Set it to the address of the server itself, such as "http://127.0.0.1:3000".';
  return `The server answered ${answer.status} without saying why. Check that the base URL is that of a Signpost server.`;
}
