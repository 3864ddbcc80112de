import type { KnownKey } from '../keys/key-finder.js';
import { ServiceError } from '../platform/errors.js';
import type { CaptureService, CaptureState } from './capture-service.js';
import { type FailureReason, failureReasonOf } from './failure-watch.js';
import {
  FairQueue,
  type QueuedAccount,
  type Rejections,
  type Reservation,
  type CaptureQuota,
} from './fair-queue.js';

/** The state of the browsers, and of the queue of captures that wait for a slot. */
export interface QueueState extends CaptureState {
  /** How many captures wait for a slot. */
  readonly queued: number;
  readonly rejected: Rejections;
  /** The maximum number of waiting captures. */
  readonly queueLength: number;
  readonly accounts: readonly QueuedAccount[];
}

/** A capture service behind a queue in which accounts take turns. */
export interface CaptureQueue extends Omit<CaptureService, 'state' | 'onSlotsChange'> {
  /**
   * Reserves space in the queue and in the capture quota of a key's account, which is for captures that run or wait at
   * the same time. Throws a ServiceError if either is full, the server is stopping, or the key does not work: such a
   * key must not use up the quota of its account.
   */
  readonly reserve: (key: KnownKey) => Promise<Reservation>;
  state(): QueueState;
}

/**
 * The outcomes of a capture that got a slot: it is done, its caller has disconnected, or the kind of its error
 * (`internal` for an error without a kind in this list).
 */
export const CAPTURE_OUTCOMES = [
  'done',
  'disconnected',
  'invalidRequest',
  'overloaded',
  'timeout',
  'internal',
] as const;
export type CaptureOutcome = (typeof CAPTURE_OUTCOMES)[number];

export const CAPTURE_KINDS = ['screenshot', 'pdf', 'content'] as const;
export type CaptureKind = (typeof CAPTURE_KINDS)[number];

/** Receives the waiting times and outcomes of captures. */
export interface CaptureObserver {
  onWait(ms: number): void;
  /** `reason` says what caused a failure; undefined if the capture is done or its caller has disconnected. */
  onEnd(kind: CaptureKind, outcome: CaptureOutcome, reason?: FailureReason): void;
}

export interface QueueOptions {
  /** The maximum number of waiting captures. */
  readonly queue: number;
  /** The capture quota of a key's account. Throws a ServiceError if the key does not work. */
  readonly quotaOf: (key: KnownKey) => CaptureQuota | Promise<CaptureQuota>;
  readonly monotonicMs: () => number;
  readonly observer?: CaptureObserver | undefined;
}

function outcomeOf(error: unknown, { aborted }: AbortSignal): CaptureOutcome {
  if (aborted) return 'disconnected';
  const kind = error instanceof ServiceError ? error.kind : 'internal';
  return CAPTURE_OUTCOMES.find((outcome) => outcome === kind) ?? 'internal';
}

/**
 * Puts a queue in front of a capture service, which may run in another thread. Captures in the queue are not lost when
 * that thread is replaced. Each capture must be called inside `run` of a reservation of its own.
 */
export function queueCaptures(
  service: CaptureService,
  { queue, quotaOf, monotonicMs, observer }: QueueOptions,
): CaptureQueue {
  const fairQueue = new FairQueue(() => service.state().slots, queue, monotonicMs);
  service.onSlotsChange(() => fairQueue.fill());

  const measureWait = (reservation: Reservation): Reservation => ({
    accountId: reservation.accountId,
    quota: reservation.quota,
    run(signal, work) {
      const queuedMs = monotonicMs();
      return reservation.run(signal, () => {
        observer?.onWait(monotonicMs() - queuedMs);
        return work();
      });
    },
    release: () => reservation.release(),
  });
  async function reportOutcome<Result>(kind: CaptureKind, signal: AbortSignal, capture: Promise<Result>) {
    try {
      const result = await capture;
      observer?.onEnd(kind, 'done');
      return result;
    } catch (error) {
      const outcome = outcomeOf(error, signal);
      observer?.onEnd(kind, outcome, outcome === 'disconnected' ? undefined : failureReasonOf(error));
      throw error;
    }
  }

  return {
    reserve: async (key) => measureWait(fairQueue.reserve(key.accountId, await quotaOf(key))),
    screenshot: (request, signal, user) =>
      reportOutcome('screenshot', signal, service.screenshot(request, signal, user)),
    pdf: (request, signal, user) => reportOutcome('pdf', signal, service.pdf(request, signal, user)),
    content: (request, signal, user) =>
      reportOutcome('content', signal, service.content(request, signal, user)),
    state: () => ({
      ...service.state(),
      active: fairQueue.active,
      queued: fairQueue.queued,
      rejected: fairQueue.rejected,
      queueLength: queue,
      accounts: fairQueue.accounts(),
    }),
    allowPage: (url) => service.allowPage(url),
    async close() {
      await fairQueue.close();
      await service.close();
    },
  };
}
