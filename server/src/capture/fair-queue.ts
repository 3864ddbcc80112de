import { ServiceError } from '../platform/errors.js';
import { clientDisconnected, RETRY_AFTER_SECONDS, serverStopping } from './capture-errors.js';

const NOT_COUNTED = 'This request was not counted.';

/**
 * An account's capture quota: all slots ('whole'), all but one (but at least one), or this many slots at once. Except
 * with 'whole', an account can use at most half of the queue, rounded up.
 */
export type CaptureQuota = 'whole' | 'allButOne' | number;

/** The account for which work is done, and its capture quota. */
export interface QuotaUser {
  readonly accountId: string;
  readonly quota: CaptureQuota;
}

/** Capacity that is reserved for one piece of an account's work before its request is counted against any limits. */
export interface Reservation extends QuotaUser {
  /**
   * Does the work when a slot is free. Throws a ServiceError at once if the queue is closed, the caller has
   * disconnected, or the reservation was used or released before; throws one later if the caller disconnects while the
   * work waits.
   */
  run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
  /** Releases the reservation if its work will not be done. Does nothing once the work runs or waits. */
  release(): void;
}

/** How many reservations were rejected, by reason. */
export interface Rejections {
  /** The account had used up its quota of running and waiting work. */
  readonly account: number;
  /** The queue of all accounts was full. */
  readonly queue: number;
}

/** For how many milliseconds each piece of an account's work has been running or waiting, longest first. */
export interface QueuedAccount {
  readonly accountId: string;
  readonly runningMs: readonly number[];
  readonly waitingMs: readonly number[];
}

/** Work that waits, or that has its slot. */
interface QueuedWork {
  /** When the work began to wait; once it runs, when it got its slot. */
  sinceMs: number;
  readonly start: () => void;
}

interface AccountQueue {
  quota: CaptureQuota;
  reserved: number;
  readonly running: Set<QueuedWork>;
  readonly waiting: QueuedWork[];
}

function maxRunning(quota: CaptureQuota, slots: number): number {
  if (quota === 'whole') return Infinity;
  return quota === 'allButOne' ? Math.max(1, slots - 1) : quota;
}

const maxWaiting = (quota: CaptureQuota, queueLength: number) =>
  quota === 'whole' ? Infinity : Math.ceil(queueLength / 2);

const queueFull = () =>
  new ServiceError(
    'overloaded',
    `Too many captures are waiting. Try again in a few seconds. ${NOT_COUNTED}`,
    {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    },
  );

const accountFull = (running: number, waiting: number) =>
  new ServiceError(
    'rateLimited',
    `Your account has ${running} ${running === 1 ? 'capture' : 'captures'} under way and ${waiting} waiting, which is ` +
      `the most that it may have. Try again in ${RETRY_AFTER_SECONDS} seconds, or when one of them is done. ${NOT_COUNTED}`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );

/**
 * Slots for concurrent work, and a limited queue in front of them in which accounts take turns. Each account may use
 * as much of both as its quota allows. An account's own work begins in the order of arrival.
 */
export class FairQueue {
  #active = 0;
  #queued = 0;
  #isClosed = false;
  #rejected: Rejections = { account: 0, queue: 0 };
  #onIdle: (() => void) | undefined;
  readonly #accounts = new Map<string, AccountQueue>();
  /** The accounts with waiting work, in the order of their turns. */
  readonly #accountsInLine = new Set<AccountQueue>();

  readonly #slots: () => number;
  readonly #queueLength: number;
  readonly #monotonicMs: () => number;

  /** Calls `slots` whenever it needs the number of slots, which changes as browsers come and go. */
  constructor(slots: () => number, queueLength: number, monotonicMs: () => number) {
    this.#slots = slots;
    this.#queueLength = queueLength;
    this.#monotonicMs = monotonicMs;
  }

  get active(): number {
    return this.#active;
  }

  get queued(): number {
    return this.#queued;
  }

  get rejected(): Rejections {
    return this.#rejected;
  }

