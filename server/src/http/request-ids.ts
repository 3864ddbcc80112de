import type { IncomingHttpHeaders } from 'node:http';
import { addressesWithin } from '../platform/networks.js';
import type { Clock } from '../platform/clock.js';
import type { RandomBytes } from '../platform/random.js';

const PREFIX_BYTES = 9;
const TIME_BASE = 36;
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

interface RequestIdDeps {
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  readonly trustProxy: readonly string[];
}

/**
 * Identifiers that no other process gives: a random beginning, the time, by which the log is searched, and a number.
 * They are no secrets.
 */
export function createRequestIds({ clock, randomBytes, trustProxy }: RequestIdDeps): RequestIds {
  const isTrusted = addressesWithin(trustProxy);
  const prefix = randomBytes(PREFIX_BYTES).toString('base64url');
  let count = 0;
  const next = () => `${prefix}-${clock().toString(TIME_BASE)}-${(count += 1)}`;
  const of = ({ headers, socket }: SentRequest) => {
    const sent = headers['x-request-id'];
    return typeof sent === 'string' && WELL_FORMED.test(sent) && isTrusted(socket.remoteAddress ?? '')
      ? sent
      : next();
  };
  return { of, next };
}
