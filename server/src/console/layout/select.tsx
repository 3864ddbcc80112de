import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { describedBy, Labelled, Problems } from './form.js';

export type Choices = readonly (readonly [value: string, label: string])[];

interface SelectProps {
  readonly name: string;
  /** The element id, if it is not the name. */
  readonly id?: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly value: string;
  readonly choices: Choices;
  /** The id of the form, if the choice is outside of the form's element. */
  readonly form?: string;
}

/** A choice from a list. In a rejected form it shows its problem, and the option that was sent is selected again. */
export function Select({ name, id = name, label, hint, value, choices, form }: SelectProps) {
  const problems = useContext(Problems);
  const problem = problems?.fields[name];
  const chosen = problems?.values[name] ?? value;
  return (
    <Labelled id={id} label={label} hint={hint} problem={problem}>
      <select
        id={id}
        name={name}
        form={form}
        autofocus={problem !== undefined}
        {...describedBy(id, hint, problem)}
      >
        {choices.map(([choice, words]) => (
          <option value={choice} selected={choice === chosen}>
            {words}
          </option>
        ))}
      </select>
    </Labelled>
  );
}
