import type { Clock } from '../platform/clock.js';

/** As long as a database whose clock is set, or a machine that slept, may go unnoticed. */
const READ_INTERVAL_MS = 10_000;
/** The quickest of a few answers says the time best. */
const READINGS = 3;
/** A slower answer may be wrong by half of this, and is no better than counting on. */
const MAX_READING_MS = 500;
const READ_AGAIN_MS = 1_000;

interface DatabaseClockDeps {
  /** Milliseconds since the epoch by the database's own clock. */
  readonly readTimeMs: () => Promise<number>;
  /** Milliseconds since some moment, which no change of this machine's clock moves. */
  readonly monotonicMs: () => number;
  readonly onError: (error: unknown) => void;
}

interface DatabaseClock {
  readonly clock: Clock;
  stop(): void;
}

/**
 * The database's clock, read now and then and counted on in between, so that all servers on one database agree about
 * minutes and ends of tokens whatever their own clocks say. Throws where the first reading fails; a later one that does
 * is told, and the clock goes on by the previous one.
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
