import type { ComponentChildren } from 'preact';
import type { FormProblems } from '../form-fields.js';
import { usePageState } from './page-state.js';

interface FormProps {
  readonly action: string;
  readonly class?: string;
  readonly id?: string;
  readonly target?: '_blank';
  readonly children: ComponentChildren;
}

/** A form that is posted, with the token that shows that it is one of ours. */
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
  /** Whether the keyboard goes on from here. */
  readonly hasFocus: boolean;
  readonly children: ComponentChildren;
}

/** Why a form was refused. */
export function Alert({ hasFocus, children }: AlertProps) {
  return (
    <p class="notice danger" role="alert" {...(hasFocus ? { tabIndex: -1, autofocus: true } : {})}>
      {children}
    </p>
  );
}

/** What is wrong with all of a form, read out when the page comes; single fields say it themselves, and get the focus. */
export function FormAlert({ problems }: { readonly problems: FormProblems | undefined }) {
  if (problems === undefined) return null;
  const words =
    problems.whole ??
    (Object.keys(problems.fields).length === 1
      ? 'One field needs another look.'
      : 'Some fields need another look.');
  return <Alert hasFocus={Object.keys(problems.fields).length === 0}>{words}</Alert>;
}
