import { SECOND_MS } from '../platform/time-units.js';

interface RecentEventsOptions {
  /** How many events of a subject in any `windowMs` are let through. */
  readonly max: number;
  readonly windowMs: number;
  readonly monotonicMs: () => number;
  /** Subjects that are remembered; past it the one that was quiet for longest is forgotten. */
  readonly maxSubjects?: number;
}

/** With 300 timestamps each about 24 MB. */
const MAX_SUBJECTS = 10_000;

/** Counts events in the memory of this server, by their timestamps. It costs nothing to those of whom nothing is counted. */
export class RecentEvents {
  readonly #timestampsOf = new Map<string, readonly number[]>();
  readonly #options: Required<RecentEventsOptions>;

  constructor(options: RecentEventsOptions) {
    this.#options = { maxSubjects: MAX_SUBJECTS, ...options };
  }

  /** Seconds until the subject may have another event; 0 where it may now. */
  waitSeconds(subject: string): number {
    return this.#wait(this.#recent(subject), 1);
  }

  /**
   * Counts so many events of a subject, at most `max`, where it may have them; else it counts nothing and answers the
   * seconds to wait.
   */
  add(subject: string, events = 1): number {
    const { maxSubjects, monotonicMs } = this.#options;
    const recent = this.#recent(subject);
    const wait = this.#wait(recent, events);
    if (wait > 0) return wait;
    // Put at the end: what was counted longest ago is the first.
    this.#timestampsOf.delete(subject);
    this.#timestampsOf.set(subject, [...recent, ...Array<number>(events).fill(monotonicMs())]);
    const [first] = this.#timestampsOf.keys();
    if (this.#timestampsOf.size > maxSubjects && first !== undefined) this.#timestampsOf.delete(first);
    return 0;
  }

  #recent(subject: string): readonly number[] {
    const { windowMs, monotonicMs } = this.#options;
    const sinceMs = monotonicMs() - windowMs;
    return (this.#timestampsOf.get(subject) ?? []).filter((timestamp) => timestamp > sinceMs);
  }

  #wait(recent: readonly number[], wanted: number): number {
    const { max, windowMs, monotonicMs } = this.#options;
    const freeing = recent[recent.length + wanted - max - 1];
    if (freeing === undefined) return 0;
    return Math.max(1, Math.ceil((freeing + windowMs - monotonicMs()) / SECOND_MS));
  }
}
