import type {
  ApiKeyOperationId,
  HeaderDescription,
  Operation,
  OperationResponse,
  Operations,
  ResponseBody,
} from '@signpost/contract';
import { type HttpAnswer, jsonOf, mediaTypeOf } from './http-answer.js';
import { SignpostApiError } from './signpost-api-error.js';

type FileResponse = Extract<OperationResponse, { kind: 'file' }>;
type HeaderValue<T> = T extends 'integer' ? number : string;

/** A captured file with what the headers of the answer say of it. */
export interface FileAnswer<O extends Operation> {
  readonly body: Buffer;
  readonly mediaType: O['response'] extends { mediaTypes: readonly (infer M)[] } ? M : never;
  readonly headers: {
    readonly [Name in keyof O['responseHeaders']]: O['responseHeaders'][Name] extends { type: infer T }
      ? HeaderValue<T>
      : never;
  };
}

/** What a call answers: the JSON body of the contract's schema, or the file. */
export type OperationAnswer<Id extends ApiKeyOperationId> = Operations[Id]['response'] extends {
  kind: 'file';
}
  ? FileAnswer<Operations[Id]>
  : ResponseBody<Operations[Id]>;

/** Reads a successful answer as the contract describes it; throws SignpostApiError where it is something else. */
export function operationAnswer(operation: Operation, answer: HttpAnswer): unknown {
  const { response } = operation;
  if (response.kind === 'file') return fileAnswer(operation, response, answer);
  const body = response.schema.safeParse(jsonOf(answer));
  if (body.success) return body.data;
  const [issue] = body.error.issues;
  throw unexpected(operation, answer, `${issue?.path.join('.') || 'the body'}: ${issue?.message ?? 'wrong'}`);
}

function fileAnswer(operation: Operation, { mediaTypes }: FileResponse, answer: HttpAnswer) {
  const mediaType = mediaTypeOf(answer);
  if (!mediaTypes.includes(mediaType))
    throw unexpected(
      operation,
      answer,
      `media type ${mediaType || 'missing'}, not ${mediaTypes.join(' or ')}`,
    );
  const headers = Object.entries(operation.responseHeaders).map(([name, { type }]) => {
    const value = headerValue(type, answer.headers[name.toLowerCase()]);
    if (value === undefined)
      throw unexpected(operation, answer, `the header ${name} is missing or no ${type}`);
    return [name, value] as const;
  });
  return { body: answer.body, mediaType, headers: Object.fromEntries(headers) };
}

function headerValue(type: HeaderDescription['type'], text: string | undefined): string | number | undefined {
  if (type === 'string' || text === undefined) return text;
  return /^\d+$/u.test(text) ? Number(text) : undefined;
}

function unexpected({ path }: Operation, { status }: HttpAnswer, what: string): SignpostApiError {
  return new SignpostApiError(
    `The answer to ${path} is not what the interface says (${what}). Check that the base URL is that of a Signpost server of this version.`,
    { status },
  );
}
