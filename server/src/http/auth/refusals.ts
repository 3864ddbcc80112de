import { type ErrorName, formatDuration } from '@signpost/contract';
import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../platform/errors.js';
import { MINUTE_MS } from '../../platform/time-units.js';
import { addressSubject } from '../../throttle/address-subject.js';
import { RecentEvents } from '../../throttle/recent-events.js';
import '../request-state.js';

const MAX_REFUSALS = 300;
const WINDOW_MS = MINUTE_MS;
const MAX_SHORT_BYTES = 4_096;

/** What a request without valid credentials is refused for; other refusals say nothing against its sender. */
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
 * Judges the refusals of requests that showed no valid key or token: an address that has had its number of them gets
 * 429 in place of more. Requests that are not refused never come here, so a known caller is never throttled.
 */
export class Refusals {
  readonly #recent: RecentEvents;

  constructor(monotonicMs: () => number) {
    this.#recent = new RecentEvents({ max: MAX_REFUSALS, windowMs: WINDOW_MS, monotonicMs });
  }

  /**
   * The refusal of a request whose credentials are in its body, before that is read: of an address that has had its
   * number, a body that is larger than any with a token, a password or a name is not worth reading.
   */
  beforeBody({ headers, ip }: FastifyRequest): ServiceError | undefined {
    // A body of unknown length may hold a right token: it is read, up to the route's limit.
    if (Number(headers['content-length'] ?? 0) <= MAX_SHORT_BYTES) return undefined;
    const retryAfterSeconds = this.#recent.waitSeconds(addressSubject(ip));
    return retryAfterSeconds === 0 ? undefined : tooMany(retryAfterSeconds);
  }

  /** The refusal that a request gets. */
  judge(request: FastifyRequest, refusal: ServiceError): ServiceError {
    if (!COUNTED.has(refusal.kind) || hasCredentials(request)) return refusal;
    return this.add(request.ip) ?? refusal;
  }

  /** Counts a refusal of an address; the one to give instead where there were too many. */
  add(ip: string): ServiceError | undefined {
    const retryAfterSeconds = this.#recent.add(addressSubject(ip));
    return retryAfterSeconds === 0 ? undefined : tooMany(retryAfterSeconds);
  }
}
