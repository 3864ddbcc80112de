import type { KnownKey } from '../keys/key-finder.js';
import type { CaptureService, CaptureState } from './capture-service.js';
import { FairQueue, type Refusals, type Reservation, type Share } from './fair-queue.js';

/** How the browsers and the queue before them stand. */
export interface QueueState extends CaptureState {
  /** Captures that wait for a place. */
  readonly queued: number;
  readonly refused: Refusals;
}

/** Captures behind a queue in which accounts take turns. */
export interface CaptureQueue extends Omit<CaptureService, 'state' | 'onPlaces'> {
  /**
   * Holds what a capture by a key needs of its account's share. Throws a ServiceError where the account has its whole
   * share already, or where the key is not live: else a revoked key could take the room of its account.
   */
  readonly reserve: (key: KnownKey) => Promise<Reservation>;
  state(): QueueState;
}

export interface QueueOptions {
  /** How many captures may wait. */
  readonly queue: number;
  /** The share of a key's account; throws a ServiceError where the key is not live. */
  readonly shareOf: (key: KnownKey) => Share | Promise<Share>;
}

/**
 * Puts the queue before what takes captures, in whatever thread: those that wait outlive a thread that has to be
 * replaced. Each is to be taken in a reservation of its own.
 */
export function queueCaptures(service: CaptureService, { queue, shareOf }: QueueOptions): CaptureQueue {
  const fairQueue = new FairQueue(() => service.state().places, queue);
  service.onPlaces(() => fairQueue.fill());
  return {
    reserve: async (key) => fairQueue.reserve(key.accountId, await shareOf(key)),
    screenshot: (request, signal) => service.screenshot(request, signal),
    pdf: (request, signal) => service.pdf(request, signal),
    state: () => ({
      ...service.state(),
      active: fairQueue.active,
      queued: fairQueue.queued,
      refused: fairQueue.refused,
    }),
    allowPage: (url) => service.allowPage(url),
    async close() {
      await fairQueue.close();
      await service.close();
    },
  };
}
