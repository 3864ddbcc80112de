import { parseUrl } from '@signpost/contract';
import { errorCode } from '../../platform/errors.js';
import { ProxyFailure, type ProxyProblem } from '../../platform/outbound/outbound-proxy.js';
import { hostAndPortOf, type HostAndPort } from './host-and-port.js';

/** Why the guard did not connect to a host, or got no response from it that it could pass on. */
export type RejectionReason =
  | 'notAllowed'
  | 'nameNotPublic'
  | 'nameNotAnswered'
  | 'nameServersFailed'
  | 'tooManyNames'
  | 'connectionRefused'
  | 'unreachable'
  | 'connectionTimeout'
  | 'proxyUnreachable'
  | 'proxyRefused'
  | 'badAnswer';

export class Rejection extends Error {
  constructor(
    readonly reason: RejectionReason,
    options?: ErrorOptions,
  ) {
    super(reason, options);
    this.name = 'Rejection';
  }
}

const REASONS: Readonly<Record<string, RejectionReason>> = {
  ECONNREFUSED: 'connectionRefused',
  ETIMEDOUT: 'connectionTimeout',
};

const PROXY_REASONS: Readonly<Record<ProxyProblem, RejectionReason>> = {
  proxyUnreachable: 'proxyUnreachable',
  proxyAuthentication: 'proxyRefused',
  proxyRefused: 'proxyRefused',
  unreachable: 'unreachable',
  timeout: 'connectionTimeout',
};

/** The reason of a failed connection. If an error is about several addresses, the first address decides. */
export function rejectionReasonOf(error: unknown): RejectionReason {
  if (error instanceof Rejection) return error.reason;
  if (error instanceof ProxyFailure) return PROXY_REASONS[error.problem];
  if (error instanceof AggregateError && error.errors.length > 0) return rejectionReasonOf(error.errors[0]);
  const code = errorCode(error);
  return code.startsWith('HPE_') ? 'badAnswer' : (REASONS[code] ?? 'unreachable');
}

/**
 * The code of a failure, from the system, the resolver or the HTTP parser, such as ENETUNREACH, ESERVFAIL or
 * HPE_INVALID_CONSTANT, or the HTTP status with which the proxy refused; may be empty.
 */
function codeOf(error: unknown): string {
  if (error instanceof Rejection) return errorCode(error.cause);
  if (error instanceof ProxyFailure) return error.code;
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return errorCode(error);
}

/** Why a host was not reached or gave no usable response: the reason, and a code, which may be empty. */
export interface RecordedRejection {
  readonly reason: RejectionReason;
  readonly code: string;
}

const MAX_ENTRIES = 10_000;

const keyOf = ({ host, port }: HostAndPort) => `${host}:${port}`;

/** Records why hosts were rejected, were not reached or gave no usable response, by host and port. */
export class RejectionRecord {
  readonly #rejections = new Map<string, RecordedRejection>();

  add(target: HostAndPort, error: unknown): void {
    const key = keyOf(target);
    this.#rejections.delete(key);
    this.#rejections.set(key, { reason: rejectionReasonOf(error), code: codeOf(error) });
    const oldest = this.#rejections.keys().next();
    if (this.#rejections.size > MAX_ENTRIES && oldest.done !== true) this.#rejections.delete(oldest.value);
  }

  /** Removes the recorded rejection of a host and port, because a connection to them succeeded now. */
  forget(target: HostAndPort): void {
    this.#rejections.delete(keyOf(target));
  }

  /** The recorded rejection of the host and port of this URL; undefined if there is none. */
  rejectionOf(url: string): RecordedRejection | undefined {
    const parsed = parseUrl(url);
    return parsed && this.#rejections.get(keyOf(hostAndPortOf(parsed)));
  }
}
