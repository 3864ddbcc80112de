import { parseUrl } from '@signpost/contract';
import { errorCode } from '../../platform/errors.js';
import { hostAndPortOf, type HostAndPort } from './host-and-port.js';

/**
 * Why a host was not connected to: an address that is not allowed, a name that was not found or leads to such
 * an address, …
 */
export type RefusalReason =
  'notAllowed' | 'nameNotPublic' | 'connectionRefused' | 'unreachable' | 'connectionTimeout' | 'badAnswer';

export class Refusal extends Error {
  constructor(readonly reason: RefusalReason) {
    super(reason);
    this.name = 'Refusal';
  }
}

const REASONS: Readonly<Record<string, RefusalReason>> = {
  ECONNREFUSED: 'connectionRefused',
  ETIMEDOUT: 'connectionTimeout',
};

/** The reason of a failed connection. An error about several addresses counts as its first. */
export function refusalReasonOf(error: unknown): RefusalReason {
  if (error instanceof Refusal) return error.reason;
  if (error instanceof AggregateError && error.errors.length > 0) return refusalReasonOf(error.errors[0]);
  const code = errorCode(error);
  return code.startsWith('HPE_') ? 'badAnswer' : (REASONS[code] ?? 'unreachable');
}

const MAX_ENTRIES = 10_000;

const keyOf = ({ host, port }: HostAndPort) => `${host}:${port}`;

/**
 * The latest rejections and failures of the guard by host and port: the only source that says why a page
 * failed.
 */
export class RefusalRecord {
  readonly #reasons = new Map<string, RefusalReason>();

  add(target: HostAndPort, reason: RefusalReason): void {
    const key = keyOf(target);
    this.#reasons.delete(key);
    this.#reasons.set(key, reason);
    const oldest = this.#reasons.keys().next();
    if (this.#reasons.size > MAX_ENTRIES && oldest.done !== true) this.#reasons.delete(oldest.value);
  }

  /** The host could be reached, so earlier reasons no longer hold. */
  forget(target: HostAndPort): void {
    this.#reasons.delete(keyOf(target));
  }

  /** Why the address of this URL was not reached, if the guard knows. */
  reasonFor(url: string): RefusalReason | undefined {
    const parsed = parseUrl(url);
    return parsed && this.#reasons.get(keyOf(hostAndPortOf(parsed)));
  }
}
