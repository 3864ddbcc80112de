import type { Key } from '../../keys/key.js';
import { checkKeyDetails, type KeyDetails } from '../../keys/change-key.js';
import { ServiceError } from '../../platform/errors.js';
import { fieldProblems, formFields, type FormProblems } from '../layout/form-data.js';
import { Field } from '../layout/form.js';

const MINUTE_CHARACTERS = 16;
const TYPED_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?$/u;

/** A time formatted for a datetime-local input, in UTC. */
const typedTime = (timeMs: number | null): string =>
  timeMs === null ? '' : new Date(timeMs).toISOString().slice(0, MINUTE_CHARACTERS);

/** The fields of a key's form, as entered. */
export interface TypedKey {
  readonly name: string;
  readonly note: string;
  readonly ends: string;
}

export const NOTHING_TYPED: TypedKey = { name: '', note: '', ends: '' };

export const typedFrom = ({ name, note, endsAtMs }: Key): TypedKey => ({
  name: name ?? '',
  note: note ?? '',
  ends: typedTime(endsAtMs),
});

export const readTyped = (body: unknown): TypedKey => formFields(body, ['name', 'note', 'ends']);

function parseEnd(text: string): number | null {
  if (text.trim() === '') return null;
  const atMs = TYPED_TIME.test(text) ? Date.parse(`${text}Z`) : NaN;
  if (!Number.isNaN(atMs)) return atMs;
  throw new ServiceError(
    'invalidRequest',
    'Give the end as a date and a time, such as 2027-01-31T08:00, or leave it empty.',
  );
}

type Parsed =
  | { readonly details: KeyDetails; readonly problems?: undefined }
  | { readonly details?: undefined; readonly problems: FormProblems };

/** Parses the fields of a key, or returns the problem of each field. An unchanged end keeps its seconds. */
export function parseTyped({ name, note, ends }: TypedKey, nowMs: number, before?: Key): Parsed {
  const isEndKept = before !== undefined && ends === typedTime(before.endsAtMs);
  const end = () => (isEndKept ? undefined : parseEnd(ends));
  const problems = fieldProblems({
    name: () => checkKeyDetails({ name }, nowMs),
    note: () => checkKeyDetails({ note }, nowMs),
    ends: () => checkKeyDetails({ endsAtMs: end() }, nowMs),
  });
  return problems === undefined ? { details: { name, note, endsAtMs: end() } } : { problems };
}

interface KeyFieldsProps {
  readonly typed: TypedKey;
  readonly problems?: FormProblems | undefined;
}

/** Name, note and end of a key. */
export function KeyFields({ typed: { name, note, ends }, problems }: KeyFieldsProps) {
  return (
    <>
      <Field
        name="name"
        label="Name (optional)"
        hint="Such as the program or machine that uses it."
        autocomplete="off"
        maxlength={100}
        value={name}
        problems={problems}
      />
      <Field
        name="note"
        label="Note (optional)"
        hint="For your eyes: who asked for it, where it is kept."
        autocomplete="off"
        rows={2}
        maxlength={500}
        value={note}
        problems={problems}
      />
      <Field
        name="ends"
        label="Ends at, in UTC (optional)"
        hint="The key stops working for good at this time. Leave it empty for no end."
        type="datetime-local"
        value={ends}
        problems={problems}
      />
    </>
  );
}
