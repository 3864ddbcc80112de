import { ServiceError } from '../platform/errors.js';
import { clientDisconnected } from './page/capture-deadline.js';

const RETRY_AFTER_SECONDS = 5;
const NOT_COUNTED = 'This request was not counted.';

/**
 * An account's capture quota: its concurrent slots. Except with the whole, at most half the queue may wait
 * for one account.
 */
export type Share = 'whole' | 'allButOne' | number;

/** Reserves capacity for an account's work before its request is counted. */
export interface Reservation {
  /** The account whose quota it uses. */
  readonly accountId: string;
  /** Does the work when a slot is free; throws at once if the queue is closed or the caller has gone. */
  run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
  /** Releases the reservation of work that will not be done. Does nothing once the work runs or waits. */
  release(): void;
}

/** The number of rejections, by reason. */
export interface Refusals {
  /** The account had used up its quota of running and waiting work. */
  readonly account: number;
  /** The whole queue was full. */
  readonly queue: number;
}

/** The start times in milliseconds of one account's running and waiting work, oldest first. */
export interface QueuedAccount {
  readonly accountId: string;
  readonly runningMs: readonly number[];
  readonly waitingMs: readonly number[];
}

/** A piece of work that waits or has its slot. */
interface Turn {
  /** When it began to wait, or when it got its slot. */
  sinceMs: number;
  readonly enter: () => void;
}

/** The state of one account. */
interface AccountQueue {
  share: Share;
  reserved: number;
  readonly running: Set<Turn>;
  readonly waiting: Turn[];
}

function maxRunning(share: Share, places: number): number {
  if (share === 'whole') return Infinity;
  return share === 'allButOne' ? Math.max(1, places - 1) : share;
}

const maxWaiting = (share: Share, queueLength: number) =>
  share === 'whole' ? Infinity : Math.ceil(queueLength / 2);

