import { parseUrl } from '@signpost/contract';
import { errorCode } from '../../platform/errors.js';
import { ProxyFailure, type ProxyProblem } from '../../platform/outbound/outbound-proxy.js';
import { hostAndPortOf, type HostAndPort } from './host-and-port.js';

/** Why the guard did not connect to a host. */
export type RefusalReason =
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

export class Refusal extends Error {
  constructor(
    readonly reason: RefusalReason,
    options?: ErrorOptions,
  ) {
    super(reason, options);
    this.name = 'Refusal';
  }
}

const REASONS: Readonly<Record<string, RefusalReason>> = {
  ECONNREFUSED: 'connectionRefused',
  ETIMEDOUT: 'connectionTimeout',
};

const PROXY_REASONS: Readonly<Record<ProxyProblem, RefusalReason>> = {
  proxyUnreachable: 'proxyUnreachable',
  proxyAuthentication: 'proxyRefused',
  proxyRefused: 'proxyRefused',
  unreachable: 'unreachable',
  timeout: 'connectionTimeout',
};

/** The reason of a failed connection. An error about several addresses counts as its first. */
export function refusalReasonOf(error: unknown): RefusalReason {
  if (error instanceof Refusal) return error.reason;
  if (error instanceof ProxyFailure) return PROXY_REASONS[error.problem];
  if (error instanceof AggregateError && error.errors.length > 0) return refusalReasonOf(error.errors[0]);
  const code = errorCode(error);
  return code.startsWith('HPE_') ? 'badAnswer' : (REASONS[code] ?? 'unreachable');
}

/** The code of the system or the resolver behind a failed connection, such as ENETUNREACH or ESERVFAIL; may be empty. */
function codeOf(error: unknown): string {
  if (error instanceof Refusal) return errorCode(error.cause);
  if (error instanceof ProxyFailure) return error.code;
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return errorCode(error);
}

/** A failed connection: its reason, and for the log the code behind it. */
export interface RecordedRefusal {
  readonly reason: RefusalReason;
  readonly code: string;
}

const MAX_ENTRIES = 10_000;

const keyOf = ({ host, port }: HostAndPort) => `${host}:${port}`;

/** The hosts that the guard refused or could not reach, by host and port: the only source that says why a page failed. */
export class RefusalRecord {
  readonly #refusals = new Map<string, RecordedRefusal>();

  add(target: HostAndPort, error: unknown): void {
    const key = keyOf(target);
    this.#refusals.delete(key);
    this.#refusals.set(key, { reason: refusalReasonOf(error), code: codeOf(error) });
    const oldest = this.#refusals.keys().next();
    if (this.#refusals.size > MAX_ENTRIES && oldest.done !== true) this.#refusals.delete(oldest.value);
  }

  /** The host could be reached, so earlier reasons no longer hold. */
  forget(target: HostAndPort): void {
    this.#refusals.delete(keyOf(target));
  }

  /** Why the address of this URL was not reached, if the guard knows. */
  refusalOf(url: string): RecordedRefusal | undefined {
    const parsed = parseUrl(url);
    return parsed && this.#refusals.get(keyOf(hostAndPortOf(parsed)));
  }
}
