import { formatCount } from './formatting.js';

const MAX_SHOWN = 99;

/** How many requests wait, beside the name of where they do; nothing where none does. */
export function WaitingCount({ count }: { readonly count: number }) {
  if (count === 0) return null;
  return (
    <span class="waiting-count">
      {count > MAX_SHOWN ? `${MAX_SHOWN}+` : formatCount(count)}
      <span class="visually-hidden"> waiting</span>
    </span>
  );
}
