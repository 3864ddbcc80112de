import type { Clock } from '../platform/clock.js';

/**
 * How often to read the database's clock: often enough to notice soon that it was changed, or that this machine slept.
 */
const READ_INTERVAL_MS = 10_000;
/** How many readings to make each time. The fastest is the most accurate. */
const READINGS = 3;
/** Slower readings are not used, except at the start: a reading may be wrong by half the time that it takes. */
const MAX_READING_MS = 500;
const READ_AGAIN_MS = 1_000;

interface DatabaseClockDeps {
  /** Milliseconds since the epoch on the database's own clock. */
  readonly readTimeMs: () => Promise<number>;
  /** Milliseconds since an arbitrary time, unaffected by changes of this machine's clock. */
  readonly monotonicMs: () => number;
  readonly onError: (error: unknown) => void;
}

interface DatabaseClock {
  readonly clock: Clock;
  stop(): void;
}

/**
 * The database's clock, read at intervals and extrapolated in between, so that the servers on one database do not
 * depend on their own clocks. Throws if the first reading fails. If a later one fails, it is reported to `onError` and
 * the clock continues from the previous reading.
 */
export async function followDatabaseClock(deps: DatabaseClockDeps): Promise<DatabaseClock> {
  const { readTimeMs, monotonicMs, onError } = deps;

  const readOffsetMs = async () => {
    let best = { tookMs: Infinity, offsetMs: 0 };
    for (let reading = 0; reading < READINGS; reading += 1) {
      const startMs = monotonicMs();
      const timeMs = await readTimeMs();
      const endMs = monotonicMs();
      const tookMs = endMs - startMs;
      if (tookMs < best.tookMs) best = { tookMs, offsetMs: timeMs - (startMs + endMs) / 2 };
    }
    return best;
  };

  let { offsetMs } = await readOffsetMs();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const readLater = (inMs: number) => {
    if (!isStopped) timer = setTimeout(() => void readAgain(), inMs).unref();
  };
  const readAgain = async () => {
    try {
      const newest = await readOffsetMs();
      const isGood = newest.tookMs <= MAX_READING_MS;
      if (isGood) offsetMs = newest.offsetMs;
      readLater(isGood ? READ_INTERVAL_MS : READ_AGAIN_MS);
    } catch (error) {
      onError(error);
      readLater(READ_INTERVAL_MS);
    }
  };
  readLater(READ_INTERVAL_MS);
  return {
    clock: () => Math.floor(monotonicMs() + offsetMs),
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
