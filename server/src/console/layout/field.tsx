import { LIMITS } from '@signpost/contract';
import type { FormProblems } from '../form-fields.js';

/** More than any field but an address takes; the rest of what was typed is not sent back. */
const MAX_SHOWN_CHARACTERS = 300;

interface FieldProps {
  readonly name: string;
  readonly label: string;
  /** Set where a page has several fields of this name. */
  readonly id?: string;
  readonly type?: 'text' | 'email' | 'password' | 'url' | 'number';
  readonly value?: string | undefined;
  readonly hint?: string;
  readonly autocomplete?: string;
  readonly required?: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly step?: number | 'any';
  readonly maxlength?: number;
  readonly placeholder?: string;
  readonly problems?: FormProblems | undefined;
}

/** A labelled field with its hint and, after a refusal, what was wrong with it. */
export function Field({
  name,
  label,
  id = name,
  type = 'text',
  value,
  hint,
  problems,
  ...attributes
}: FieldProps) {
  const problem = problems?.fields[name];
  const describedBy = [
    hint === undefined ? undefined : `${id}-hint`,
    problem === undefined ? undefined : `${id}-problem`,
  ].filter((part) => part !== undefined);
  // Not typed as the attributes of one kind of input: the kinds differ, and this is any of them.
  const input: Readonly<Record<string, string | number | boolean | undefined>> = {
    id,
    name,
    type,
    value: value?.slice(0, type === 'url' ? LIMITS.urlCharacters.max : MAX_SHOWN_CHARACTERS),
    'aria-describedby': describedBy.length === 0 ? undefined : describedBy.join(' '),
    'aria-invalid': problem === undefined ? undefined : 'true',
    // Of several the browser takes the first.
    autofocus: problem !== undefined,
    ...attributes,
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem === undefined ? null : (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
      <input {...input} />
    </div>
  );
}
