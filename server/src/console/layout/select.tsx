import type { ComponentChildren } from 'preact';

/** Values and their labels. */
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

/** A labelled choice of one of several values. */
export const Select = ({ name, id = name, label, hint, value: chosen, choices, form }: SelectProps) => (
  <div class="field">
    <label for={id}>{label}</label>
    {hint === undefined ? null : (
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    )}
    <select id={id} name={name} form={form} aria-describedby={hint === undefined ? undefined : `${id}-hint`}>
      {choices.map(([value, words]) => (
        <option key={value} value={value} selected={value === chosen}>
          {words}
        </option>
      ))}
    </select>
  </div>
);
