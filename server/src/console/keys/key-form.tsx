import { z } from 'zod';
import { checkKeyDetails } from '../../keys/change-key.js';
import type { Key } from '../../keys/key.js';
import { ServiceError } from '../../platform/errors.js';
import { field } from '../layout/form-data.js';
import { Field } from '../layout/form.js';

const MINUTE_CHARACTERS = 16;
const TYPED_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?$/u;

/** A time for a datetime-local input: in UTC, without seconds; empty for null. */
const typedTime = (timeMs: number | null): string =>
  timeMs === null ? '' : new Date(timeMs).toISOString().slice(0, MINUTE_CHARACTERS);

function parseEnd(text: string): number | null {
  if (text.trim() === '') return null;
  const atMs = TYPED_TIME.test(text) ? Date.parse(`${text}Z`) : NaN;
  if (!Number.isNaN(atMs)) return atMs;
  throw new ServiceError(
    'invalidRequest',
    'Give the end as a date and a time, such as 2027-01-31T08:00, or leave it empty.',
  );
}

/**
 * The schema of a key's form. `ends` is undefined if the end of the key `before` was not edited, so that it keeps its
 * seconds.
 */
export const keyForm = (nowMs: number, before?: Key) =>
  z.object({
    name: field((name) => checkKeyDetails({ name }, nowMs).name),
    note: field((note) => checkKeyDetails({ note }, nowMs).note),
    ends: field((text) => {
      if (before !== undefined && text === typedTime(before.endsAtMs)) return undefined;
      return checkKeyDetails({ endsAtMs: parseEnd(text) }, nowMs).endsAtMs;
    }),
  });

/** Inputs for a key's name, its note and the time at which it ends: filled in from `ownKey`, or empty for a new key. */
export const KeyFields = ({ ownKey }: { readonly ownKey?: Key }) => (
  <>
    <Field
      name="name"
      label="Name (optional)"
      hint="Such as the program or machine that uses it."
      autocomplete="off"
      maxlength={100}
      value={ownKey?.name ?? ''}
    />
    <Field
      name="note"
      label="Note (optional)"
      hint="For your eyes: who asked for it, where it is kept."
      autocomplete="off"
      rows={2}
      maxlength={500}
      value={ownKey?.note ?? ''}
    />
    <Field
      name="ends"
      label="Ends at, in UTC (optional)"
      hint="The key stops working for good at this time. Leave it empty for no end."
      type="datetime-local"
      value={typedTime(ownKey?.endsAtMs ?? null)}
    />
  </>
);
