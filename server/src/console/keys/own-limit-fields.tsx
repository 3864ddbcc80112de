import { z } from 'zod';
import { parsePermissions, PERMISSIONS } from '../../keys/permissions.js';
import { ServiceError } from '../../platform/errors.js';
import { type Limit, MAX_LIMIT, parseLimit } from '../../platform/limit.js';
import type { Limits } from '../../usage/rate-limit.js';
import { field, tick } from '../layout/form-data.js';
import { Checkbox, Field } from '../layout/form.js';
import { formatCount } from '../layout/formatting.js';

/** The lower of two limits; null means no limit. */
const lowerLimit = (one: number | null, other: number | null) =>
  one === null ? other : other === null ? one : Math.min(one, other);

/**
 * The maximum limits that owners may give a new key: its default limits, but at most the limits of all their keys
 * together.
 */
export const maxOwnLimits = (keyLimits: Limits, accountLimits: Limits): Limits => ({
  perMinute: lowerLimit(keyLimits.perMinute, accountLimits.perMinute),
  perDay: lowerLimit(keyLimits.perDay, accountLimits.perDay),
});

const wrongLimit = (max: number | null, cause?: unknown) =>
  new ServiceError(
    'invalidRequest',
    max === null
      ? `Give a whole number from 1 to ${formatCount(MAX_LIMIT)}, or leave it empty.`
      : `Give a whole number from 1 to ${formatCount(max)}, or leave it empty. For more, ask the operator afterwards.`,
    { cause },
  );

/**
 * Parses an owner's limit; undefined if the text is empty or the limit equals `max` (null: no maximum). Throws a
 * ServiceError if it is not a limit, is 0, or is higher than `max`.
 */
function parseOwnLimit(text: string, max: number | null): Limit | undefined {
  if (text.trim() === '') return undefined;
  let limit: Limit;
  try {
    limit = parseLimit(text, 1);
  } catch (error) {
    throw wrongLimit(max, error);
  }
  const isHigher = limit === 'unlimited' ? max !== null : limit !== 'default' && max !== null && limit > max;
  if (isHigher) throw wrongLimit(max);
  return (limit === 'unlimited' ? null : limit) === max ? undefined : limit;
}

export const ownLimitsForm = (max: Limits) =>
  z.object({
    perMinute: field((text) => parseOwnLimit(text, max.perMinute)),
    perDay: field((text) => parseOwnLimit(text, max.perDay)),
    captures: tick,
    postcodes: tick,
    usage: tick,
    // A hidden field of forms with permission checkboxes. A form without it asks for a key that may do everything.
    isChosen: tick,
  });

type PermissionTicks = Readonly<Record<(typeof PERMISSIONS)[number] | 'isChosen', boolean>>;

/** The ticked permissions; null if all are, or the form has no checkboxes. Throws a ServiceError if none is ticked. */
export const permissionsOf = ({ isChosen, ...ticks }: PermissionTicks) =>
  isChosen ? parsePermissions(PERMISSIONS.filter((name) => ticks[name]).join(',')) : null;

const WORDS: Readonly<Record<(typeof PERMISSIONS)[number], string>> = {
  captures: 'Captures: pictures, PDFs and texts of pages',
  postcodes: 'Postcodes',
  usage: 'Its own usage',
};

const hintOf = (max: number | null) =>
  max === null
    ? 'Leave it empty for no limit.'
    : `At most ${formatCount(max)}, which it has if this is empty.`;

export const OwnLimitFields = ({ max }: { readonly max: Limits }) => (
  <>
    <Field
      name="perMinute"
      label="Requests per minute (optional)"
      hint={hintOf(max.perMinute)}
      autocomplete="off"
    />
    <Field
      name="perDay"
      label="Requests per day, in UTC (optional)"
      hint={hintOf(max.perDay)}
      autocomplete="off"
    />
    <fieldset class="ticks">
      <legend>What it may do</legend>
      <input type="hidden" name="isChosen" value="yes" />
      {PERMISSIONS.map((name) => (
        <Checkbox name={name} label={WORDS[name]} isChecked />
      ))}
    </fieldset>
  </>
);
