import type { Clock } from './clock.js';

/** Crystals drift apart by a few milliseconds in this time. */
const READ_EVERY_MS = 30_000;
/** The quickest of a few answers says the time best. */
const READINGS = 3;

interface DatabaseClockParts {
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
 * is told, and the clock goes on by the one before.
 */
export async function followDatabaseClock(parts: DatabaseClockParts): Promise<DatabaseClock> {
  const { readTimeMs, monotonicMs, onError } = parts;

  const readOffsetMs = async () => {
    let best = { tookMs: Infinity, offsetMs: 0 };
    for (let reading = 0; reading < READINGS; reading += 1) {
      const startMs = monotonicMs();
      const timeMs = await readTimeMs();
      const endMs = monotonicMs();
      const tookMs = endMs - startMs;
      if (tookMs < best.tookMs) best = { tookMs, offsetMs: timeMs - (startMs + endMs) / 2 };
    }
    return best.offsetMs;
  };

  let offsetMs = await readOffsetMs();
  const timer = setInterval(() => {
    readOffsetMs().then((newest) => (offsetMs = newest), onError);
  }, READ_EVERY_MS);
  timer.unref();
  return { clock: () => Math.floor(monotonicMs() + offsetMs), stop: () => clearInterval(timer) };
}
