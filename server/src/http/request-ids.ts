import type { IncomingHttpHeaders } from 'node:http';
import { createAddressMatcher } from '../platform/networks.js';
import type { Clock } from '../platform/clock.js';
import type { RandomBytes } from '../platform/random.js';

const PREFIX_BYTES = 9;
const TIME_BASE = 36;
const WELL_FORMED = /^[\w.-]{1,128}$/u;

/** The parts of a request from which its identifier comes: its headers, and the address that it came from. */
interface SentRequest {
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/** Gives each request an identifier, with which its response and its log lines can be found. */
export interface RequestIds {
  /** The identifier that a trusted proxy sent, if it is well-formed; otherwise a new one. */
  readonly of: (request: SentRequest) => string;
  /** A new identifier, for replies to malformed requests. */
  readonly next: () => string;
}

interface RequestIdDeps {
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  readonly trustProxy: readonly string[];
}

/**
 * Creates identifiers that are unique across processes: a random prefix, the time (so that the log can be searched),
 * and a number. They are not secret.
 */
export function createRequestIds({ clock, randomBytes, trustProxy }: RequestIdDeps): RequestIds {
  const isTrusted = createAddressMatcher(trustProxy);
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
