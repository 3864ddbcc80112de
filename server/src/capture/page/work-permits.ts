import { settledWithin } from '../../platform/within-time.js';
import { FairQueue, type QuotaUser } from '../fair-queue.js';

/** The account that captures count for if their caller names none. It may use all slots. */
export const ANYONE: QuotaUser = { accountId: '', quota: 'whole' };

/**
 * How long a capture waits before its permit may go to another capture, and how often it looks again whether one needs
 * it.
 */
const LOOK_EVERY_MS = 50;

/**
 * Permits for captures to work: to load, scroll or capture their page, which keeps a core busy. A capture that waits
 * may pass its permit to others. Accounts take turns, as in the queue for slots.
 */
export class WorkPermits {
  readonly #queue: FairQueue;

  constructor(count: number, monotonicMs: () => number) {
    this.#queue = new FairQueue(() => count, Infinity, monotonicMs);
  }

  /** The number of captures that hold a permit. */
  get taken(): number {
    return this.#queue.active;
  }

  /** Returns a permit for a capture of this account. The capture has not taken it yet. */
  of(user: QuotaUser, signal: AbortSignal): WorkPermit {
    return new WorkPermit(this.#queue, user, signal);
  }
}

/**
 * The permit of one capture. The capture takes it, may lose it to another capture while it waits, and takes it again.
 */
export class WorkPermit {
  /** How long the capture has waited for its permit in total. */
  waitedMs = 0;
  #taking: Promise<void> | undefined;
  #release: (() => void) | undefined;
  #hasEnded = false;

  readonly #queue: FairQueue;
  readonly #user: QuotaUser;
  readonly #signal: AbortSignal;

  constructor(queue: FairQueue, user: QuotaUser, signal: AbortSignal) {
    this.#queue = queue;
    this.#user = user;
    this.#signal = signal;
  }

  get isHeld(): boolean {
    return this.#release !== undefined;
  }

  /** Whether other captures wait for a permit. */
  get hasWaiters(): boolean {
    return this.#queue.queued > 0;
  }

  /** Resolves when the capture may work. Rejects if its caller disconnects before that. */
  take(): Promise<void> {
    this.#taking ??= this.#acquire();
    return this.#taking;
  }

  /**
   * Resolves once `waiting` has resolved or rejected. Passes the permit on meanwhile if another capture needs one and
   * the page is idle. If it was passed on, the capture must call `take` again.
   */
  async yieldDuring(waiting: Promise<unknown>, isIdle: () => Promise<boolean>): Promise<void> {
    const state: { isOver: boolean } = { isOver: false };
    const end = () => {
      state.isOver = true;
    };
    const finished = waiting.then(end, end);
    const isIdleMeanwhile = () => Promise.race([finished.then(() => false), isIdle()]);
    await settledWithin(finished, LOOK_EVERY_MS);
    while (!state.isOver && this.isHeld) {
      if (this.hasWaiters && (await isIdleMeanwhile())) this.#yield();
      else await settledWithin(finished, LOOK_EVERY_MS);
    }
    await finished;
  }

  /** Ends the use of the permit for good. */
  end(): void {
    this.#hasEnded = true;
    this.#yield();
  }

  #yield(): void {
    this.#release?.();
    this.#release = undefined;
    this.#taking = undefined;
  }

  async #acquire(): Promise<void> {
    if (this.#hasEnded) return;
    const startedMs = performance.now();
    await new Promise<void>((resolve, reject) => {
      const work = () => {
        resolve();
        if (this.#hasEnded) return Promise.resolve();
        return new Promise<void>((release) => (this.#release = release));
      };
      const { accountId, quota } = this.#user;
      this.#queue.reserve(accountId, quota).run(this.#signal, work).catch(reject);
    });
    this.waitedMs += performance.now() - startedMs;
  }
}
