import { MOST_REVOKED_KEYS, type RevokedKeysOfProject } from './shown-keys.js';

/** How many revoked keys of a project are not listed, where some are not. */
export function OlderRevokedKeys({ revoked: { shown, count } }: { readonly revoked: RevokedKeysOfProject }) {
  const older = count - shown.length;
  if (older <= 0) return null;
  return (
    <p class="muted">
      {older.toLocaleString('en-GB')} more, revoked earlier: only the latest {MOST_REVOKED_KEYS} of the
      account are listed.
    </p>
  );
}
