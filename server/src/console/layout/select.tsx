import type { ComponentChildren } from 'preact';
import { Labelled, describedBy } from './form.js';

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

export const Select = ({ name, id = name, label, hint, value: chosen, choices, form }: SelectProps) => (
  <Labelled id={id} label={label} hint={hint}>
    <select id={id} name={name} form={form} {...describedBy(id, hint, undefined)}>
      {choices.map(([value, words]) => (
        <option value={value} selected={value === chosen}>
          {words}
        </option>
      ))}
    </select>
  </Labelled>
);
