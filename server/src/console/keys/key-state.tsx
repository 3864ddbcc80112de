import type { Key } from '../../keys/key.js';

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
