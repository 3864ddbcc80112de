import { type ErrorName, formatDuration } from '@signpost/contract';
import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../platform/errors.js';
import { MINUTE_MS } from '../../platform/time-units.js';
import { addressSubject } from '../../throttle/address-subject.js';
import { RecentEvents } from '../../throttle/recent-events.js';
import '../request-state.js';

const MAX_REJECTIONS = 300;
const WINDOW_MS = MINUTE_MS;
/** How many rejections as `unauthorized` to remember for each address. */
const MAX_UNAUTHORIZED = 10;
const MAX_SHORT_BYTES = 4_096;

/** The errors that `errorToSend` counts against the address of a request without valid credentials. */
const COUNTED: ReadonlySet<ErrorName> = new Set([
  'invalidRequest',
  'unauthorized',
  'payloadTooLarge',
  'unsupportedMediaType',
]);

const tooMany = (retryAfterSeconds: number) =>
  new ServiceError(
    'rateLimited',
    `Too many requests from this address were refused. Correct the key, the token or the request, and try again in ${formatDuration(retryAfterSeconds)}.`,
    { retryAfterSeconds },
  );

const hasCredentials = ({ meteredCall, verified, mcpKey }: FastifyRequest) =>
  meteredCall !== null || verified !== null || mcpKey !== null;

/**
 * Limits rejections of requests without a valid key or token: once an address has had too many in a minute, the next
 * ones get a 429 instead. Requests with valid credentials are not throttled, except by `beforeBody`.
 */
export class RejectionLimit {
  readonly #recent: RecentEvents;
  readonly #unauthorized: RecentEvents;

  constructor(monotonicMs: () => number) {
    this.#recent = new RecentEvents({ max: MAX_REJECTIONS, windowMs: WINDOW_MS, monotonicMs });
    this.#unauthorized = new RecentEvents({ max: MAX_UNAUTHORIZED, windowMs: WINDOW_MS, monotonicMs });
  }

  /**
   * Checks a request whose credentials are in the body, before the body is read. Returns a 429 if its address has
   * already had too many rejections and its Content-Length is more than `MAX_SHORT_BYTES`; otherwise undefined.
   */
  beforeBody({ headers, ip }: FastifyRequest): ServiceError | undefined {
    // A short body, or one of unknown length, may hold a valid token, so it is read.
    if (Number(headers['content-length'] ?? 0) <= MAX_SHORT_BYTES) return undefined;
    const retryAfterSeconds = this.#recent.waitSeconds(addressSubject(ip));
    return retryAfterSeconds === 0 ? undefined : tooMany(retryAfterSeconds);
  }

  /**
   * Returns the error to send. A COUNTED rejection of a request without valid credentials counts against the request's
   * address; if the address has had too many, a 429 is returned instead. Any other rejection is returned unchanged.
   */
  errorToSend(request: FastifyRequest, rejection: ServiceError): ServiceError {
    if (!COUNTED.has(rejection.kind) || hasCredentials(request)) return rejection;
    if (rejection.kind === 'unauthorized') this.#unauthorized.add(addressSubject(request.ip));
    return this.add(request.ip) ?? rejection;
  }

  /**
   * Whether a request from this address, without valid credentials, was rejected as `unauthorized` in the last minute.
   */
  hasRejectedKey(ip: string): boolean {
    return this.#unauthorized.has(addressSubject(ip));
  }

  /**
   * Counts a rejected request against its address, whatever the reason. If there were too many already, counts nothing
   * and returns a 429 to send instead.
   */
  add(ip: string): ServiceError | undefined {
    const retryAfterSeconds = this.#recent.add(addressSubject(ip));
    return retryAfterSeconds === 0 ? undefined : tooMany(retryAfterSeconds);
  }
}
