import { LIMITS } from '@signpost/contract';

const MINUTE_MS = 60_000;

/** How long an access token is valid. */
export const ACCESS_TOKEN_LIFETIME_MS = LIMITS.accessTokenLifetimeMinutes * MINUTE_MS;
