const MS_PER_SECOND = 1_000;

interface Window {
  startMs: number;
  /** Events of this window, and of the one before it. */
  events: number;
  eventsBefore: number;
}

interface RecentEventsOptions {
  /** How many events of a subject in any `windowMs` are let through. */
  readonly max: number;
  readonly windowMs: number;
  readonly monotonicMs: () => number;
  /** Subjects that are remembered; past it the one that was quiet for longest is forgotten. */
  readonly maxSubjects?: number;
}

const MAX_SUBJECTS = 10_000;

/**
 * Counts events in the memory of this server, in a sliding window: of the window before, the share counts that is
 * still within reach. It costs nothing to those of whom nothing is counted.
 */
export class RecentEvents {
  readonly #windows = new Map<string, Window>();
  readonly #options: Required<RecentEventsOptions>;

  constructor(options: RecentEventsOptions) {
    this.#options = { maxSubjects: MAX_SUBJECTS, ...options };
  }

  /** Seconds until the subject may have another event; 0 where it may now. */
  waitSeconds(subject: string): number {
    const window = this.#windows.get(subject);
    return window === undefined ? 0 : this.#wait(this.#moveOn(window));
  }

  /**
   * Counts so many events of a subject, at most `max`, where it may have them; else it counts nothing and answers the
   * seconds to wait.
   */
  add(subject: string, events = 1): number {
    const { maxSubjects, monotonicMs } = this.#options;
    const known = this.#windows.get(subject);
    const window =
      known === undefined ? { startMs: monotonicMs(), events: 0, eventsBefore: 0 } : this.#moveOn(known);
    const wait = this.#wait(window, events);
    if (wait > 0) return wait;
    window.events += events;
    // Put at the end: what was counted longest ago is the first.
    this.#windows.delete(subject);
    this.#windows.set(subject, window);
    const [first] = this.#windows.keys();
    if (this.#windows.size > maxSubjects && first !== undefined) this.#windows.delete(first);
    return 0;
  }

  #moveOn(window: Window): Window {
    const { windowMs, monotonicMs } = this.#options;
    const windows = Math.floor((monotonicMs() - window.startMs) / windowMs);
    if (windows === 0) return window;
    window.startMs += windows * windowMs;
    window.eventsBefore = windows === 1 ? window.events : 0;
    window.events = 0;
    return window;
  }

  #wait({ startMs, events, eventsBefore }: Window, wanted = 1): number {
    const { max, windowMs, monotonicMs } = this.#options;
    const elapsedMs = monotonicMs() - startMs;
    const left = max - wanted - events;
    if (eventsBefore * (windowMs - elapsedMs) <= left * windowMs) return 0;
    // Where this window alone has too many, it has to become the one before, and a part of it to be out of reach.
    const freeAtMs =
      left < 0 ? windowMs + (windowMs * -left) / events : windowMs - (windowMs * left) / eventsBefore;
    return Math.max(1, Math.ceil((freeAtMs - elapsedMs) / MS_PER_SECOND));
  }
}
