import type { Log } from '../platform/log.js';
import { ServiceError } from '../platform/errors.js';

/**
 * The reasons of failed captures, as metrics, log and doctor name them. `other` means any other reason, such as a
 * wrong request, or a page that cannot be captured as requested.
 */
export const FAILURE_REASONS = [
  'network',
  'name',
  'unreachable',
  'proxy',
  'certificate',
  'browser',
  'memory',
  'disk',
  'timeout',
  'other',
] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

/**
 * The reason of a failed capture, from its error: the one that the error names, or `timeout` for an error of that kind;
 * otherwise `other`.
 */
export function failureReasonOf(error: unknown): FailureReason {
  if (!(error instanceof ServiceError)) return 'other';
  const reason = FAILURE_REASONS.find((one) => one === error.reason);
  return reason ?? (error.kind === 'timeout' ? 'timeout' : 'other');
}

/** The latest captures, which failed in a row for the same reason. Failures for the reason `other` are left out. */
export interface FailingCaptures {
  readonly reason: FailureReason;
  readonly count: number;
  /**
   * The detail of the last failure for the operator, such as "net::ERR_CERT_AUTHORITY_INVALID"; empty if its error has
   * none.
   */
  readonly detail: string;
}

interface FailureText {
  readonly why: string;
  readonly cure: string;
}

/** For each reason, what failed and what an operator can do about it. */
export const FAILURE_TEXTS: Readonly<Record<FailureReason, FailureText>> = {
  network: {
    why: 'this server cannot use its own network',
    cure: "Check the machine's network and /etc/resolv.conf.",
  },
  name: {
    why: 'the names of the pages were not found, or lead to addresses that are not public',
    cure: 'Check whether the name servers in /etc/resolv.conf know other names. For pages of your own network, set SIGNPOST_ALLOW_ADDRESSES.',
  },
  unreachable: {
    why: 'no connection to the pages was made',
    cure: "Check the machine's firewall, and whether pages are reached only through a proxy: SIGNPOST_OUTBOUND_PROXY.",
  },
  proxy: {
    why: 'the proxy for outgoing requests did not let them through',
    cure: 'Check the user and password in SIGNPOST_OUTBOUND_PROXY, and the rules of that proxy: it must allow CONNECT to the addresses and ports of the pages.',
  },
  certificate: {
    why: 'the certificates of the pages are not trusted',
    cure: 'Name the certificate of your authority in SIGNPOST_EXTRA_CA_FILE if your network inspects https, and check the clock of the machine.',
  },
  browser: {
    why: 'the browser does not start, or crashes',
    cure: '"npx signpost doctor" on the server says why.',
  },
  memory: {
    why: 'the pages take more memory than a capture may use',
    cure: 'Raise SIGNPOST_CAPTURE_MEMORY_MEGABYTES, or lower SIGNPOST_CAPTURE_CONCURRENCY and give the machine more memory.',
  },
  disk: {
    why: 'the disk of the temporary folder is full',
    cure: 'Make room there, or set TMPDIR to a folder on another disk.',
  },
  timeout: {
    why: 'the pages were not complete in time',
    cure: 'Check whether the machine or its network has too much to do, and SIGNPOST_CAPTURE_TIMEOUT_MS.',
  },
  other: { why: 'the requests or the pages are at fault', cure: 'The answers say what to change.' },
};

/** Says why captures fail and what an operator can do. */
export function describeFailing({ reason, count }: Pick<FailingCaptures, 'reason' | 'count'>): string {
  const { why, cure } = FAILURE_TEXTS[reason];
  return `The last ${count} captures failed because ${why}. If other pages fail too: ${cure}`;
}

/** With fewer failures in a row for the same reason, the cause may be a single wrong address. */
const MIN_ALIKE = 5;
/** Reasons about which the log already has other lines. */
const LOGGED_ELSEWHERE: ReadonlySet<FailureReason> = new Set(['network', 'browser']);

/**
 * Notices that captures fail repeatedly for the same reason. Until a capture succeeds, logs each reason once, except
 * those that the log has anyway. After a logged failure, also logs the next success.
 */
export class FailureWatch {
  readonly #log: Log;
  #failing: FailingCaptures | undefined;
  /** The reasons that were logged since the last success. */
  readonly #logged = new Set<FailureReason>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** The latest failures in a row with the same reason; undefined if there are fewer than MIN_ALIKE. */
  get failing(): FailingCaptures | undefined {
    return this.#failing !== undefined && this.#failing.count >= MIN_ALIKE ? this.#failing : undefined;
  }

  succeeded(): void {
    if (this.#logged.size > 0) this.#log.info({}, 'Captures succeed again.');
    this.#failing = undefined;
    this.#logged.clear();
  }

  failed(error: unknown): void {
    const reason = failureReasonOf(error);
    // Such a failure, for example because of a wrong request, says nothing about other captures.
    if (reason === 'other') return;
    const detail = error instanceof ServiceError ? (error.detail ?? '') : '';
    const count = this.#failing?.reason === reason ? this.#failing.count + 1 : 1;
    this.#failing = { reason, count, detail };
    if (count < MIN_ALIKE || this.#logged.has(reason) || LOGGED_ELSEWHERE.has(reason)) return;
    this.#logged.add(reason);
    this.#log.warn({ reason, detail }, describeFailing({ reason, count }));
  }
}
