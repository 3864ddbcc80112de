import type {
  ApiKeyOperationId,
  Operation,
  Operations,
  RequestInput,
  ResponseBody,
} from '@signpost/contract';

type HeaderValue<Header> = Header extends { type: 'integer' } ? number : string;
type IfOptional<Header, Name, Else> = Header extends { isOptional: true } ? Name : Else;

type HeaderValues<Headers> = {
  readonly [Name in keyof Headers as IfOptional<Headers[Name], never, Name>]: HeaderValue<Headers[Name]>;
} & {
  readonly [Name in keyof Headers as IfOptional<Headers[Name], Name, never>]?: HeaderValue<Headers[Name]>;
};

/** A captured file with what the headers of the answer say of it. */
export interface FileAnswer<O extends Operation> {
  readonly body: Buffer;
  readonly mediaType: O['response'] extends { mediaTypes: readonly (infer M)[] } ? M : never;
  readonly headers: HeaderValues<O['responseHeaders']>;
}

/** What a call answers: the JSON body of the contract's schema, or the file. */
export type OperationAnswer<Id extends ApiKeyOperationId> = Operations[Id]['response'] extends {
  kind: 'file';
}
  ? FileAnswer<Operations[Id]>
  : ResponseBody<Operations[Id]>;

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Whatever answers the operations of interface A: a server over HTTP, or the core in the same process. */
export interface Backend {
  /**
   * Calls one operation of interface A; those without a request body take `undefined`.
   * Throws SignpostApiError for whatever is refused, cannot be reached, or is answered amiss, and the reason of
   * `signal` when that ended the call.
   */
  call<Id extends ApiKeyOperationId>(
    operationId: Id,
    request: RequestInput<Operations[Id]>,
    options?: CallOptions,
  ): Promise<OperationAnswer<Id>>;
}
