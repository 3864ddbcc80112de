import type { Key } from '../../keys/key.js';
import { keyLabel } from './key-display.js';

interface SelectProps {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  /** The id of the form that the field belongs to, if it is outside of it. */
  readonly form?: string;
}

/** A labelled choice of one of several options. */
export function Select({ id, name, label, value, options, form }: SelectProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} name={name} form={form}>
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}

interface KeySelectProps {
  readonly id: string;
  readonly keys: readonly Key[];
  readonly chosen: string;
  readonly form: string;
}

/** A choice of the key that requests are sent with. */
export const KeySelect = ({ id, keys, chosen, form }: KeySelectProps) => (
  <Select
    id={id}
    name="key"
    label="Key"
    value={chosen}
    form={form}
    options={keys.map((key) => ({ value: String(key.id), label: `${key.projectName}: ${keyLabel(key)}` }))}
  />
);
