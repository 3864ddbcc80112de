import type { KnownKey } from '../keys/key-finder.js';
import { ServiceError } from '../platform/errors.js';
import type { CaptureService, CaptureState } from './capture-service.js';
import { FairQueue, type QueuedAccount, type Refusals, type Reservation, type Share } from './fair-queue.js';

/** How the browsers and the queue before them stand. */
export interface QueueState extends CaptureState {
  /** Captures that wait for a place. */
  readonly queued: number;
  readonly refused: Refusals;
  /** How many may wait. */
  readonly queueLength: number;
  readonly accounts: readonly QueuedAccount[];
}

/** Captures behind a queue in which accounts take turns. */
export interface CaptureQueue extends Omit<CaptureService, 'state' | 'onPlaces'> {
  /**
   * Holds what a capture by a key needs of its account's share. Throws a ServiceError where the account has its whole
   * share already, or where the key does not work: else such a key could take the room of its account.
   */
  readonly reserve: (key: KnownKey) => Promise<Reservation>;
  state(): QueueState;
}

/** What may become of a capture that had its turn: it is done, its caller has gone, or the kind of its refusal. */
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

/** Hears how long captures waited for their turn, and what became of them. */
export interface CaptureObserver {
  waited(ms: number): void;
  ended(kind: CaptureKind, outcome: CaptureOutcome): void;
}

export interface QueueOptions {
  /** How many captures may wait. */
  readonly queue: number;
  /** The share of a key's account; throws a ServiceError where the key does not work. */
  readonly shareOf: (key: KnownKey) => Share | Promise<Share>;
  readonly monotonicMs: () => number;
  readonly observer?: CaptureObserver | undefined;
}

function outcomeOf(error: unknown, { aborted }: AbortSignal): CaptureOutcome {
  if (aborted) return 'disconnected';
  const kind = error instanceof ServiceError ? error.kind : 'internal';
  return CAPTURE_OUTCOMES.find((outcome) => outcome === kind) ?? 'internal';
}

/**
 * Puts the queue before what takes captures, in whatever thread: those that wait outlive a thread that has to be
 * replaced. Each is to be taken in a reservation of its own.
 */
export function queueCaptures(
  service: CaptureService,
  { queue, shareOf, monotonicMs, observer }: QueueOptions,
): CaptureQueue {
  const fairQueue = new FairQueue(() => service.state().places, queue, monotonicMs);
  service.onPlaces(() => fairQueue.fill());

  const timed = (reservation: Reservation): Reservation => ({
    accountId: reservation.accountId,
    run(signal, work) {
      const askedMs = monotonicMs();
      return reservation.run(signal, () => {
        observer?.waited(monotonicMs() - askedMs);
        return work();
      });
    },
    release: () => reservation.release(),
  });
  async function counted<Result>(kind: CaptureKind, signal: AbortSignal, capture: Promise<Result>) {
    try {
      const result = await capture;
      observer?.ended(kind, 'done');
      return result;
    } catch (error) {
      observer?.ended(kind, outcomeOf(error, signal));
      throw error;
    }
  }

  return {
    reserve: async (key) => timed(fairQueue.reserve(key.accountId, await shareOf(key))),
    screenshot: (request, signal) => counted('screenshot', signal, service.screenshot(request, signal)),
    pdf: (request, signal) => counted('pdf', signal, service.pdf(request, signal)),
    content: (request, signal) => counted('content', signal, service.content(request, signal)),
    state: () => ({
      ...service.state(),
      active: fairQueue.active,
      queued: fairQueue.queued,
      refused: fairQueue.refused,
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
