/** How many times a thread that is not blocked beats within `silenceMs`. */
const BEATS_PER_SILENCE = 30;
/** How many times the watching thread checks the number of beats within `silenceMs`. */
const LOOKS_PER_SILENCE = 5;

/** Shows that a thread is alive: a number in shared memory, which stops increasing when the thread hangs. */
export interface Heartbeat {
  readonly beats: Int32Array<SharedArrayBuffer>;
  /** How long the number may stay the same, in milliseconds. */
  readonly silenceMs: number;
}

export const createHeartbeat = (silenceMs: number): Heartbeat => ({
  beats: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
  silenceMs,
});

/** Called in the watched thread: increases the number at regular intervals, as long as that thread is not blocked. */
export function startBeating({ beats, silenceMs }: Heartbeat): void {
  const beat = () => Atomics.add(beats, 0, 1);
  beat();
  setInterval(beat, silenceMs / BEATS_PER_SILENCE).unref();
}

/**
 * Calls back if a thread that had begun to beat stops beating. Returns a function that stops watching. Counts checks
 * instead of time: if time counted, a living thread would seem dead when the watching thread is busy, or after the
 * machine slept.
 */
export function watchBeats({ beats, silenceMs }: Heartbeat, onSilence: () => void): () => void {
  let lastCount = 0;
  let sameLooks = 0;
  const watch = setInterval(() => {
    const now = Atomics.load(beats, 0);
    sameLooks = now === lastCount && now !== 0 ? sameLooks + 1 : 0;
    lastCount = now;
    if (sameLooks < LOOKS_PER_SILENCE) return;
    clearInterval(watch);
    onSilence();
  }, silenceMs / LOOKS_PER_SILENCE).unref();
  return () => clearInterval(watch);
}
