import type { ComponentChildren } from 'preact';
import type { Key } from '../../keys/key.js';
import type { LimitsDirection } from '../../mail/notifications.js';
import type { Limit } from '../../platform/limit.js';
import type { Limits } from '../../usage/rate-limit.js';
import { type EndedKeysOfProject, MAX_LISTED_ENDED_KEYS } from '../../keys/find-keys.js';
import { Day, formatCount } from '../layout/formatting.js';

interface KeyStateProps {
  readonly ownKey: Key;
  readonly leftToday: number | null;
}

/** The state of a key in a few words. If the key has not ended, its end date follows, if it has one. */
export function KeyState({ ownKey, leftToday }: KeyStateProps) {
  const { state, endsAtMs, disabledBy } = ownKey;
  if (state === 'revoked') return <span class="badge danger">revoked</span>;
  if (state === 'expired') return <span class="badge danger">ended</span>;
  return (
    <>
      {state === 'disabled' ? (
        <span class={disabledBy === 'operator' ? 'badge danger' : 'badge'}>
          {disabledBy === 'operator' ? 'disabled by the operator' : 'disabled'}
        </span>
      ) : leftToday === 0 ? (
        <span class="badge warn">used up today</span>
      ) : (
        <span class="badge good">live</span>
      )}
      {endsAtMs === null ? null : (
        <span class="key-end">
          until <Day timeMs={endsAtMs} />
        </span>
      )}
    </>
  );
}

/**
 * The name, if there is one, and the first characters of a key as a heading, with the state of the key. `children` are
 * the actions on it.
 */
export const KeyHead = ({ children, ...state }: KeyStateProps & { readonly children: ComponentChildren }) => (
  <div class="page-head">
    <div class="key-title">
      <h1 class="key-name">
        {state.ownKey.name === null ? 'Key' : <bdi>{state.ownKey.name}</bdi>}{' '}
        <code>{state.ownKey.prefix}…</code>
      </h1>
      <p class="badges">
        <KeyState {...state} />
      </p>
    </div>
    {children}
  </div>
);

export const keyLabel = ({ name, prefix }: Pick<Key, 'name' | 'prefix'>): string =>
  name === null ? `${prefix}…` : `${name} (${prefix}…)`;

interface KeyLinkProps {
  readonly ownKey: Pick<Key, 'name' | 'prefix'>;
  readonly href: string;
}

export const KeyLink = ({ ownKey: { name, prefix }, href }: KeyLinkProps) => (
  <>
    <a href={href}>{name === null ? <code>{prefix}…</code> : <bdi class="key-called">{name}</bdi>}</a>
    {name === null ? null : <code class="key-prefix muted">{prefix}…</code>}
  </>
);

/** A limit in words: "1,000", "unlimited" or "default". */
export const formatLimit = (limit: Limit | null): string =>
  typeof limit === 'number' ? formatCount(limit) : (limit ?? 'unlimited');

type LimitPair = Readonly<Record<keyof Limits, Limit | null>>;

/** Requested or configured limits in words, such as "600 per minute, default per day". */
export const formatLimitPair = ({ perMinute, perDay }: LimitPair): string =>
  `${formatLimit(perMinute)} per minute, ${formatLimit(perDay)} per day`;

/** Limits in words, such as "5 per minute, 20 per day"; only "unlimited" if there is neither of the two limits. */
export const formatLimits = (limits: Limits): string =>
  limits.perMinute === null && limits.perDay === null ? 'unlimited' : formatLimitPair(limits);

const formatLimitChange = (before: number | null, after: number | null, window: string) => {
  const [from, to] = [formatLimit(before), formatLimit(after)];
  return before === after ? `stays at ${from} a ${window}` : `goes from ${from} to ${to} a ${window}`;
};

/** Says how the limits change, such as "goes from 60 to 600 a minute and stays at 1,000 a day". */
export const formatLimitsChange = (before: Limits, after: Limits): string =>
  `${formatLimitChange(before.perMinute, after.perMinute, 'minute')} and ${formatLimitChange(before.perDay, after.perDay, 'day')}`;

/**
 * How the limits change: `raised` if one or both are higher and none is lower, `lowered` the other way round, `changed`
 * if one is higher and one lower, `unchanged` if they are the same.
 */
export function limitsDirection(before: Limits, after: Limits): LimitsDirection {
  const steps = (['perMinute', 'perDay'] as const).map(
    (of) => (after[of] ?? Infinity) - (before[of] ?? Infinity),
  );
  const [isHigher, isLower] = [steps.some((step) => step > 0), steps.some((step) => step < 0)];
  if (isHigher) return isLower ? 'changed' : 'raised';
  return isLower ? 'lowered' : 'unchanged';
}

/** Says how many ended keys of a project are not listed, if any. */
export function OlderEndedKeys({ ended: { latest, count } }: { readonly ended: EndedKeysOfProject }) {
  const older = count - latest.length;
  if (older <= 0) return null;
  return (
    <p class="muted">
      {formatCount(older)} more ended earlier: only the latest {MAX_LISTED_ENDED_KEYS} of the account are
      listed.
    </p>
  );
}