  /** The running and waiting work of each account that has any. */
  accounts(): readonly QueuedAccount[] {
    const nowMs = this.#monotonicMs();
    return Array.from(this.#accounts, ([accountId, { running, waiting }]) => ({
      accountId,
      runningMs: Array.from(running, ({ sinceMs }) => nowMs - sinceMs),
      waitingMs: waiting.map(({ sinceMs }) => nowMs - sinceMs),
    })).filter(({ runningMs, waitingMs }) => runningMs.length + waitingMs.length > 0);
  }

  /**
   * Reserves space in the queue and in an account's quota, but no slot yet. Throws a ServiceError at once if either
   * is full or the queue is closed, so that the request is rejected before it is counted.
   */
  reserve(accountId: string, quota: CaptureQuota): Reservation {
    if (this.#isClosed) throw serverStopping();
    const account = this.#queueOf(accountId);
    account.quota = quota;
    if (this.#isQuotaFull(account)) {
      this.#rejected = { ...this.#rejected, account: this.#rejected.account + 1 };
      throw accountFull(account.running.size, account.waiting.length + account.reserved);
    }
    account.reserved += 1;
    if (this.#wouldWait() > this.#queueLength) {
      account.reserved -= 1;
      this.#forget(accountId, account);
      this.#rejected = { ...this.#rejected, queue: this.#rejected.queue + 1 };
      throw queueFull();
    }
    let isReserved = true;
    const endReservation = () => {
      if (!isReserved) return false;
      isReserved = false;
      account.reserved -= 1;
      return true;
    };
    return {
      accountId,
      quota,
      run: async (signal, work) => {
        if (!endReservation()) throw clientDisconnected();
        try {
          return await this.#run(account, signal, work);
        } finally {
          this.#forget(accountId, account);
        }
      },
      release: () => {
        if (endReservation()) this.#forget(accountId, account);
      },
    };
  }

  /** Starts waiting work while there are free slots. Call it when the number of slots has increased. */
  fill(): void {
    for (;;) {
      const account = this.#next();
      const nextWork = account?.waiting[0];
      if (account === undefined || nextWork === undefined) return;
      this.#leaveQueue(account, nextWork);
      // An account with more waiting work goes to the end of the line.
      if (this.#accountsInLine.delete(account) && account.waiting.length > 0)
        this.#accountsInLine.add(account);
      account.running.add(nextWork);
      nextWork.sinceMs = this.#monotonicMs();
      this.#active += 1;
      nextWork.start();
    }
  }

  /** Rejects new work. Resolves when no work runs or waits any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.fill();
    if (this.#active + this.#queued > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
  }

  #queueOf(accountId: string): AccountQueue {
    const existing = this.#accounts.get(accountId);
    if (existing !== undefined) return existing;
    const account: AccountQueue = { quota: 'whole', reserved: 0, running: new Set(), waiting: [] };
    this.#accounts.set(accountId, account);
    return account;
  }

  #forget(accountId: string, { running, reserved, waiting }: AccountQueue): void {
    if (running.size + reserved + waiting.length === 0) this.#accounts.delete(accountId);
  }

  /** Whether one more piece of work would find neither a slot nor space to wait within the account's quota. */
  #isQuotaFull({ quota, running, reserved, waiting }: AccountQueue): boolean {
    const slots = this.#slots();
    const leftToRun = maxRunning(quota, slots) - running.size;
    const leftToWait = maxWaiting(quota, this.#queueLength);
    // If no work may wait because the queue has the length 0, an account's quota may have slots left while all slots
    // are taken. Its quota does not count as full then: work that would have to wait is rejected with the error for a
    // full server.
    if (leftToWait === 0) return reserved >= leftToRun;
    const startsAtOnce = Math.max(0, Math.min(leftToRun, slots - this.#active));
    return reserved + waiting.length >= startsAtOnce + leftToWait;
  }

  async #run<Result>(
    account: AccountQueue,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result> {
    if (this.#isClosed) throw serverStopping();
    if (signal.aborted) throw clientDisconnected();
    const queuedWork = await this.#waitForSlot(account, signal);
    try {
      return await work();
    } finally {
      account.running.delete(queuedWork);
      this.#active -= 1;
      this.fill();
      this.#noteIdle();
    }
  }

  /** Resolves when the work has its slot. Rejects if the caller disconnects while the work waits. */
  #waitForSlot(account: AccountQueue, signal: AbortSignal): Promise<QueuedWork> {
    return new Promise((resolve, reject) => {
      const queuedWork: QueuedWork = {
        sinceMs: this.#monotonicMs(),
        start: () => {
          signal.removeEventListener('abort', leave);
          resolve(queuedWork);
        },
      };
      const leave = () => {
        this.#leaveQueue(account, queuedWork);
        this.#noteIdle();
        reject(clientDisconnected());
      };
      account.waiting.push(queuedWork);
      this.#queued += 1;
      this.#accountsInLine.add(account);
      this.fill();
      if (!account.waiting.includes(queuedWork)) return;
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  #leaveQueue(account: AccountQueue, queuedWork: QueuedWork): void {
    account.waiting.splice(account.waiting.indexOf(queuedWork), 1);
    this.#queued -= 1;
    if (account.waiting.length === 0) this.#accountsInLine.delete(account);
  }

  /** The account whose work is next; undefined if no work waits, or if no slot is free for any of it. */
  #next(): AccountQueue | undefined {
    const slots = this.#slots();
    if (this.#active >= slots) return undefined;
    for (const account of this.#accountsInLine) {
      // Once the queue is closed, no other account can come, so no slot has to be kept for one.
      if (this.#isClosed || account.running.size < maxRunning(account.quota, slots)) return account;
    }
    return undefined;
  }

  /** How much work would wait, including the work that waits already, if `run` of every reservation were called now. */
  #wouldWait(): number {
    const slots = this.#slots();
    let reserved = 0;
    let mayStart = 0;
    for (const account of this.#accounts.values()) {
      reserved += account.reserved;
      const leftToRun = maxRunning(account.quota, slots) - account.running.size - account.waiting.length;
      mayStart += Math.max(0, Math.min(account.reserved, leftToRun));
    }
    const freeSlots = Math.max(0, slots - this.#active);
    return this.#queued + reserved - Math.min(mayStart, freeSlots);
  }

  #noteIdle(): void {
    if (this.#active + this.#queued === 0) this.#onIdle?.();
  }
}
