import type { UsageStatistics } from '@signpost/contract';
import type { Clock } from '../platform/clock.js';
import { type Admission, dayOf, minuteOf } from './rate-limit.js';
import { usageStatistics, type UsageDay } from './usage-statistics.js';

type CountedDay = { -readonly [Field in keyof UsageDay]: UsageDay[Field] };

/** The key id in the admissions of a process without API keys. */
const NO_KEY = 0;

/**
 * Counts the calls of one process in memory, without limits. A process without API keys uses it in place of the meter.
 */
export class ProcessUsage {
  readonly #days = new Map<number, CountedDay>();
  #minute = 0;
  #minuteRequests = 0;

  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  admit(): Promise<Admission> {
    return Promise.resolve(this.#count());
  }

  #count(): Admission {
    const timeMs = this.#clock();
    const minute = minuteOf(timeMs);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#minuteRequests = 0;
    }
    this.#minuteRequests += 1;
    const today = this.#day(dayOf(timeMs));
    const previousAtMs = today.last_at;
    today.requests += 1;
    today.last_at = timeMs;
    return {
      keyId: NO_KEY,
      isGranted: true,
      limits: { perMinute: null, perDay: null },
      minuteRequests: this.#minuteRequests,
      dayRequests: today.requests,
      timeMs,
      day: today.day,
      previousAtMs,
    };
  }

  addResponseTime(_keyId: number, elapsedMs: number): void {
    const today = this.#day(dayOf(this.#clock()));
    today.timed_requests += 1;
    today.timed_ms += elapsedMs;
  }

  read(admission: Admission): Promise<UsageStatistics> {
    return Promise.resolve(usageStatistics(admission, [...this.#days.values()]));
  }

  #day(day: number): CountedDay {
    let counted = this.#days.get(day);
    if (counted === undefined) {
      counted = { day, requests: 0, last_at: null, timed_requests: 0, timed_ms: 0 };
      this.#days.set(day, counted);
    }
    return counted;
  }
}
