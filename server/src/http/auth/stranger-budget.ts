import { formatDuration } from '@signpost/contract';
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { ServiceError } from '../../platform/errors.js';
import { addressSubject } from '../../throttle/address-subject.js';
import { EventLoopPacer } from './event-loop-pacer.js';

/**
 * How many requests an address may send at once. An office of 150 people behind one address can open a page with its
 * files at the same moment.
 */
const BURST = 600;
const PER_SECOND = 20;
/**
 * How many addresses to remember. With more, the one whose last admitted request is the oldest starts again with a full
 * budget.
 */
const MAX_ADDRESSES = 50_000;
const MS_PER_SECOND = 1_000;
/** How many requests may wait. At a few milliseconds per request, the last one waits for a few seconds. */
const MAX_WAITING = 1_000;

interface Bucket {
  readonly left: number;
  readonly atMs: number;
}

/**
 * Limits the requests for what needs no key or token, such as pages. Each address (for IPv6, each /64) gets a burst,
 * then a steady rate. All addresses together start one request per turn of the event loop, or a few that cost little: a
 * page takes up to 5 ms, and without this limit lookups took half a minute while 100 addresses requested pages as fast
 * as they could. Requests for pages with a session are not counted.
 */
export class StrangerBudget {
  readonly #buckets = new Map<string, Bucket>();
  readonly #monotonicMs: () => number;
  readonly #pacer = new EventLoopPacer(MAX_WAITING);
  /** Refused requests wait separately, so that they delay nobody who is within the budget. */
  readonly #rejectionPacer = new EventLoopPacer(MAX_WAITING);

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** Counts a request, or returns the rejection if its address has no budget left. */
  take({ ip }: Pick<FastifyRequest, 'ip'>): ServiceError | undefined {
    const address = addressSubject(ip);
    const nowMs = this.#monotonicMs();
    const bucket = this.#buckets.get(address) ?? { left: BURST, atMs: nowMs };
    const left = Math.min(BURST, bucket.left + ((nowMs - bucket.atMs) / MS_PER_SECOND) * PER_SECOND);
    if (left < 1) return tooMany(Math.ceil((1 - left) / PER_SECOND));
    // Re-inserting moves the address to the end, so the first one was admitted the longest ago.
    this.#buckets.delete(address);
    this.#buckets.set(address, { left: left - 1, atMs: nowMs });
    const [quietest] = this.#buckets.keys();
    if (this.#buckets.size > MAX_ADDRESSES && quietest !== undefined) this.#buckets.delete(quietest);
    return undefined;
  }

  /**
   * Counts a request, and resolves when it may start. Throws `rateLimited` if the address has no budget left,
   * `overloaded` if too many requests wait.
   */
  async admit(request: Pick<FastifyRequest, 'ip'>): Promise<void> {
    const rejection = this.take(request);
    if (rejection === undefined) return this.awaitStart();
    await this.awaitRejection();
    throw rejection;
  }

  /**
   * Resolves when a request may be refused: one per turn of the event loop, or at once if too many wait. Without this
   * wait, refusing 100 connections at full speed took all of the thread.
   */
  async awaitRejection(): Promise<void> {
    if (!this.#rejectionPacer.isFull) await this.#rejectionPacer.next();
  }

  /**
   * Resolves when a request may start, without counting it against its address: many viewers of a link come from the
   * few addresses of a mail provider. Up to `perTurn` cheap requests start in one turn of the event loop. Throws
   * `overloaded` if too many requests wait.
   */
  async awaitStart(perTurn = 1): Promise<void> {
    if (this.#pacer.isFull) throw overloaded();
    await this.#pacer.next(perTurn);
  }

  /** The hook for public routes that calls `admit`. */
  readonly check: onRequestAsyncHookHandler = (request) => this.admit(request);
}

const overloaded = () =>
  new ServiceError('overloaded', 'Too many pages are requested at the moment. Try again in a few seconds.', {
    retryAfterSeconds: 5,
  });

const tooMany = (retryAfterSeconds: number) =>
  new ServiceError(
    'rateLimited',
    `Too many requests from this address without a key or a session. Try again in ${formatDuration(retryAfterSeconds)}.`,
    { retryAfterSeconds },
  );
