/** Limits of a key in requests per window; null where there is none. */
export interface Limits {
  readonly perMinute: number | null;
  readonly perDay: number | null;
}

/** What became of one request at the meter: it was counted, or its key's limit is used up. */
export interface Admission {
  readonly keyId: number;
  readonly isGranted: boolean;
  readonly limits: Limits;
  /** Requests of the calendar minute and day so far; a granted one is included. */
  readonly minuteRequests: number;
  readonly dayRequests: number;
  /** When the request was counted, and in which day since the epoch. */
  readonly timeMs: number;
  readonly day: number;
  /** When the key's request before this one came that day; null where that was the first. */
  readonly previousAtMs: number | null;
}
