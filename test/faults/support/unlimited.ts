/** Settings of a server whose keys have no limits, so that a flood of requests meets nothing but the server. */
export const UNLIMITED = {
  SIGNPOST_RATE_PER_MINUTE: 'unlimited',
  SIGNPOST_RATE_PER_DAY: 'unlimited',
} as const;
