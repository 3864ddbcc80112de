import { LRUCache } from 'lru-cache';
import { readCaptureQuota } from '../accounts/capture-quota.js';
import { queueCaptures, type CaptureObserver, type CaptureQueue } from '../capture/capture-queue.js';
import type { CaptureService } from '../capture/capture-service.js';
import type { CaptureQuota } from '../capture/fair-queue.js';
import { findKeyProblem } from '../keys/key-finder.js';
import { invalidKey } from '../operations/metered-call.js';
import type { Clock } from '../platform/clock.js';
import type { Database } from '../storage/storage.js';

/** Restart the browser after this many captures, because its memory use grows over time. */
export const RECYCLE_AFTER_CAPTURES = 500;

const CACHE_MS = 2_000;
const MAX_CACHED = 10_000;

/** Wraps `read` so that calls with the same key share one promise for up to two seconds, or until it rejects. */
export function cacheBriefly<Key extends string | number, Answer>(
  read: (key: Key) => Promise<Answer>,
  monotonicMs: () => number,
): (key: Key) => Promise<Answer> {
  const cache = new LRUCache<Key, Promise<Answer>>({
    max: MAX_CACHED,
    ttl: CACHE_MS,
    ttlResolution: 0,
    perf: { now: monotonicMs },
    memoMethod: (key) => {
      const promise = read(key);
      promise.catch(() => {
        if (cache.peek(key) === promise) cache.delete(key);
      });
      return promise;
    },
  });
  return (key) => cache.memo(key);
}

interface AccountQueueDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly monotonicMs: () => number;
  /** The most captures that may wait. */
  readonly queue: number;
  /**
   * How many captures an account without a quota of its own may run at once; if undefined, this depends on whether
   * other accounts are enabled.
   */
  readonly capturesPerAccount: CaptureQuota | undefined;
  readonly observer: CaptureObserver;
}

/** The capture queue of a server. Reads the capture quota of each account from the database. */
export function queueForAccounts(service: CaptureService, deps: AccountQueueDeps): CaptureQueue {
  const { db, clock, monotonicMs, queue, capturesPerAccount, observer } = deps;
  const quotaOfKey = cacheBriefly(async (keyId: number) => {
    const quota = await readCaptureQuota({ db, clock }, keyId, capturesPerAccount);
    if (quota === undefined) throw invalidKey(await findKeyProblem({ db, clock }, keyId));
    return quota;
  }, monotonicMs);
  return queueCaptures(service, { queue, quotaOf: ({ id }) => quotaOfKey(id), monotonicMs, observer });
}
