import type { CaptureService, CaptureState } from './capture-service.js';
import { Slots, type Refusals, type Reservation, type Share } from './slots.js';

/** How the browsers and the queue before them stand. */
export interface QueueState extends CaptureState {
  /** Captures that wait for a place. */
  readonly queued: number;
  readonly refused: Refusals;
}

/** Captures behind a queue in which accounts take turns. */
export interface CaptureQueue extends Omit<CaptureService, 'state' | 'onPlaces'> {
  /** Holds what a capture of an account needs; throws a ServiceError where the account has its whole share already. */
  readonly reserve: (accountId: string) => Promise<Reservation>;
  state(): QueueState;
}

export interface QueueOptions {
  /** How many captures may wait. */
  readonly queue: number;
  readonly shareOf: (accountId: string) => Share | Promise<Share>;
}

/**
 * Puts the queue before what takes captures, in whatever thread: those that wait outlive a thread that has to be
 * replaced. Each is to be taken in a reservation of its own.
 */
export function queueCaptures(service: CaptureService, { queue, shareOf }: QueueOptions): CaptureQueue {
  const slots = new Slots(() => service.state().places, queue);
  service.onPlaces(() => slots.fill());
  return {
    reserve: async (accountId) => slots.reserve(accountId, await shareOf(accountId)),
    screenshot: (request, signal) => service.screenshot(request, signal),
    pdf: (request, signal) => service.pdf(request, signal),
    state: () => ({
      ...service.state(),
      active: slots.active,
      queued: slots.queued,
      refused: slots.refused,
    }),
    allowPage: (url) => service.allowPage(url),
    async close() {
      await slots.close();
      await service.close();
    },
  };
}