export const serverStopping = () =>
  new ServiceError('overloaded', 'The server is stopping. Try again in a few seconds.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });

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
 * Slots for concurrent work, and a bounded queue before them in which accounts alternate. Each account has a
 * bounded quota of both; its own work is first come, first served.
 */
export class FairQueue {
  #active = 0;
  #queued = 0;
  #isClosed = false;
  #refused: Refusals = { account: 0, queue: 0 };
  #onIdle: (() => void) | undefined;
  readonly #accounts = new Map<string, AccountQueue>();
  /** The accounts with waiting work. The first is next. */
  readonly #turns = new Set<AccountQueue>();

  readonly #places: () => number;
  readonly #queueLength: number;
  readonly #monotonicMs: () => number;

  /** The number of slots is read each time: browsers come and go. */
  constructor(places: () => number, queueLength: number, monotonicMs: () => number) {
    this.#places = places;
    this.#queueLength = queueLength;
    this.#monotonicMs = monotonicMs;
  }

  get active(): number {
    return this.#active;
  }

  get queued(): number {
    return this.#queued;
  }

  get refused(): Refusals {
    return this.#refused;
  }

  /** The running and waiting work of each account. */
  accounts(): readonly QueuedAccount[] {
    const nowMs = this.#monotonicMs();
    return Array.from(this.#accounts, ([accountId, { running, waiting }]) => ({
      accountId,
      runningMs: Array.from(running, ({ sinceMs }) => nowMs - sinceMs),
      waitingMs: waiting.map(({ sinceMs }) => nowMs - sinceMs),
    })).filter(({ runningMs, waitingMs }) => runningMs.length + waitingMs.length > 0);
  }

  /**
   * Reserves space in the queue and in an account's quota, but no slot yet. Throws a ServiceError at once if
   * either is full or the queue is closed, so that such a request is rejected before it is counted.
   */
  reserve(accountId: string, share: Share): Reservation {
    if (this.#isClosed) throw serverStopping();
    const account = this.#queueOf(accountId);
    account.share = share;
    if (this.#isShareFull(account)) {
      this.#refused = { ...this.#refused, account: this.#refused.account + 1 };
      throw accountFull(account.running.size, account.waiting.length + account.reserved);
    }
    account.reserved += 1;
    if (this.#wouldWait() > this.#queueLength) {
      account.reserved -= 1;
      this.#forget(accountId, account);
      this.#refused = { ...this.#refused, queue: this.#refused.queue + 1 };
      throw queueFull();
    }
    let isHeld = true;
    const letGo = () => {
      if (!isHeld) return false;
      isHeld = false;
      account.reserved -= 1;
      return true;
    };
    return {
      accountId,
      run: async (signal, work) => {
        if (!letGo()) throw clientDisconnected();
        try {
          return await this.#run(account, signal, work);
        } finally {
          this.#forget(accountId, account);
        }
      },
      release: () => {
        if (letGo()) this.#forget(accountId, account);
      },
    };
  }

  /** Starts waiting work while there are free slots. Call this when their number has increased. */
  fill(): void {
    for (;;) {
      const account = this.#next();
      const first = account?.waiting[0];
      if (account === undefined || first === undefined) return;
      this.#leaveQueue(account, first);
      // An account with more work goes to the end of the line.
      if (this.#turns.delete(account) && account.waiting.length > 0) this.#turns.add(account);
      account.running.add(first);
      first.sinceMs = this.#monotonicMs();
      this.#active += 1;
      first.enter();
    }
  }

  /** Rejects new work. Resolves when all running and waiting work is done. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.fill();
    if (this.#active + this.#queued > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
  }

  #queueOf(accountId: string): AccountQueue {
    const known = this.#accounts.get(accountId);
    if (known !== undefined) return known;
    const account: AccountQueue = { share: 'whole', reserved: 0, running: new Set(), waiting: [] };
    this.#accounts.set(accountId, account);
    return account;
  }

  #forget(accountId: string, { running, reserved, waiting }: AccountQueue): void {
    if (running.size + reserved + waiting.length === 0) this.#accounts.delete(accountId);
  }

  /** Whether one more would find neither a slot nor space to wait within the account's quota. */
  #isShareFull({ share, running, reserved, waiting }: AccountQueue): boolean {
    const places = this.#places();
    const leftToRun = maxRunning(share, places) - running.size;
    const leftToWait = maxWaiting(share, this.#queueLength);
    // Without any space to wait, the server may be full while the account is not. The work then gets that
    // error when it has to wait.
    if (leftToWait === 0) return reserved >= leftToRun;
    const startsAtOnce = Math.max(0, Math.min(leftToRun, places - this.#active));
    return reserved + waiting.length >= startsAtOnce + leftToWait;
  }

  async #run<Result>(
    account: AccountQueue,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result> {
    if (this.#isClosed) throw serverStopping();
    if (signal.aborted) throw clientDisconnected();
    const turn = await this.#place(account, signal);
    try {
      return await work();
    } finally {
      account.running.delete(turn);
      this.#active -= 1;
      this.fill();
      this.#noteIdle();
    }
  }

  /** Resolves with a slot. Rejects if the caller goes while it waits. */
  #place(account: AccountQueue, signal: AbortSignal): Promise<Turn> {
    return new Promise((resolve, reject) => {
      const turn: Turn = {
        sinceMs: this.#monotonicMs(),
        enter: () => {
          signal.removeEventListener('abort', leave);
          resolve(turn);
        },
      };
      const leave = () => {
        this.#leaveQueue(account, turn);
        this.#noteIdle();
        reject(clientDisconnected());
      };
      account.waiting.push(turn);
      this.#queued += 1;
      this.#turns.add(account);
      this.fill();
      if (!account.waiting.includes(turn)) return;
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  #leaveQueue(account: AccountQueue, turn: Turn): void {
    account.waiting.splice(account.waiting.indexOf(turn), 1);
    this.#queued -= 1;
    if (account.waiting.length === 0) this.#turns.delete(account);
  }

  /** The account whose work is next; undefined if no slot is free for any. */
  #next(): AccountQueue | undefined {
    const places = this.#places();
    if (this.#active >= places) return undefined;
    for (const account of this.#turns) {
      // Once closed, no other account can come for which a slot would have to be kept.
      if (this.#isClosed || account.running.size < maxRunning(account.share, places)) return account;
    }
    return undefined;
  }

  /** How many would wait if everything reserved ran now. */
  #wouldWait(): number {
    const places = this.#places();
    let reserved = 0;
    let mayStart = 0;
    for (const account of this.#accounts.values()) {
      reserved += account.reserved;
      const leftToRun = maxRunning(account.share, places) - account.running.size - account.waiting.length;
      mayStart += Math.max(0, Math.min(account.reserved, leftToRun));
    }
    const freeSlots = Math.max(0, places - this.#active);
    return this.#queued + reserved - Math.min(mayStart, freeSlots);
  }

  #noteIdle(): void {
    if (this.#active + this.#queued === 0) this.#onIdle?.();
  }
}
