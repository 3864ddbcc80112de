/** Settings for keys without limits, so that a flood of requests is not throttled. */
export const UNLIMITED = {
  SIGNPOST_RATE_PER_MINUTE: 'unlimited',
  SIGNPOST_RATE_PER_DAY: 'unlimited',
} as const;
