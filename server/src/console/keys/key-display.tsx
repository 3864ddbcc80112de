import type { Key } from '../../keys/key.js';
import type { Limits } from '../../usage/rate-limit.js';
import { MAX_LISTED_REVOKED_KEYS, type RevokedKeysOfProject } from '../../keys/find-keys.js';
import { formatCount } from '../layout/formatting.js';

interface KeyStateProps {
  readonly ownKey: Key;
  /** Requests left today; null where there is no limit. */
  readonly leftToday: number | null;
}

/** Whether a key is of use now, in a word. */
export function KeyState({ ownKey, leftToday }: KeyStateProps) {
  if (ownKey.revokedAtMs !== null) return <span class="badge danger">revoked</span>;
  if (leftToday === 0) return <span class="badge warn">used up today</span>;
  return <span class="badge good">live</span>;
}

const within = (limit: number | null, window: string) =>
  `${limit === null ? 'unlimited' : formatCount(limit)} per ${window}`;

/** Limits in words, such as "5 per minute, 20 per day". */
export const formatLimits = ({ perMinute, perDay }: Limits): string =>
  perMinute === null && perDay === null
    ? 'unlimited'
    : `${within(perMinute, 'minute')}, ${within(perDay, 'day')}`;

/** What is left of a limit in words. */
export const formatRemaining = (left: number | null): string =>
  left === null ? 'unlimited' : formatCount(left);

/** How many revoked keys of a project are not listed, where some are not. */
export function OlderRevokedKeys({ revoked: { shown, count } }: { readonly revoked: RevokedKeysOfProject }) {
  const older = count - shown.length;
  if (older <= 0) return null;
  return (
    <p class="muted">
      {formatCount(older)} more, revoked earlier: only the latest {MAX_LISTED_REVOKED_KEYS} of the account are
      listed.
    </p>
  );
}
