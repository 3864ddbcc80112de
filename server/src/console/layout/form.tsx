import { LIMITS } from '@signpost/contract';
import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { FormProblems } from './form-data.js';
import { FOCUSED } from './notices.js';
import { usePageState } from './page-state.js';

/** Fields that a form sends unchanged, if they are not empty. */
export const HiddenFields = ({ fields }: { readonly fields: Readonly<Record<string, string>> }) => (
  <>
    {Object.entries(fields).map(([name, value]) =>
      value === '' ? null : <input type="hidden" name={name} value={value} />,
    )}
  </>
);

interface AlertProps {
  /** Whether the alert gets the keyboard focus. */
  readonly hasFocus: boolean;
  readonly children: ComponentChildren;
}

export const Alert = ({ hasFocus, children }: AlertProps) => (
  <p class="notice danger" role="alert" {...(hasFocus ? FOCUSED : {})}>
    {children}
  </p>
);

/** Says what is wrong with a form. It gets the focus unless a field has a problem: then the first such field does. */
function FormAlert({ problems: { fields, general } }: { readonly problems: FormProblems }) {
  const count = Object.keys(fields).length;
  const text = general ?? (count === 1 ? 'One field needs another look.' : 'Some fields need another look.');
  return <Alert hasFocus={count === 0}>{text}</Alert>;
}

/** The problems of the form around a field; undefined unless the form was rejected. */
export const Problems = createContext<FormProblems | undefined>(undefined);

const pathOf = (address: string) => address.split(/[?#]/u, 1)[0];

/** The problems of the form with this action, if it was just sent and rejected. */
export function useProblemsOf(action: string): FormProblems | undefined {
  const { problems, requestUrl = '' } = usePageState();
  return pathOf(action) === pathOf(requestUrl) ? problems : undefined;
}

interface FormProps {
  readonly action: string;
  readonly class?: string;
  readonly id?: string;
  readonly target?: '_blank';
  readonly role?: 'search';
  readonly 'aria-label'?: string;
  /** Set if the form sends a file. */
  readonly enctype?: 'multipart/form-data';
  /** False if the form acts only with a credential that is entered in it, and never with a session. */
  readonly hasToken?: boolean;
  readonly children: ComponentChildren;
}

/**
 * A form that is sent by POST, with a token which proves that the form is from this server, unless `hasToken` is false.
 * If it was just rejected, it shows its problems and the entered texts, except secrets.
 */
export function Form({ children, hasToken = true, ...attributes }: FormProps) {
  const { formToken } = usePageState();
  const problems = useProblemsOf(attributes.action);
  return (
    <form method="post" {...attributes}>
      {hasToken && <input type="hidden" name="_csrf" value={formToken()} />}
      {problems && <FormAlert problems={problems} />}
      <Problems.Provider value={problems}>{children}</Problems.Provider>
    </form>
  );
}

interface ButtonProps {
  /** The classes of the button, such as "small destructive". */
  readonly look?: string;
  readonly children: ComponentChildren;
}

export const Submit = ({ look = 'secondary', children }: ButtonProps) => (
  <button type="submit" class={look}>
    {children}
  </button>
);

interface ButtonFormProps extends ButtonProps {
  readonly action: string;
  readonly sends?: Readonly<Record<string, string>>;
  /** Text after the label of the button, for screen readers only. */
  readonly about?: string;
}

/** A form that consists of a button, and sends fixed values. */
export const ButtonForm = ({ action, sends = {}, look = 'secondary', about, children }: ButtonFormProps) => (
  <Form action={action}>
    <HiddenFields fields={sends} />
    <Submit look={look}>
      {children}
      {about && <span class="visually-hidden">{about}</span>}
    </Submit>
  </Form>
);

interface LabelledProps {
  /** The id of the input. */
  readonly id: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly problem?: string | undefined;
  readonly children: ComponentChildren;
}

/** An input with its label, its hint and its problem. */
export const Labelled = ({ id, label, hint, problem, children }: LabelledProps) => (
  <div class="field">
    <label for={id}>{label}</label>
    {hint && (
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    )}
    {problem && (
      <p class="problem" id={`${id}-problem`}>
        {problem}
      </p>
    )}
    {children}
  </div>
);

/** The attributes that connect an input with its hint and its problem, and mark it as invalid if there is a problem. */
export const describedBy = (id: string, hint: unknown, problem: string | undefined) => ({
  'aria-describedby':
    [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ') || undefined,
  'aria-invalid': problem ? ('true' as const) : undefined,
});

/**
 * The value of an input of one line is cut to this length, or to the maximum length of an address if the input is for a
 * web address.
 */
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
  readonly maxlength?: number;
}

/** A labelled input. In a rejected form it shows its problem, and the entered text unless that is secret. */
export function Field({
  name,
  label,
  id = name,
  type = 'text',
  rows,
  value,
  hint,
  ...attributes
}: FieldProps) {
  const problems = useContext(Problems);
  const problem = problems?.fields[name];
  const isSecret = type === 'password' || attributes.autocomplete === 'one-time-code';
  const text = isSecret ? value : (problems?.values[name] ?? value);
  const mostShown = type === 'url' ? LIMITS.urlCharacters.max : MAX_SHOWN_CHARACTERS;
  // A loose type, because the attributes depend on the kind of input, which can be any.
  const input: Readonly<Record<string, string | number | boolean | undefined>> = {
    id,
    name,
    ...(rows === undefined ? { type } : { rows }),
    // A text of several lines is shown again completely, so that nobody has to write it again.
    value: rows === undefined ? text?.slice(0, mostShown) : text,
    ...describedBy(id, hint, problem),
    // If several fields have a problem, browsers focus the first.
    autofocus: problem !== undefined,
    ...attributes,
  };
  return (
    <Labelled id={id} label={label} hint={hint} problem={problem}>
      {rows === undefined ? <input {...input} /> : <textarea class="prose" dir="auto" {...input} />}
      {type === 'password' && (
        <button type="button" class="small" data-reveal={id} aria-pressed="false" hidden>
          Show<span class="visually-hidden"> what is typed: {label}</span>
        </button>
      )}
    </Labelled>
  );
}

interface CheckboxProps {
  readonly name: string;
  /** Set if a page has several boxes of this name. */
  readonly id?: string;
  readonly label: string;
  readonly isChecked?: boolean;
}

/** A checkbox, sent as "yes" if it is ticked. */
export function Checkbox({ name, id = name, label, isChecked = false }: CheckboxProps) {
  const problems = useContext(Problems);
  const checked = problems === undefined ? isChecked : problems.values[name] === 'yes';
  return (
    <div class="check">
      <input id={id} name={name} type="checkbox" value="yes" checked={checked} />
      <label for={id}>{label}</label>
    </div>
  );
}
