import type { IncomingHttpHeaders } from 'node:http';
import { addressesWithin } from '../platform/networks.js';
import type { RandomBytes } from '../platform/random.js';

const PREFIX_BYTES = 9;
const WELL_FORMED = /^[\w.-]{1,128}$/u;

/** What of a request tells what it is called. */
interface SentRequest {
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/** Gives each request the identifier by which its answer, and the lines of the log about it, are found. */
export interface RequestIds {
  /** The one that a trusted proxy sent, or else a new one. */
  readonly of: (request: SentRequest) => string;
  /** For an answer to what is no request. */
  readonly next: () => string;
}

/** Identifiers that no other process gives: a random beginning and a number. They are no secrets. */
export function createRequestIds(randomBytes: RandomBytes, trustProxy: readonly string[]): RequestIds {
  const isTrusted = addressesWithin(trustProxy);
  const prefix = randomBytes(PREFIX_BYTES).toString('base64url');
  let count = 0;
  const next = () => `${prefix}-${(count += 1)}`;
  const of = ({ headers, socket }: SentRequest) => {
    const sent = headers['x-request-id'];
    return typeof sent === 'string' && WELL_FORMED.test(sent) && isTrusted(socket.remoteAddress ?? '')
      ? sent
      : next();
  };
  return { of, next };
}
