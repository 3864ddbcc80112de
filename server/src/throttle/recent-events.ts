import { SECOND_MS } from '../platform/time-units.js';

interface RecentEventsOptions {
  /** How many events of a subject are allowed in any `windowMs`. */
  readonly max: number;
  readonly windowMs: number;
  readonly monotonicMs: () => number;
  /** How many subjects to remember. Beyond that, the one that was quiet for longest is forgotten. */
  readonly maxSubjects?: number;
}

/**
 * How many subjects to remember if `maxSubjects` is left out. They take about 24 MB of memory if each has 300
 * timestamps.
 */
const MAX_SUBJECTS = 10_000;

/** Counts events by their timestamps, in this server's memory. A subject uses memory only after its first event. */
export class RecentEvents {
  readonly #timestampsOf = new Map<string, readonly number[]>();
  readonly #options: Required<RecentEventsOptions>;

  constructor(options: RecentEventsOptions) {
    this.#options = { maxSubjects: MAX_SUBJECTS, ...options };
  }

  /** Whether the subject had an event in the last `windowMs`. */
  has(subject: string): boolean {
    return this.#recent(subject).length > 0;
  }

  /** Seconds until the subject may have another event; 0 if it may now. */
  waitSeconds(subject: string): number {
    return this.#wait(this.#recent(subject), 1, this.#options.max);
  }

  /**
   * Counts `events` events of a subject and returns 0 if it then has at most `max` in the window. Otherwise counts
   * nothing and returns the seconds to wait. `events` must be at most `max`, which may differ between subjects.
   */
  add(subject: string, events = 1, max = this.#options.max): number {
    const { maxSubjects, monotonicMs } = this.#options;
    const recent = this.#recent(subject);
    const wait = this.#wait(recent, events, max);
    if (wait > 0) return wait;
    // Re-inserting moves the subject to the end, so the first one was quiet for longest.
    this.#timestampsOf.delete(subject);
    this.#timestampsOf.set(subject, [...recent, ...Array<number>(events).fill(monotonicMs())]);
    const [quietest] = this.#timestampsOf.keys();
    if (this.#timestampsOf.size > maxSubjects && quietest !== undefined) this.#timestampsOf.delete(quietest);
    return 0;
  }

  #recent(subject: string): readonly number[] {
    const { windowMs, monotonicMs } = this.#options;
    const sinceMs = monotonicMs() - windowMs;
    return (this.#timestampsOf.get(subject) ?? []).filter((timestamp) => timestamp > sinceMs);
  }

  #wait(recent: readonly number[], events: number, max: number): number {
    const { windowMs, monotonicMs } = this.#options;
    const blockingMs = recent[recent.length + events - max - 1];
    if (blockingMs === undefined) return 0;
    return Math.max(1, Math.ceil((blockingMs + windowMs - monotonicMs()) / SECOND_MS));
  }
}
