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

/** A captured file with the values of its response headers. */
export interface FileAnswer<O extends Operation> {
  readonly body: Buffer;
  readonly mediaType: O['response'] extends { mediaTypes: readonly (infer M)[] } ? M : never;
  readonly headers: HeaderValues<O['responseHeaders']>;
}

/** The result of a call: the JSON body, as the contract's schema describes it, or the captured file. */
export type OperationAnswer<Id extends ApiKeyOperationId> = Operations[Id]['response'] extends {
  kind: 'file';
}
  ? FileAnswer<Operations[Id]>
  : ResponseBody<Operations[Id]>;

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Called with the response headers, even if the response is an error. Header names are in lower case. A backend
   * without HTTP may call it twice, the second time with more headers.
   */
  readonly onHeaders?: ((headers: Readonly<Record<string, string>>) => void) | undefined;
}

/** Runs the operations of interface A, over HTTP or in the same process. */
export interface Backend {
  /**
   * Calls one operation of interface A. Operations without a request body take `undefined`. Throws SignpostApiError if
   * the call is rejected, the server cannot be reached or its response is not valid. If `signal` aborts the call,
   * throws the reason of the signal.
   */
  call<Id extends ApiKeyOperationId>(
    operationId: Id,
    request: RequestInput<Operations[Id]>,
    options?: CallOptions,
  ): Promise<OperationAnswer<Id>>;
}
