import {
  type GenericValue,
  type ICredentialDataDecryptedObject,
  type IDataObject,
  type IExecuteFunctions,
  type IHttpRequestMethods,
  type IPollFunctions,
  NodeOperationError,
} from 'n8n-workflow';
import type { Failure } from './failure';
import { parseUrl, textOf } from './values';

/**
 * A header that makes a credential with a refresh token renew its access token before the request is sent. Each value
 * works once. The header itself is not sent.
 */
export const RENEW_HEADER = 'X-Signpost-Renew';

/** n8n's context of a node that processes items, or of one that starts workflows. */
export type NodeContext = IExecuteFunctions | IPollFunctions;

/** The signal that the user stopped the execution. A trigger has none. */
export const cancelSignal = (context: NodeContext): AbortSignal | undefined =>
  'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;

/** One of Signpost's two services, from the credential of an item. */
export interface Service {
  /** The name of the credential type. */
  readonly credentialType: 'signpostApi' | 'signpostReferralApi';
  /** The base URL, without a trailing slash. */
  readonly baseUrl: string;
  /** The credential, with its expressions evaluated for the item. */
  readonly credentials: ICredentialDataDecryptedObject;
  /** The service identity: equal for all items that use the same key or token at the same server. */
  readonly identity: string;
  /** Advice for the user about an error response; undefined if its message is enough. */
  readonly advice: (failure: Failure, baseUrl: string) => string | undefined;
}

/** Reads the credential of an item. Throws if its expressions fail or its Base URL is not valid. */
export type OpenService = (context: NodeContext, itemIndex: number) => Promise<Service>;

export interface ServiceRequest {
  readonly method: IHttpRequestMethods;
  /** The path after the base URL, with a leading slash. */
  readonly path: string;
  readonly body?: GenericValue;
  readonly query?: IDataObject;
  readonly headers?: IDataObject;
  /** Set to get the body of the response as bytes. */
  readonly isBinary?: boolean;
  /** Set if the user entered the path, so that a 404 may be about the path and not about the Base URL. */
  readonly isOwnPath?: boolean;
  /** Whether the request is safe to repeat. */
  readonly isRepeatable: boolean;
  readonly timeoutMs: number;
  /** When the last try ends, in milliseconds since 1970. If unset, each try has only its own timeout. */
  readonly deadlineMs?: number;
}

export interface ServiceAnswer {
  readonly status: number;
  readonly headers: IDataObject;
  readonly body: unknown;
  /** The Base URL of the server that responded. */
  readonly baseUrl: string;
}

/** The item that a request is for, and how long it may wait. */
export interface SendOptions {
  readonly itemIndex: number;
  readonly maximumWaitMs: number;
}

/** Sends the requests of one execution of a node. */
export interface Sender {
  /**
   * Throws a NodeApiError if the request failed for good, would have to wait longer than allowed, or was not sent
   * because the service is down. Throws a NodeOperationError if the credential cannot be used, if there is no Signpost
   * server at the Base URL, if another item has failed, or if the user stopped the execution.
   */
  send(request: ServiceRequest, options: SendOptions): Promise<ServiceAnswer>;
  /** Ends the sending: requests that are not yet sent, even queued ones, then fail. */
  stop(): void;
}

/** The entered address without trailing slashes; undefined if it is not a whole http or https address. */
export function wholeAddress(entered: unknown): string | undefined {
  const address = (textOf(entered) ?? '').replace(/\p{Cf}+/gu, '').replace(/\/+$/u, '');
  return /^https?:\/\/[^\s/\\]/iu.test(address) && parseUrl(address) !== undefined ? address : undefined;
}

/** The address in the credential. Throws if it is not valid. */
export function serviceAddress(context: NodeContext, entered: unknown, itemIndex: number): string {
  const address = wholeAddress(entered);
  if (address !== undefined) return address;
  throw new NodeOperationError(context.getNode(), 'The Base URL in the credential is not a whole address', {
    itemIndex,
    description: 'Enter it with http:// or https://, such as https://signpost.example.com.',
  });
}
