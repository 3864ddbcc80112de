const POLICY = /"([\w-]+)";q=(\d+);w=(\d+)/gu;
const STATE = /"([\w-]+)";r=(\d+);t=(\d+)/gu;

/** A limit of the key, or of all keys of its account together. */
export interface RateLimit {
  /** The name of the window: minute, day, account-minute or account-day. */
  readonly window: string;
  readonly limit: number;
  readonly left: number;
  /** Seconds until `left` is `limit` again. */
  readonly resetSeconds: number;
}

/** Reads the limits from the headers RateLimit-Policy and RateLimit of a response; empty if it has none. */
export function rateLimitsOf(headers: Readonly<Record<string, string>>): RateLimit[] {
  const limits = new Map(
    [...(headers['ratelimit-policy'] ?? '').matchAll(POLICY)].map(([, window = '', limit]) => [
      window,
      Number(limit),
    ]),
  );
  return [...(headers['ratelimit'] ?? '').matchAll(STATE)].map(([, window = '', left, reset]) => ({
    window,
    limit: limits.get(window) ?? 0,
    left: Number(left),
    resetSeconds: Number(reset),
  }));
}

/**
 * The limits in a sentence such as "Limits: 60 per minute (12 left, new in 34 s)."; "Limits: none." if there are none.
 */
export function describeLimits(limits: readonly RateLimit[]): string {
  if (limits.length === 0) return 'Limits: none.';
  const words = limits.map(({ window, limit, left, resetSeconds }) => {
    const [, ofAccount = '', unit = window] = /^(account-)?(.+)$/u.exec(window) ?? [];
    const whose = ofAccount === '' ? '' : ' for all keys of the account';
    return `${limit} per ${unit}${whose} (${left} left, new in ${resetSeconds} s)`;
  });
  return `Limits: ${words.join(', ')}.`;
}
