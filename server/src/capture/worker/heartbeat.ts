/** How often a thread beats in the time that its keeper waits for it. */
const BEATS_PER_SILENCE = 30;
/** How often the keeper looks in the same time. */
const LOOKS_PER_SILENCE = 5;

/** How a thread shows that it goes on: a number in memory that its keeper sees too, and that stands still with it. */
export interface Heartbeat {
  readonly beats: Int32Array<SharedArrayBuffer>;
  /** How long the number may stand still, in milliseconds. */
  readonly silenceMs: number;
}

export const createHeartbeat = (silenceMs: number): Heartbeat => ({
  beats: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
  silenceMs,
});

/** To be called in the thread: beats whenever it is idle for a moment. */
export function startBeating({ beats, silenceMs }: Heartbeat): void {
  const beat = () => Atomics.add(beats, 0, 1);
  beat();
  setInterval(beat, silenceMs / BEATS_PER_SILENCE).unref();
}

/**
 * Calls back once a thread that had begun to beat stands still; returns what ends the watch. It counts looks, and not
 * time, so that nothing is taken for dead by a keeper that was busy, or on a machine that was asleep.
 */
export function watchBeats({ beats, silenceMs }: Heartbeat, onSilence: () => void): () => void {
  let seen = 0;
  let sameLooks = 0;
  const watch = setInterval(() => {
    const now = Atomics.load(beats, 0);
    sameLooks = now === seen && now !== 0 ? sameLooks + 1 : 0;
    seen = now;
    if (sameLooks < LOOKS_PER_SILENCE) return;
    clearInterval(watch);
    onSilence();
  }, silenceMs / LOOKS_PER_SILENCE).unref();
  return () => clearInterval(watch);
}
