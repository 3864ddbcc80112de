import type { Key } from '../../keys/key.js';
import { keyLabel } from '../keys/key-display.js';

interface SelectProps {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

/** A labelled choice of one out of some. */
export function Select({ id, name, label, value, options }: SelectProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} name={name}>
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
}

/** Which of the user's keys the requests count for. */
export const KeySelect = ({ id, keys, chosen }: KeySelectProps) => (
  <Select
    id={id}
    name="key"
    label="Key"
    value={chosen}
    options={keys.map((key) => ({ value: String(key.id), label: `${key.projectName}: ${keyLabel(key)}` }))}
  />
);
