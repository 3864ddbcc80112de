import { LIMITS } from '@signpost/contract';
import type { ComponentChildren } from 'preact';
import type { FormProblems } from './form-data.js';
import { FOCUSED } from './notices.js';
import { usePageState } from './page-state.js';

interface FormProps {
  readonly action: string;
  readonly class?: string;
  readonly id?: string;
  readonly target?: '_blank';
  readonly role?: 'search';
  readonly 'aria-label'?: string;
  /** Set if the form sends a file. */
  readonly enctype?: 'multipart/form-data';
  readonly children: ComponentChildren;
}

/** A form that is sent by POST, with a token which proves that the form is from this server. */
export function Form({ children, ...attributes }: FormProps) {
  const { formToken } = usePageState();
  return (
    <form method="post" {...attributes}>
      <input type="hidden" name="_csrf" value={formToken()} />
      {children}
    </form>
  );
}

interface AlertProps {
  /** Whether the alert gets the keyboard focus. */
  readonly hasFocus: boolean;
  readonly children: ComponentChildren;
}

/** Says why a form was rejected. */
export function Alert({ hasFocus, children }: AlertProps) {
  return (
    <p class="notice danger" role="alert" {...(hasFocus ? FOCUSED : {})}>
      {children}
    </p>
  );
}

/**
 * The problem of a form as a whole, announced when the page loads. The problems of single fields are shown beside the
 * fields, and the first of those fields gets the focus.
 */
export function FormAlert({ problems }: { readonly problems: FormProblems | undefined }) {
  if (problems === undefined) return null;
  const text =
    problems.whole ??
    (Object.keys(problems.fields).length === 1
      ? 'One field needs another look.'
      : 'Some fields need another look.');
  return <Alert hasFocus={Object.keys(problems.fields).length === 0}>{text}</Alert>;
}

/** Longer than any field except an address needs. The rest of an entered text is not shown again. */
const MAX_SHOWN_CHARACTERS = 1_000;

export interface FieldProps {
  readonly name: string;
  readonly label: string;
  /** Set if a page has several fields of this name. */
  readonly id?: string;
  readonly type?: 'text' | 'email' | 'password' | 'url' | 'number' | 'datetime-local';
  /** The number of lines, for a text of several lines. */
  readonly rows?: number;
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

/**
 * A labelled input with its hint. In a rejected form it shows its problem and the text that was entered, unless that
 * is secret.
 */
export function Field({
  name,
  label,
  id = name,
  type = 'text',
  rows,
  value,
  hint,
  problems,
  ...attributes
}: FieldProps) {
  const problem = problems?.fields[name];
  const isSecret = type === 'password' || attributes.autocomplete === 'one-time-code';
  const text = isSecret ? value : (problems?.typed[name] ?? value);
  const describedBy = [
    hint === undefined ? undefined : `${id}-hint`,
    problem === undefined ? undefined : `${id}-problem`,
  ].filter((part) => part !== undefined);
  const mostShown = type === 'url' ? LIMITS.urlCharacters.max : MAX_SHOWN_CHARACTERS;
  // A loose type, because the attributes depend on the kind of input, which can be any.
  const input: Readonly<Record<string, string | number | boolean | undefined>> = {
    id,
    name,
    ...(rows === undefined ? { type } : { rows }),
    // A text of several lines is shown again completely, so that nobody has to write it again.
    value: rows === undefined ? text?.slice(0, mostShown) : text,
    'aria-describedby': describedBy.length === 0 ? undefined : describedBy.join(' '),
    'aria-invalid': problem === undefined ? undefined : 'true',
    // If several fields have a problem, browsers focus the first.
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
      {rows === undefined ? <input {...input} /> : <textarea class="prose" dir="auto" {...input} />}
      {type === 'password' ? (
        <button type="button" class="small" data-reveal={id} aria-pressed="false" hidden>
          Show<span class="visually-hidden"> what is typed: {label}</span>
        </button>
      ) : null}
    </div>
  );
}

interface CheckboxProps {
  readonly name: string;
  /** Set if a page has several boxes of this name. */
  readonly id?: string;
  readonly label: string;
  readonly isChecked: boolean;
  readonly problems?: FormProblems | undefined;
}

/** A checkbox, sent as "yes" if it is ticked. */
export function Checkbox({ name, id = name, label, isChecked, problems }: CheckboxProps) {
  const checked = problems === undefined ? isChecked : problems.typed[name] === 'yes';
  return (
    <div class="check">
      <input id={id} name={name} type="checkbox" value="yes" checked={checked} />
      <label for={id}>{label}</label>
    </div>
  );
}
