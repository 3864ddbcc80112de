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

/** What an address of this machine means where n8n runs in a container. */
export const IN_DOCKER =
  'In Docker, 127.0.0.1 is the container itself: use the name of the server or host.docker.internal.';

/** Tells the credential to renew the token before it sends the request; each value is obeyed once, none is sent. */
export const RENEW_HEADER = 'X-Signpost-Renew';

/** What n8n hands a node that works on items, or one that starts workflows. */
export type NodeContext = IExecuteFunctions | IPollFunctions;

/** Tells when the user has stopped the execution; what starts workflows cannot be stopped like that. */
export const cancelSignal = (context: NodeContext): AbortSignal | undefined =>
  'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;

/** One of the two services of Signpost, as the credential of one item names it. */
export interface Service {
  /** The name of the credential type. */
  readonly credentialType: 'signpostApi' | 'signpostReferralApi';
  /** The address without a slash at its end. */
  readonly baseUrl: string;
  /** The credential with the item's values in place of its expressions. */
  readonly credentials: ICredentialDataDecryptedObject;
  /** The same for items that send the same key to the same server. */
  readonly identity: string;
  /** What the user can do about a failure; undefined if the message says it all. */
  readonly advice: (failure: Failure, baseUrl: string) => string | undefined;
}

/** Reads the credential for an item; throws if its expressions fail or its Base URL is no address. */
export type OpenService = (context: NodeContext, itemIndex: number) => Promise<Service>;

export interface ServiceRequest {
  readonly method: IHttpRequestMethods;
  /** The path below the base URL, with its slash. */
  readonly path: string;
  readonly body?: GenericValue;
  readonly query?: IDataObject;
  readonly headers?: IDataObject;
  /** Takes the answer's body as bytes. */
  readonly isBinary?: boolean;
  /** Whether the user wrote the path; any other path is one that every server has. */
  readonly isOwnPath?: boolean;
  /** Whether it does no harm when the server gets it twice. */
  readonly isRepeatable: boolean;
  readonly timeoutMs: number;
}

export interface ServiceAnswer {
  readonly status: number;
  readonly headers: IDataObject;
  readonly body: unknown;
  /** The Base URL of the server that sent it. */
  readonly baseUrl: string;
}

/** For which item a request is sent, and how long it may wait for its turn. */
export interface SendOptions {
  readonly itemIndex: number;
  readonly maximumWaitMs: number;
}

/** Sends the requests of one execution of a node. */
export interface Sender {
  /** Throws a NodeApiError with the server's words if the request failed for good. */
  send(request: ServiceRequest, options: SendOptions): Promise<ServiceAnswer>;
  /** Sends nothing more: the node has failed, and what still waits must not go out after that. */
  stop(): void;
}

/** What was entered as address, without the slashes at its end; undefined where it is none. */
export function wholeAddress(entered: unknown): string | undefined {
  const address = (textOf(entered) ?? '').replace(/\/+$/u, '');
  return /^https?:\/\/[^\s/\\]/iu.test(address) && parseUrl(address) !== undefined ? address : undefined;
}

/** The address in the credential; throws if it is none. */
export function serviceAddress(context: NodeContext, entered: unknown, itemIndex: number): string {
  const address = wholeAddress(entered);
  if (address !== undefined) return address;
  throw new NodeOperationError(context.getNode(), 'The Base URL in the credential is not a whole address', {
    itemIndex,
    description: 'Enter it with http:// or https://, such as https://signpost.example.com.',
  });
}
